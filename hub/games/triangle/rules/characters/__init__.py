"""Character sheets of the Koeninger family, and their changes between conflicts.

``book`` holds the limits that all books share, ``sheet`` the frozen sheet; ``faults`` finds all
faults of a sheet. ``level_up``, ``replacement``, ``rest`` and ``marks`` derive new sheets from old
ones; ``conflicts`` brings sheets into a conflict and back. Rulings R14 and R16:
``docs/rules/rulings.md``; an overview on one page: ``docs/rules/characters.md``.
"""
