"""Programs for the boards beside the hub, in MicroPython. The hub flashes these files.

``common`` uses nothing board-specific: the hub draws with it too, and tests run it on both. A
board has the same folders, with the program's ``main.py`` beside them, so that ``common.link`` is
imported in the same way.
"""
