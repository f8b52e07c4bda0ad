"""Character files: TOML, one character each. ``docs/rules/characters.md`` explains every key.

``layout`` reads the text and ``writing`` writes it, ``files`` is the disk; ``samples`` are
characters ready to play.
"""
