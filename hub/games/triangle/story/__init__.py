"""The story of the three Koeninger books: state that lasts between scenes.

``state`` is the frozen state with its countdowns, ``deeds`` are the GM's changes to it, ``clauses``
parses written deeds, ``scenes`` leads into a scene and back, ``views`` holds the public view, and
``game`` implements the story protocol.
"""
