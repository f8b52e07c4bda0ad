"""What runs on the boards beside the hub, in MicroPython. The hub flashes these files.

What is in ``common`` needs nothing of a board's: the hub draws by it too, and tests run it on both.
A file there imports nothing, since on a board all files lie in one folder.
"""
