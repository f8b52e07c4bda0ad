"""Scripts for ``facedown resolve``: the contract's example, every kind of fault, and any bytes."""

import json
import pathlib
import re
from copy import deepcopy
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hub.games.resolve import resolve_script
from hub.games.triangle import script as turns_module
from hub.kernel.documents import json as script_module
from hub.kernel.documents.json import write_object
from hub.kernel.faults import Faulty, written
from tests.rules.duel import where

EXAMPLE = {
    "ruleset": "unroll",
    "lethal": True,
    "minor": False,
    "sides": {"players": ["ada", "bo"], "gm": ["ninja"]},
    "characters": {
        "ada": {
            "level": 1,
            "energy": {"attack": 5, "defend": 3, "grapple": 2},
            "max": {"attack": 5, "defend": 3, "grapple": 2},
            "moves": ["attack-high", "attack-mid", "defend-mid", "grapple-high"],
            "combos": {"attack-mid": ["grapple-high", "attack-high"]},
            "specials": ["wax-on-defend"],
        },
        "bo": {
            "energy": {"attack": 4, "defend": 3, "grapple": 3},
            "moves": ["attack-low", "defend-low", "grapple-low", "grapple-mid"],
        },
        "ninja": {
            "energy": {"attack": 4, "defend": 4, "grapple": 4},
            "moves": ["attack-low", "defend-low", "grapple-mid", "defend-high"],
        },
    },
    "turns": [
        {
            "active": "ada",
            "opponent": "ninja",
            "stance": {"ada": "grapple 2", "ninja": "none"},
            "move": {"ada": "attack-mid", "ninja": "attack-low"},
            "loss": {"ninja": {"attack": 3}},
        },
        {
            "active": "ada",
            "opponent": "ninja",
            "end_combo": False,
            "special": {"ada": ["wax-on-defend"]},
            "stance": {"ada": "grapple 2", "ninja": "defend 1"},
            "move": {"ada": "grapple-high", "ninja": "defend-low"},
        },
    ],
}

SECOND_TURN = (
    '{"turn": 2, "active": "ada", "opponent": "ninja", "outcome": "win", "winner": "ada", '
    '"loser": "ninja", "why": "action", "loss": {"ninja": {"total": 9, "stance": 4, '
    '"own_stance": 1, "base": 4, "combo": 1, "disadvantage": 1, "special": 0, "capped": true, '
    '"split": {"attack": 1, "defend": 4, "grapple": 4}}}, "gain": {}, "energy": {"ada": '
    '{"attack": 5, "defend": 3, "grapple": 2}, "bo": {"attack": 4, "defend": 3, "grapple": 3}, '
    '"ninja": {"attack": 0, "defend": 0, "grapple": 0}}, "face_up": {"ninja": ["attack-low", '
    '"defend-low"]}, "combo": null, "zero": {"ada": [], "bo": [], "ninja": ["attack", "defend", '
    '"grapple"]}, "out": ["ninja"], "dead": ["ninja"], "may_act": []}\n'
)

LOST = object()
Path = tuple[str | int, ...]


def changed(*changes: tuple[Path, Any]) -> bytes:
    """The example with other values at some places; LOST removes the key."""
    document: Any = deepcopy(EXAMPLE)
    for path, value in changes:
        inner = document
        for key in path[:-1]:
            inner = inner[key]
        if value is LOST:
            del inner[path[-1]]
        else:
            inner[path[-1]] = value
    return json.dumps(document).encode()


def played(document: bytes) -> tuple[list[dict[str, Any]], Faulty | None]:
    found: list[dict[str, Any]] = []
    try:
        for item in resolve_script(document):
            found.append(item)
    except Faulty as error:
        return found, error
    return found, None


def test_the_example_gives_the_exact_output() -> None:
    first, second, closing = map(write_object, resolve_script(json.dumps(EXAMPLE).encode()))
    assert json.loads(first)["may_act"] == ["ada", "bo"]
    assert json.loads(first)["combo"] == {"victim": "ninja", "moves": ["attack-mid"]}
    assert second.decode() == SECOND_TURN
    assert closing == b'{"over": true, "winner": "players", "reason": "side-out"}\n'


