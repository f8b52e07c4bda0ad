"""What lasts between scenes: characters' sheets, a scene made of them, and back to them.

``sheet`` is a character, ``deeds`` what the GM does to one, ``scenes`` the way into a scene and
back, ``game`` the Story protocol over them.
"""
