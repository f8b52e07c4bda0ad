"""Unroll and the Iron Triangles: one engine, each book an edition of it.

``edition`` holds what the books print in tables, ``conflict`` the frozen state, and ``turn`` the
few transitions that a turn is made of. ``game`` brings them to the table; ``facedown resolve``
drives the very same transitions from a file. Rulings (R1 to R10): ``docs/rules/rulings.md``.
"""
