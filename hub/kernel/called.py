"""How this program is called where it was started: what is printed can be copied into that shell.

Sentences name it by :func:`called`, those of catalogues by the place ``{facedown}``.
"""

import sys
from functools import cache
from posixpath import basename, samefile
from shlex import quote
from shutil import which

_NAME = "facedown"
PLACE = "{facedown}"
"""Stands for it in a catalogue."""


@cache
def called() -> str:
    """Its name where the shell finds it by that, as in ``facedown run``; else what was typed, such
    as ``.venv/bin/facedown``."""
    typed = sys.argv[0]
    if basename(typed) != _NAME:  # a part of another program, such as of a test
        return _NAME
    found = which(_NAME)
    try:
        return _NAME if found and samefile(found, typed) else quote(typed)
    except OSError:  # it is gone, by an update
        return _NAME