def test_the_manuals_example_can_be_played() -> None:
    page = pathlib.Path(__file__).parents[2] / "docs" / "rules" / "resolve.md"
    example = page.read_text(encoding="utf-8").split("```json\n")[1].split("```")[0]
    found, error = played(example.encode())
    assert error is None
    assert [item["outcome"] for item in found[:-1]] == ["win", "win"]


def test_a_script_may_end_before_the_conflict() -> None:
    found, _ = played(changed((("turns",), [])))
    assert found == [{"over": False}]


def test_missing_keys_have_defaults() -> None:
    short = changed(
        *[((key,), LOST) for key in ("ruleset", "lethal", "minor")],
        *[(("characters", "ada", key), LOST) for key in ("level", "max")],
    )
    found, error = played(short)
    assert error is None
    assert found[1]["dead"] == []


def test_tables_override_numbers() -> None:
    row = {"moves": {"attack-mid": {"base": 7}, "grapple-high": {"multiplier": 0}}}
    found, _ = played(changed((("tables",), row), (("turns", 0, "loss"), LOST)))
    assert found[0]["loss"]["ninja"]["base"] == 7
    assert found[1]["loss"]["ninja"]["stance"] == 0


T0, T1 = ("turns", 0), ("turns", 1)
ADA = ("characters", "ada")
NOTHING = {"attack": 0, "defend": 0, "grapple": 0}
FAULTS: list[tuple[str, list[tuple[Path, Any]]]] = [
    # the document
    ("turns", [(("turns",), LOST)]),
    ("turns", [(("turns",), {})]),
    ("characters", [(("characters",), LOST)]),
    ("notes", [(("notes",), "x")]),
    ('"a\\nb"', [(("a\nb",), "x")]),
    ("ruleset", [(("ruleset",), "chess")]),
    ("ruleset", [(("ruleset",), ["unroll"])]),
    ("lethal", [(("lethal",), 1)]),
    ("minor", [(("minor",), None)]),
    # sides
    ("sides", [(("sides",), {"players": ["ada", "bo", "ninja"]})]),
    ("sides", [(("sides",), [])]),
    ("sides", [(("sides",), {})]),
    ("sides.gm", [(("sides", "gm"), [])]),
    ("sides.gm[1]", [(("sides", "gm"), ["ninja", "ada"])]),
    ("sides.gm[1]", [(("sides", "gm"), ["ninja", "oni"])]),
    ("sides.players[0]", [(("sides", "players", 0), 7)]),
    ("characters.bo", [(("sides", "players"), ["ada"])]),
    # characters
    ("characters", [(("characters",), None)]),
    ("characters.ada", [(ADA, "strong")]),
    ("characters.ada.energy", [((*ADA, "energy"), LOST)]),
    ("characters.ada.moves", [((*ADA, "moves"), LOST)]),
    ("characters.ada.energy.defend", [((*ADA, "energy", "defend"), LOST)]),
    ("characters.ada.max.grapple", [((*ADA, "max", "grapple"), LOST)]),
    ("characters.ada.energy.luck", [((*ADA, "energy", "luck"), 1)]),
    ("characters.ada.energy.attack", [((*ADA, "energy", "attack"), True)]),
    ("characters.ada.energy.attack", [((*ADA, "energy", "attack"), 1.0)]),
    ("characters.ada.energy.attack", [((*ADA, "energy", "attack"), -1)]),
    ("characters.ada.energy.attack", [((*ADA, "energy", "attack"), 10**30)]),
    ("characters.ada.energy.attack", [((*ADA, "energy", "attack"), 6)]),
    ("characters.bo.energy", [(("characters", "bo", "energy"), NOTHING)]),
    ("characters.ada.level", [((*ADA, "level"), "1")]),
    ("characters.ada.moves", [((*ADA, "moves"), "attack-high")]),
    ("characters.ada.moves[0]", [((*ADA, "moves", 0), "attack-top")]),
    ("characters.ada.moves[0]", [((*ADA, "moves", 0), "attack-high +1")]),
    ("characters.ada.moves[0]", [((*ADA, "moves", 0), "surrender")]),
    ("characters.ada.moves[1]", [((*ADA, "moves", 1), "attack-high")]),
    ("characters.ada.moves[0].variant", [((*ADA, "moves", 0), {"move": "attack-high"})]),
    (
        "characters.ada.moves[0].variant",
        [((*ADA, "moves", 0), {"move": "attack-high", "variant": 1})],
    ),
    (
        "characters.ada.moves[0].move",
        [((*ADA, "moves", 0), {"move": ["attack-high"], "variant": "+1"})],
    ),
    (
        "characters.ada.moves[0]",
        [
            ((*ADA, "moves", 0), {"move": "attack-high", "variant": "+1"}),
            (("tables",), {"moves": {"attack-high": {"base": 0}}}),
        ],
    ),
    ("characters.ada.combos.attack-top", [((*ADA, "combos", "attack-top"), [])]),
    ("characters.ada.combos.attack-mid[0]", [((*ADA, "combos", "attack-mid", 0), "attack-top")]),
    ("characters.ada.specials", [((*ADA, "specials"), "wax-on-defend")]),
    ("characters.ada.specials[0]", [((*ADA, "specials", 0), "wax-on")]),
    ("characters.ada.specials[0]", [((*ADA, "specials", 0), "parry-defend")]),
    ("characters.ada.specials[0]", [((*ADA, "specials", 0), {"name": "yojimbo"})]),
    ("characters.ada.specials[1]", [((*ADA, "specials"), ["wax-on-defend"] * 2)]),
    # tables
    ("tables.elements", [(("tables",), {"elements": {}})]),
    ("tables.moves.surrender", [(("tables",), {"moves": {"surrender": {}}})]),
    ("tables.moves.attack-low.base", [(("tables",), {"moves": {"attack-low": {"base": -1}}})]),
    ("tables.moves.attack-low.x", [(("tables",), {"moves": {"attack-low": {"x": 1}}})]),
]
TURN_FAULTS: list[tuple[str, list[tuple[Path, Any]]]] = [
    ("turns[1]", [(T1, "attack")]),
    ("turns[1].active", [((*T1, "active"), LOST)]),
    ("turns[1].opponent", [((*T1, "opponent"), LOST)]),
    ("turns[1].move", [((*T1, "move"), LOST)]),
    ("turns[1].move.ninja", [((*T1, "move", "ninja"), LOST)]),
    ("turns[1].mvoe", [((*T1, "mvoe"), {})]),
    ("turns[1].end_combo", [((*T1, "end_combo"), 0)]),
    # kept for the combo; by count it is bo's turn
    ("turns[1].end_combo", [((*T1, "end_combo"), True)]),
    ("turns[1].kill", [((*T1, "kill"), True)]),
    ("turns[1].kill", [((*T1, "kill"), "no")]),
    ("turns[1].active", [((*T1, "active"), "ninja")]),
    ("turns[1].active", [((*T1, "active"), "zoe")]),
    ("turns[1].active", [((*T1, "active"), None)]),
    ("turns[1].active", [((*T1, "active"), "a\nb")]),
    ("turns[1].opponent", [((*T1, "opponent"), "a\nb" * 500)]),
    ("turns[1].active", [((*T0, "next"), "bo")]),
    ("turns[1].opponent", [((*T1, "opponent"), "bo")]),
    ("turns[1].opponent", [((*T1, "opponent"), "zoe")]),
    ("turns[1].special", [((*T1, "special"), ["wax-on-defend"])]),
    ("turns[1].special.zoe", [((*T1, "special"), {"zoe": []})]),
    ("turns[1].special.ada", [((*T1, "special", "ada"), "wax-on-defend")]),
    ("turns[1].special.ada[0]", [((*T1, "special", "ada", 0), 7)]),
    ("turns[1].special.ada[0]", [((*T1, "special", "ada", 0), "wax-on")]),
    ("turns[1].special.ada[0]", [((*T1, "special", "ada", 0), "wax-on-attack")]),
    ("turns[1].special.ada[0].name", [((*T1, "special", "ada", 0), {})]),
    ("turns[1].special.ada[0].name", [((*T1, "special", "ada", 0), {"name": ["yojimbo"]})]),
    (
        "turns[1].special.ada[0].for",
        [((*T1, "special", "ada", 0), {"name": "wax-on-defend", "for": "bo"})],
    ),
    ("turns[1].special.ada[1]", [((*T1, "special", "ada"), ["wax-on-defend"] * 2)]),
    ("turns[1].special.bo[0]", [((*T1, "special"), {"bo": ["wax-on-defend"]})]),
    ("turns[1].stance.bo", [((*T1, "stance", "bo"), "none")]),
    ("turns[1].stance.ada", [((*T1, "stance", "ada"), "grapple 3")]),
    ("turns[1].stance.ada", [((*T1, "stance", "ada"), "grapple")]),
    ("turns[1].stance.ada", [((*T1, "stance", "ada"), 3)]),
    ("turns[1].move.bo", [((*T1, "move", "bo"), "attack-low")]),
    ("turns[1].move.ada", [((*T1, "move", "ada"), "attack-mid")]),
    ("turns[1].move.ada", [((*T1, "move", "ada"), "grapple-low")]),
    ("turns[1].move.ada", [((*T1, "move", "ada"), "attack-top")]),
    ("turns[1].move.ada", [((*T1, "move", "ada"), None)]),
    ("turns[1].move.ada", [((*T1, "move", "ada"), {"move": "grapple-high", "variant": "-1"})]),
    ("turns[1].move.ada.variant", [((*T1, "move", "ada"), {"move": "x", "variant": "+2"})]),
    ("turns[1].loss.ada", [((*T1, "loss"), {"ada": {"attack": 1}})]),
    ("turns[1].loss.bo", [((*T1, "loss"), {"bo": {"attack": 1}})]),
    ("turns[1].loss.ninja", [((*T1, "loss"), {"ninja": {"attack": 1, "defend": 4}})]),
    ("turns[1].loss.ninja", [((*T1, "loss"), {"ninja": {"defend": 9}})]),
    ("turns[1].loss.ninja.defend", [((*T1, "loss"), {"ninja": {"defend": 1.5}})]),
    ("turns[1].next", [((*T1, "next"), "ada")]),  # the conflict is over by then
    ("turns[1].next", [((*T1, "next"), {"agreed": "ada"})]),
    ("turns[1].next.agreed", [((*T1, "next"), {})]),
]


