"""The story of the three books: what lasts between scenes.

``state`` is the frozen state, ``deeds`` are the GM's changes to it, and ``written`` parses deeds as
text. ``scenes`` leads into a scene and back, ``views`` holds the public view, and ``game``
implements the story protocol.
"""
