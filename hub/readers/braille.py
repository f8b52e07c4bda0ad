"""Whether the machine's braille support may have taken a reader's adapter.

Some braille displays use the same USB adapters as readers and do not identify themselves, so
brltty tries every adapter with such a chip. It detaches the kernel's driver, and the adapter's
device vanishes a moment after it appeared (Ubuntu 22.04, Linux Mint 21: CH340, in some also CP2102
and FTDI).

Ref: brltty's Documents/README.Linux and its udev rules; udev(7) (folders, and files of one name).
"""

import re
from pathlib import Path

from hub.kernel.reasons import Reason
from hub.readers.holders import running
from hub.readers.words import ReaderReason

_NAME = "brltty"
_RULES = tuple(
    Path(each)
    for each in (
        "/etc/udev/rules.d",
        "/run/udev/rules.d",
        "/usr/local/lib/udev/rules.d",
        "/usr/lib/udev/rules.d",
        "/lib/udev/rules.d",
    )
)
_MOST_BYTES = 1 << 20
_ADAPTERS = re.compile(
    r'^\s*[^#\s].*PRODUCT\}=="(?:1a86/7523|10c4/ea60|403/6001|67b/2303)/',
    re.IGNORECASE | re.MULTILINE,
)
"""Matches an active rule for a chip that readers use: CH340, CP210x, FT232, PL2303."""


def taker() -> Reason | None:
    """The likely taker: a process, or the rule that starts it; None if there is neither."""
    if found := running(_NAME):
        return found[0].said
    rule = next((each for each in _in_force() if _takes_adapters(each)), None)
    return None if rule is None else ReaderReason("braille.rule", file=str(rule))


def _in_force() -> list[Path]:
    """Its active rules: of files with the same name, only the one in the first folder counts."""
    found: dict[str, Path] = {}
    for folder in _RULES:
        try:
            files = sorted(folder.glob(f"*{_NAME}*"))
        except OSError:
            continue
        for each in files:
            found.setdefault(each.name, each)
    return [*found.values()]


def _takes_adapters(rule: Path) -> bool:
    try:
        with rule.open("rb") as file:
            text = file.read(_MOST_BYTES).decode(errors="replace")
    except OSError:
        return False
    return _ADAPTERS.search(text) is not None