@pytest.mark.parametrize(("place", "changes"), FAULTS)
def test_a_fault_in_the_setup_has_its_place(place: str, changes: list[tuple[Path, Any]]) -> None:
    found, error = played(changed(*changes))
    assert error is not None
    assert (where(error), found) == (place, [])
    assert all(map(str.isprintable, str(error).split("\n")))


WRONG = ((("characters", "bo", "energy"), 5), ((*ADA, "level"), "x"))
"""Values that are wrong in every book."""


@pytest.mark.parametrize(
    ("place", "changes"),
    [
        ("ruleset", [(("ruleset",), "chess"), ((*ADA, "moves"), ["castle"])]),
        ("sides", [(("sides",), LOST)]),
        ("house.level", [(("house",), {"id": "h", "base": "unroll", "level": "x"})]),
        ("house.id", [(("ruleset",), "chess"), (("house",), {"base": "iron-triangle"})]),
    ],
)
def test_a_fault_of_the_document_hides_no_other(
    place: str, changes: list[tuple[Path, Any]]
) -> None:
    """Faults that need a known book are left out."""
    _, error = played(changed(*changes, *WRONG))
    assert error is not None
    told = [written(each.place) for each in error.faults]
    own = ["ruleset"] if (("ruleset",), "chess") in changes else []
    assert sorted(told) == sorted({*own, place, "characters.bo.energy", "characters.ada.level"}), (
        error
    )


