"""What the files of a program hash to, so that hub and people know what a board runs."""

import hashlib
import os
import struct


def digest(root, folders):
    """The SHA-256 over all ``.py`` files of ``folders`` below ``root``; see PROTOCOL.md."""
    sha = hashlib.sha256()
    for folder in sorted(folders):
        for name in sorted(os.listdir(root + "/" + folder)):
            if name.endswith(".py"):
                path = folder + "/" + name
                sha.update(path.encode() + b"\0")
                sha.update(struct.pack("<I", os.stat(root + "/" + path)[6]))
                with open(root + "/" + path, "rb") as file:
                    while block := file.read(512):
                        sha.update(block)
    return sha.digest()
