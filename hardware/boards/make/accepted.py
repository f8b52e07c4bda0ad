"""Findings of KiCad's checks that are accepted, each with its reason."""

import tomllib
from pathlib import Path

FILE = Path(__file__).parent.parent / "accepted.toml"


def reasons() -> list[dict[str, str]]:
    """The entries of accepted.toml."""
    said = tomllib.loads(FILE.read_text(encoding="utf-8"))
    return list(said.get("accepted", ()))


def not_accepted(board: str, found: list[tuple[str, str]]) -> list[str]:
    """Findings that accepted.toml has no reason for, and reasons in it that no finding needs any
    more."""
    own = [each for each in reasons() if each["board"] == board]
    used, faults = set(), []
    for kind, words in found:
        at = next(
            (at for at, each in enumerate(own) if each["kind"] == kind and each["about"] in words),
            None,
        )
        if at is None:
            faults.append(f"{board}: {kind}: {words}")
        else:
            used.add(at)
    faults += [
        f"{board}: accepted.toml has a reason for what is gone: {each['kind']} {each['about']}"
        for at, each in enumerate(own)
        if at not in used
    ]
    return faults
