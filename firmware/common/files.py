"""A board's files: a hash that identifies its program, and a log of the program's faults."""

import hashlib
import io
import os
import sys

_MOST_FAULTS = 4096


def digest(folders, main):
    """The SHA-256 over ``main`` (named ``main.py``) and all ``.py`` files of ``folders``.

    This is the hash that ``facedown firmware list`` shows for the program; see PROTOCOL.md.
    """
    root = __file__[: -len("/common/files.py")]
    found = [("main.py", main)]
    for folder in folders:
        for name in os.listdir(root + "/" + folder):
            if name.endswith(".py"):
                found.append((folder + "/" + name, root + "/" + folder + "/" + name))
    sha = hashlib.sha256()
    for path, place in sorted(found):
        sha.update(path.encode() + b"\0" + str(os.stat(place)[6]).encode() + b"\0")
        with open(place, "rb") as file:
            while block := file.read(512):
                sha.update(block)
    return sha.digest()


def note(path, error):
    """Log in ``path`` where ``error`` came from, unless it is logged already or the file is full.

    A lasting fault comes at each start, and flash memory wears. Raises :exc:`OSError`.
    """
    told = io.StringIO()
    sys.print_exception(error, told)
    text = told.getvalue().encode()
    try:
        with open(path, "rb") as file:
            known = file.read(_MOST_FAULTS)
    except OSError:
        known = b""
    if text not in known and len(known) + len(text) <= _MOST_FAULTS:
        with open(path, "ab") as file:
            file.write(text)
