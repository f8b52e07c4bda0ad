"""The part of the game that lasts between Conflicts: character sheets, from which Conflicts begin
and to which they report back.

``sheet`` is a character, ``deeds`` the GM's changes to one. ``conflicts`` converts sheets to a
Conflict and back. ``game`` implements the Story protocol.
"""
