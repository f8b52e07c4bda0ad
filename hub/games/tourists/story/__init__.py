"""The part of the game that lasts between Conflicts: character sheets, from which Conflicts begin
and which are updated after them.

``sheet`` has a character and the GM's changes to it. ``conflicts`` converts sheets to a Conflict
and back. ``game`` implements the Story protocol.
"""
