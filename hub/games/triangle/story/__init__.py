"""The story of the three Koeninger books: what lasts between scenes.

``state`` is the frozen state and its countdowns, ``deeds`` what the GM does to it, ``clauses`` how
deeds are written, ``scenes`` the way into a scene and back, ``views`` what everybody sees, and
``game`` brings all of it to the table.
"""
