"""Character sheets of the three books, and their changes between conflicts.

``sheet`` holds the frozen sheet and the limits that all books share; ``faults`` finds all faults of
a sheet. ``level_up``, ``replacement`` and ``marks`` (with the rests) derive new sheets from old
ones; ``conflicts`` brings sheets into a conflict and back. Rulings R14 and R16:
``docs/rules/rulings.md``; an overview on one page: ``docs/rules/characters.md``.
"""
