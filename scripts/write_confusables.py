"""Writes hub/kernel/confusables.txt from Unicode's table of similar-looking signs.

The file has pairs of lines: signs, and below them the signs that they are mapped to. Signs are left
out if no name can hold them (NFKC changes them, or they are invisible), or if they look like
several letters in a row. Ref: Unicode Technical Standard 39, confusables.txt.

The table comes with the library ``confusable-homoglyphs``, which is needed only here: ``pip install
confusable-homoglyphs && python scripts/write_confusables.py``.
"""

import sys
import unicodedata
from pathlib import Path

from confusable_homoglyphs.confusables import confusables_data

FILE = Path(__file__).parents[1] / "hub" / "kernel" / "confusables.txt"
WIDTH = 40


def classes() -> list[set[str]]:
    """The sets of signs that look alike."""
    known_by: dict[str, str] = {}

    def root(sign: str) -> str:
        while known_by.setdefault(sign, sign) != sign:
            sign = known_by[sign]
        return sign

    for sign, others in confusables_data.items():
        for other in others:
            known_by[root(other["c"])] = root(sign)
    found: dict[str, set[str]] = {}
    for sign in list(known_by):
        found.setdefault(root(sign), set()).add(sign)
    return list(found.values())


def can_be_in_a_name(sign: str) -> bool:
    """Whether a sign may be in a name and is worth mapping, because it is not ASCII."""
    plain = len(sign) == 1 and not sign.isascii() and sign.isprintable()
    return plain and unicodedata.normalize("NFKC", sign) == sign and category(sign) in "LN"


def category(sign: str) -> str:
    """The first letter of a sign's Unicode category."""
    return unicodedata.category(sign)[0]


def main() -> None:
    """Write the file ``FILE`` anew."""
    rows: dict[str, str] = {}
    for alike in classes():
        best = min(alike, key=lambda s: (not s.isascii(), len(s), not s.islower(), s))
        if len(best) == 1:
            rows |= {sign: best for sign in alike if sign != best and can_be_in_a_name(sign)}
    signs = sorted(rows)
    parts = [signs[at : at + WIDTH] for at in range(0, len(signs), WIDTH)]
    lines = [line for part in parts for line in (part, [rows[sign] for sign in part])]
    FILE.write_text("".join("".join(line) + "\n" for line in lines), "utf-8")
    sys.stdout.write(f"{FILE}: {len(signs)} signs\n")


if __name__ == "__main__":
    main()
