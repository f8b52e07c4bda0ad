"""The name this program was started by, so that printed commands can be copied into the same shell.

Code uses :func:`called`; catalogues use the placeholder ``{facedown}``.
"""

import sys
from functools import cache
from posixpath import basename, samefile
from shlex import quote
from shutil import which

_NAME = "facedown"
PLACE = "{facedown}"


@cache
def called() -> str:
    """``facedown`` if the shell finds it by that name, else the path that was typed."""
    typed = sys.argv[0]
    if basename(typed) != _NAME:  # imported by another program, such as a test
        return _NAME
    found = which(_NAME)
    try:
        return _NAME if found and samefile(found, typed) else quote(typed)
    except OSError:  # removed by an update
        return _NAME
