"""What lasts between Conflicts: characters' sheets, a Conflict made of them, and back to them.

``sheet`` is a character, ``deeds`` what the GM does to one, ``conflicts`` the way into a Conflict
and back, ``game`` the Story protocol over them.
"""
