"""Character sheets of the Koeninger family, and what changes them between conflicts.

``book`` holds what each book allows, as data; ``sheet`` the frozen sheet; ``problems`` finds
everything that is wrong with one. ``level_up``, ``replacement``, ``rest`` and ``marks`` make new
sheets from old ones; ``conflicts`` brings sheets into a conflict and back. Rulings R14 and R16:
``docs/rules/rulings.md``; the whole in one page: ``docs/rules/characters.md``.
"""