def test_faults_in_a_multi_line_script_have_their_lines() -> None:
    pretty = json.dumps(json.loads(changed(*WRONG, (("odd",), 1))), indent=1)
    _, error = played(pretty.encode())
    assert error is not None
    lines = pretty.splitlines()
    told = [re.fullmatch(r".*? \(line (\d+)\)", line) for line in str(error).split("\n")]
    shown = [lines[int(each[1]) - 1].strip() for each in told if each]
    assert shown == ['"level": "x",', '"energy": 5,', '"odd": 1']
    deep = '{\n"sides": {"a": [\n"x, ]}\\"",\n7]}, "characters": {}, "turns": []}'
    assert "sides.a[1]: 7 is not a name (line 4)" in str(played(deep.encode())[1])
    flat = json.dumps(json.loads(pretty)).encode()
    assert "line" not in str(played(flat)[1])


@pytest.mark.parametrize(("place", "changes"), TURN_FAULTS)
def test_a_fault_in_a_turn_has_its_place(place: str, changes: list[tuple[Path, Any]]) -> None:
    found, error = played(changed(*changes))
    assert error is not None
    assert where(error) == place
    assert all(map(str.isprintable, str(error).split("\n")))
    assert len(str(error)) < 300
    assert [item["turn"] for item in found] == [1], "the turn before stands"


