"""Writes the documents: fills the figures of ``NAME.py`` into ``text/NAME.txt`` and writes
``NAME.md``.

In a text ``{left_0_75:.1f}`` stands for a figure or an input, in Python's own format; ``{{`` is a
brace. A test finds figures with a unit that are typed by hand.
"""

import importlib
import sys
from pathlib import Path

from hardware.calculations import circuits
from hardware.calculations.inputs import Input, inputs, values

FOLDER = Path(__file__).parent
TEXTS = FOLDER / "text"
_NOTE = "<!-- Written by `make calculations` from text/{name}.txt, {name}.py and inputs.toml. -->\n"


def names() -> list[str]:
    """Return the names of all documents."""
    return sorted(each.stem for each in TEXTS.glob("*.txt"))


def stands_on(given: dict[str, Input]) -> dict[str, float]:
    """Return everything a document is calculated from: the inputs, and the simulated results."""
    return values(given) | circuits.measured()


def known(name: str, given: dict[str, float]) -> dict[str, float]:
    """Return everything this document's text may name: its inputs and their figures."""
    module = importlib.import_module(f"hardware.calculations.{name}")
    return {**given, **module.figures(given)}


def written(name: str, given: dict[str, Input] | None = None) -> str:
    """Return the whole document. Raises :exc:`KeyError` for an unknown figure."""
    given = inputs() if given is None else given
    text = (TEXTS / f"{name}.txt").read_text(encoding="utf-8")
    return (
        _NOTE.format(name=name)
        + text.format_map(known(name, stands_on(given)))
        + _stands_on(text, given)
    )


def _stands_on(text: str, given: dict[str, Input]) -> str:
    """Return the inputs that the text names, with their sources."""
    used = [name for name in given if "{" + name + ":" in text or "{" + name + "}" in text]
    rows = [
        f"| {name.replace('_', ' ')} | {given[name]['value']:g} {given[name]['unit']} "
        f"| {given[name]['source']}{'; **our estimate**' if given[name].get('estimate') else ''} |"
        for name in used
    ]
    head = ["", "## Inputs", "", "| | | source |", "| --- | --- | --- |"]
    return "\n".join([*head, *rows, ""])


def main() -> None:
    """Write all documents."""
    for name in names():
        (FOLDER / f"{name}.md").write_text(written(name), encoding="utf-8")
        sys.stdout.write(f"hardware/calculations/{name}.md\n")


if __name__ == "__main__":
    main()
