"""Unroll and the Iron Triangles: one engine, with an edition for each book.

``edition`` defines a book's tables, ``editions`` holds the three books, ``conflict`` the frozen
state and ``turn`` the transitions of a turn. ``specials`` sets specials down; ``effects`` defines
what they do. ``game`` implements the game protocol; ``facedown resolve`` drives the same
transitions from a file. Rulings (R1 to R12): ``docs/rules/rulings.md``.
"""
