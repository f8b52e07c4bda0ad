"""hardware/calculations: each figure of a document follows from an input with a source, what must
hold does, and what the firmware says is what was reckoned with."""

import importlib
import math
import re

import pytest

from hardware.calculations import documents, supply
from hub.daemon import settings as daemon
from tests.support import micropython

GIVEN = documents.inputs()
NAMES = documents.names()
UNIT = re.compile(
    r"(?<![\w{.,×-])\d[\d.,]*\s*(?:%|°C|[kMmµn]?(?:A|V|W|Ω|F|Hz|s|bit/s)|mm²?|cm|m)(?![\w/])"
)


def read(name: str) -> str:
    return (documents.FOLDER / f"{name}.md").read_text(encoding="utf-8")


def firmware(path: str) -> object:
    """What the hub or a board says by itself: 'seat_reader.settings:USUAL.lamps'."""
    module, _, keys = path.partition(":")
    key, *more = keys.split(".")
    if module == "hub.daemon.settings":
        return getattr(daemon.Lamps(), *more)
    shown = "".join(f"[{each!r}]" for each in more)
    said = micropython.run(f"import {module} as it; print(it.{key}{shown})")
    return float(said)


@pytest.mark.parametrize("name", NAMES)
def test_a_document_says_what_follows_from_its_inputs(name: str) -> None:
    assert read(name) == documents.written(name, GIVEN), "run `make calculations`"


@pytest.mark.parametrize("name", NAMES)
def test_what_a_board_has_to_keep_is_kept(name: str) -> None:
    module = importlib.import_module(f"hardware.calculations.{name}")
    values = documents.values(GIVEN)
    broken = [
        what for what, kept in module.must(values, module.figures(values)).items() if not kept
    ]
    assert not broken


def test_every_input_has_a_source_and_a_use() -> None:
    files = [*documents.FOLDER.glob("*.py"), *documents.TEXTS.glob("*.md")]
    texts = "".join(each.read_text(encoding="utf-8") for each in files)
    for name, each in GIVEN.items():
        assert each["unit"] and len(str(each["source"])) > 10, name
        named = f'"{name}"' in texts or "{" + name + ":" in texts or name.startswith("wire_")
        assert named, f"nothing is reckoned with {name}"


def test_what_the_firmware_says_is_what_was_reckoned_with() -> None:
    held = {name: each for name, each in GIVEN.items() if "firmware" in each}
    assert held
    for name, each in held.items():
        assert firmware(str(each["firmware"])) == each["value"], (
            f"hardware/calculations/inputs.toml says {name} = {each['value']}, "
            f"and {each['firmware']} says {firmware(str(each['firmware']))}"
        )


def test_a_wrong_input_is_found() -> None:
    worse = {"buck_most": 0.5, "hop": 5.0, "polyfuse_holds_warm": 0.3, "head_fuse": 3.0}
    for name, value in worse.items():
        values = documents.values(GIVEN) | {name: value}
        assert not all(supply.must(values, supply.figures(values)).values()), name
        given = {**GIVEN, name: {**GIVEN[name], "value": value}}
        assert documents.written("supply", given) != read("supply")


def test_a_chain_by_hand() -> None:
    """Two seats of 12 W on a line of 1 Ω each: worked out on paper, by the middle of the line."""
    first, last = supply.chain(12.0, 2, 1.2, 1.0, 0.0)
    assert math.isclose(first, 12.0 - 1.2 / first - 1.2 / last, rel_tol=1e-9)
    assert math.isclose(last, first - 1.2 / last, rel_tol=1e-9)
    assert math.isnan(supply.chain(5.0, 8, 20.0, 0.5, 0.0)[-1])  # it breaks down
    assert math.isclose(supply.resistive(12.0, 3, 1.0, 0.1), 12.0 - 0.1 * (3 + 2 + 1))