@pytest.mark.parametrize(
    ("place", "value"),
    [
        ("turns[0].next", "zoe"),
        ("turns[0].next", "ninja"),
        ("turns[0].next", 1),
        ("turns[0].next.agreed", {"agreed": "zoe"}),
        ("turns[0].next.who", {"who": "bo"}),
    ],
)
def test_a_bad_next_is_refused(place: str, value: Any) -> None:
    found, error = played(changed(((*T0, "next"), value)))
    assert error is not None
    assert (where(error), found) == (place, [])


def test_a_turn_after_the_end_is_refused() -> None:
    found, error = played(changed((("turns",), [*EXAMPLE["turns"], EXAMPLE["turns"][0]])))
    assert error is not None
    assert (where(error), str(str(error.faults[0].reason)), len(found)) == (
        "turns[2]",
        "the conflict is over",
        2,
    )


def test_the_committed_part_comes_from_its_type() -> None:
    calm = changed(
        (("tables",), {"moves": {"grapple-high": {"base": 0, "multiplier": 0}}}),
        ((*T1, "loss"), {"ninja": {"grapple": 3}}),
    )
    found, error = played(calm)
    assert len(found) == 1
    assert error is not None
    assert where(error) == "turns[1].loss.ninja"
    assert "committed" in str(error.faults[0].reason)


def test_a_loss_of_zero_is_not_split() -> None:
    feather = (("tables",), {"moves": {"attack-mid": {"base": 0}}})
    found, error = played(changed(feather, ((*T0, "loss"), {"ninja": {"attack": 0}})))
    assert error is not None
    assert (where(error), found) == ("turns[0].loss.ninja", [])
    found, _ = played(changed(feather, ((*T0, "loss"), LOST)))
    assert found[0]["loss"]["ninja"]["total"] == 0


@pytest.mark.book("disadvantage.face-up")
def test_a_lost_move_is_face_up() -> None:
    found, error = played(changed(((*T1, "move", "ninja"), "attack-low")))
    assert len(found) == 1
    assert str(error) == (
        "turns[1].move.ninja: attack-low is face up and cannot be played "
        "(ninja may play: defend-low, grapple-mid, defend-high, surrender)"
    )


@pytest.mark.book("combo.face-up")
def test_the_refusal_of_a_face_up_card_lists_the_alternatives() -> None:
    _, error = played(changed(((*T1, "move", "ada"), "attack-mid")))
    assert str(error) == (
        "turns[1].move.ada: attack-mid is face up and cannot be played "
        "(ada may play: attack-high, defend-mid, grapple-high, surrender)"
    )


