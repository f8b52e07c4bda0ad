"""Writes the documents: ``text/NAME.txt`` with the figures of ``NAME.py`` in it, to ``NAME.md``.

In a text ``{left_0_75:.1f}`` stands for a figure or an input, in Python's own format; ``{{`` is a
brace. A figure with a unit that is not made so is found by a test.
"""

import importlib
import sys
import tomllib
from pathlib import Path

from hardware.calculations import circuits

FOLDER = Path(__file__).parent
TEXTS = FOLDER / "text"
_NOTE = "<!-- Written by `make calculations` from text/{name}.txt, {name}.py and inputs.toml. -->\n"


def inputs() -> dict[str, dict[str, object]]:
    """Each with ``value``, ``unit``, ``source``."""
    return tomllib.loads((FOLDER / "inputs.toml").read_text(encoding="utf-8"))


def values(given: dict[str, dict[str, object]]) -> dict[str, float]:
    """The bare numbers."""
    return {name: float(each["value"]) for name, each in given.items()}  # type: ignore[arg-type]


def names() -> list[str]:
    """Of all documents."""
    return sorted(each.stem for each in TEXTS.glob("*.txt"))


def stands_on(given: dict[str, dict[str, object]]) -> dict[str, float]:
    """All that a document is reckoned from: the inputs, and what was simulated."""
    return values(given) | circuits.measured()


def known(name: str, given: dict[str, float]) -> dict[str, float]:
    """All that the text of this document may name: what it stands on, and what follows."""
    module = importlib.import_module(f"hardware.calculations.{name}")
    return {**given, **module.figures(given)}


def written(name: str, given: dict[str, dict[str, object]] | None = None) -> str:
    """The whole document. Raises :exc:`KeyError` for a figure that nobody works out."""
    given = inputs() if given is None else given
    text = (TEXTS / f"{name}.txt").read_text(encoding="utf-8")
    return (
        _NOTE.format(name=name)
        + text.format_map(known(name, stands_on(given)))
        + _stands_on(text, given)
    )


def _stands_on(text: str, given: dict[str, dict[str, object]]) -> str:
    """The inputs that the text names, with their sources."""
    used = [name for name in given if "{" + name + ":" in text or "{" + name + "}" in text]
    rows = [
        f"| {name.replace('_', ' ')} | {given[name]['value']:g} {given[name]['unit']} "
        f"| {given[name]['source']}{'; **our estimate**' if given[name].get('estimate') else ''} |"
        for name in used
    ]
    head = ["", "## What it stands on", "", "| | | source |", "| --- | --- | --- |"]
    return "\n".join([*head, *rows, ""])


def main() -> None:
    """Write all of them."""
    for name in names():
        (FOLDER / f"{name}.md").write_text(written(name), encoding="utf-8")
        sys.stdout.write(f"hardware/calculations/{name}.md\n")


if __name__ == "__main__":
    main()
