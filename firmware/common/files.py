"""What the files of a program hash to, so that hub and people know what a board runs."""

import hashlib
import os


def digest(folders, main):
    """The SHA-256 over ``main``, as ``main.py``, and all ``.py`` files of ``folders``: the hash
    that ``facedown firmware list`` has for the program; see PROTOCOL.md."""
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
