"""What runs on the boards beside the hub, in MicroPython. The hub flashes these files.

What is in ``common`` needs nothing of a board's: the hub draws by it too, and tests run it on both.
On a board the folders lie as they do here, and the program's ``main.py`` beside them: a file there
imports ``common.link``, as it does here.
"""
