"""The part of the game that lasts between scenes: character sheets, from which scenes begin and to
which they report back.

``sheet`` is a character, ``deeds`` the GM's changes to one. ``scenes`` converts sheets to a scene
and back. ``game`` implements the Story protocol.
"""
