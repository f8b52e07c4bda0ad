"""Write hub/kernel/confusables.txt from Unicode's table of signs that look alike: a line of signs,
and below it those by which they are known.

Ref: Unicode Technical Standard 39, confusables.txt. Left out is what no name can hold (NFKC has
another form for it, or it cannot be seen) and what looks like several letters in a row.

The table comes with the library ``confusable-homoglyphs``, which is needed for this alone:
``pip install confusable-homoglyphs && python scripts/write_confusables.py``.
"""

import sys
import unicodedata
from pathlib import Path

from confusable_homoglyphs.confusables import confusables_data

FILE = Path(__file__).parents[1] / "hub" / "kernel" / "confusables.txt"
WIDTH = 40


def classes() -> list[set[str]]:
    """Everything that looks alike."""
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
    """Whether a name may hold it, beyond ASCII."""
    plain = len(sign) == 1 and not sign.isascii() and sign.isprintable()
    return plain and unicodedata.normalize("NFKC", sign) == sign and category(sign) in "LN"


def category(sign: str) -> str:
    """Unicode's, its first letter."""
    return unicodedata.category(sign)[0]


def main() -> None:
    """Write it, in place."""
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
