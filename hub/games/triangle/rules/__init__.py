"""Unroll and the Iron Triangles: one engine, with an edition for each book.

``edition`` defines the tables of a book and ``editions`` reads the three books. ``conflict`` is the
frozen state, and ``turn`` has the transitions of a turn. ``specials`` sets specials down, and
``effects`` defines what they do. ``game`` implements the game protocol; ``facedown resolve`` drives
the same transitions from a file. Rulings (R1 to R12): ``docs/rules/rulings.md``.
"""
