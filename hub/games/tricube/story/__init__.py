"""The part of the game that lasts between scenes: character sheets, from which scenes begin and
which are updated after them.

``sheet`` has a character, ``deeds`` the GM's changes to characters. ``scenes`` converts sheets to a
scene and back. ``forms`` has the forms for deeds. ``game`` implements the Story protocol.
"""
