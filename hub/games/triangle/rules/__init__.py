"""Unroll and the Iron Triangles: one engine, each book an edition of it.

``edition`` says what a book prints in tables, ``editions`` holds the three books, ``conflict`` the
frozen state, ``turn`` the few transitions that a turn is made of; ``specials`` sets specials down
and ``effects`` says what they do. ``game`` brings it all to the table; ``facedown resolve``
drives the very same transitions from a file. Rulings (R1 to R12): ``docs/rules/rulings.md``.
"""