@pytest.mark.parametrize(
    ("old", "new", "place"),
    [
        ('"level": 1', '"level": 1' + "0" * 5000, "characters.ada.level"),
        ('"level": 1', '"level": NaN', "$"),
        ('"level": 1', '"level": ' + "[" * 200000 + "]" * 200000, "$"),
        ('"level": 1', '"level": 01', "$"),
    ],
)
def test_json_is_read_strictly(old: str, new: str, place: str) -> None:
    document = json.dumps(EXAMPLE).replace(old, new, 1).encode()
    _, error = played(document)
    assert error is not None
    assert where(error) == place


@pytest.mark.parametrize(
    ("old", "new", "place", "turns"),
    [
        ('"lethal": true', '"lethal": true, "lethal": true', "lethal", 0),
        ('"attack": 5,', '"attack": 5, "attack": 5,', "characters.ada.energy.attack", 0),
        ('"turns": [', '"turns": [], "turns": [', "turns", 0),
        ('"end_combo"', '"active": "ada", "end_combo"', "turns[1].active", 1),
        ('"ninja": "defend 1"', '"ada": "none"', "turns[1].stance.ada", 1),
    ],
)
def test_a_duplicate_key_is_refused(old: str, new: str, place: str, turns: int) -> None:
    found, error = played(json.dumps(EXAMPLE).replace(old, new, 1).encode())
    assert error is not None
    assert (where(error), str(error.faults[0].reason), len(found)) == (
        place,
        "appears twice",
        turns,
    )


def test_all_faults_of_a_setup_are_reported_at_once() -> None:
    document = changed(
        (("letal",), True),
        (("minor",), 1),
        (("characters", "ada", "moves", 1), "attack-mad"),
        (("characters", "bo", "energy"), 5),
    )
    _, error = played(document.replace(b'"level": 1', b'"level": 1, "level": 2', 1))
    assert error is not None
    assert [written(fault.place) for fault in error.faults] == [
        "characters.ada.level", "letal", "minor", "characters.ada.moves[1]", "characters.bo.energy",
    ]  # fmt: skip
    assert len(str(error).splitlines()) == len(error.faults)


@pytest.mark.parametrize(
    ("place", "value"),
    [(("sides", "gm"), 7), (("characters",), None), (("characters",), []), (("sides",), [])],
)
def test_consequences_of_a_fault_are_not_reported(place: Path, value: Any) -> None:
    _, error = played(changed((place, value)))
    assert error is not None
    assert {fault.place[:1] for fault in error.faults} == {place[:1]}


@pytest.mark.parametrize("document", [b"", b"[]", b"7", b"\xff", b"{", b'"' + b'\\"' * 200000])
def test_an_invalid_document_is_refused(document: bytes) -> None:
    found, error = played(document)
    assert error is not None
    assert (where(error), found) == ("$", [])


def test_limits_are_enforced(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(turns_module, "MAX_PARTS", 1)
    _, error = played(changed())
    assert error is not None
    assert where(error) == "turns"
    monkeypatch.setattr(script_module, "MAX_BYTES", 100)
    _, error = played(changed())
    assert error is not None
    assert where(error) == "$"


@given(st.binary(max_size=200))
def test_any_bytes_are_refused_cleanly(document: bytes) -> None:
    _, error = played(document)
    assert error is not None


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=4),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner),
    max_leaves=5,
)


def places(value: Any, path: Path = ()) -> list[Path]:
    """The place of everything in a document."""
    items: list[tuple[str | int, Any]] = []
    if isinstance(value, dict):
        items = list(value.items())
    elif isinstance(value, list):
        items = list(enumerate(value))
    return [p for key, item in items for p in ((*path, key), *places(item, (*path, key)))]


@given(st.sampled_from(places(EXAMPLE)), json_values)
def test_any_value_at_any_place(path: Path, value: Any) -> None:
    """Any value at any place is played or refused, without a crash."""
    found, error = played(changed((path, value)))
    assert error is None or all(map(str.isprintable, str(error).split("\n")))
    assert found or error


@given(st.sampled_from(places(EXAMPLE)))
def test_any_missing_value(path: Path) -> None:
    played(changed((path, LOST)))


def test_the_output_is_deterministic() -> None:
    first = [write_object(item) for item in resolve_script(changed())]
    assert first == [write_object(item) for item in resolve_script(changed())]
