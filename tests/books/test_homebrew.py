"""House rules: what a file can change, and every fault with its line."""

import json
from itertools import product
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hub.games.resolve import resolve_script
from hub.games.triangle.houses import read_house
from hub.games.triangle.rules.characters.faults import faults_of
from hub.games.triangle.rules.edition import Edition
from hub.games.triangle.rules.judging import contest
from hub.kernel.documents.toml import parse_toml
from hub.kernel.faults import Faulty
from tests.rules.cast import known, starting
from tests.rules.duel import setup, turn
from tests.support.editions import IRON_TRIANGLE, IRON_TRIANGLE_1E, UNROLL

WUXING = """\
id = "wuxing"
base = "iron-triangle-1e"
level = 2

[elements]
wood = ["earth"]
earth = ["water"]
water = ["fire"]
fire = ["metal"]
metal = ["wood"]

[moves]
attack-wood = { base = 3, multiplier = 2 }
attack-earth = { base = 5, multiplier = 0 }
grapple-fire = { base = 4, multiplier = 2 }

[specials]
bodyguard = "meat-shield"
parry = "willow"
"""


def read(text: str) -> Edition:
    return read_house(parse_toml("house.toml", text.encode()))


def faults(text: str) -> list[str]:
    with pytest.raises(Faulty) as caught:
        read(text)
    return [str(problem) for problem in caught.value.faults]


def test_the_manuals_example_can_be_used() -> None:
    page = Path(__file__).parents[2] / "docs" / "rules" / "homebrew.md"
    edition = read(page.read_text(encoding="utf-8").split("```toml\n")[1].split("```")[0])
    assert (edition.id, next(iter(edition.element_beats))) == ("wuxing", "wood")


def test_a_house_may_have_other_elements_moves_and_names() -> None:
    edition = read(WUXING)
    assert list(edition.moves) == ["attack-wood", "attack-earth", "grapple-fire"]
    assert (edition.level, edition.variants, edition.both_out_wins) == (2, False, False)
    assert edition.specials["meat-shield"].effect == "bear"
    assert "willow-defend" in edition.specials
    assert "parry-defend" not in edition.specials
    assert len(edition.specials) == len(IRON_TRIANGLE_1E.specials)


def test_a_script_is_played_by_house_rules() -> None:
    edition = read(WUXING)
    knows = {"ada": {"specials": ["meat-shield"]}, "bo": {"specials": ["willow-attack"]}}
    document = setup(edition=edition, characters=knows)
    shield = {"ada": [{"name": "meat-shield", "for": "bo"}]}
    document["turns"] = [turn("ninja", "bo", "attack-wood", "attack-earth", special=shield)]
    found, closing = resolve_script(json.dumps(document).encode(), edition)
    assert (found["winner"], found["why"], found["loss"]["ada"]["total"]) == ("ninja", "element", 3)
    assert closing == {"over": False}
    del document["ruleset"]
    assert next(resolve_script(json.dumps(document).encode(), edition)) == found


def test_a_script_may_still_name_a_book() -> None:
    document = {**setup(), "turns": []}
    assert list(resolve_script(json.dumps(document).encode(), read(WUXING))) == [{"over": False}]
    document["ruleset"] = "zen"
    with pytest.raises(Faulty, match="iron-triangle-1e, tourists, tricube, wuxing"):
        list(resolve_script(json.dumps(document).encode(), read(WUXING)))


def test_missing_keys_come_from_the_base() -> None:
    edition = read('id = "hard"\nbase = "unroll"\n[moves.attack-low]\nbase = 9\n')
    assert (edition.moves["attack-low"].base, edition.moves["attack-low"].multiplier) == (9, 2)
    assert {**edition.moves, "attack-low": None} == {**UNROLL.moves, "attack-low": None}
    assert edition.element_beats == UNROLL.element_beats
    assert edition.specials == UNROLL.specials
    assert (edition.variants, edition.both_out_wins) == (True, True)


def test_removing_elements_removes_their_moves() -> None:
    text = '[elements]\nlow = ["high"]\nhigh = ["mid"]\nmid = ["low"]\n'
    edition = read(f'id = "three"\nbase = "iron-triangle"\n{text}')
    assert set(edition.moves) == set(UNROLL.moves)
    assert all(edition.moves[move_id] == IRON_TRIANGLE.moves[move_id] for move_id in edition.moves)


HEAD = 'id = "house"\nbase = "unroll"\n'


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "",
            [
                "house.toml: base: must be one of: unroll, iron-triangle, iron-triangle-1e",
                "house.toml: id: must name",
            ],
        ),
        ('base = "unroll"', ["house.toml: id: must name the ruleset"]),
        ('id = "Mine"\nbase = "unroll"', ["house.toml:1: id: must name"]),
        ('id = "unroll"\nbase = "unroll"', ["house.toml:1: id: unroll is one of the books"]),
        ('id = "a"\nbase = "chess"', ["house.toml:2: base: must be one of"]),
        (HEAD + "luck = 1", ["house.toml:3: luck: unknown key"]),
        (HEAD + 'level = "1"', ["house.toml:3: level: must be a whole number"]),
        (HEAD + "variants = 1", ["house.toml:3: variants: must be true or false"]),
        (HEAD + "elements = 3", ["house.toml:3: elements: must be an object", "", ""]),
        (
            HEAD + '[elements]\nlow = ["mid"]\nmid = ["low"]\n',
            ["house.toml:5: elements.mid: low and mid cannot beat each other"],
        ),
        (
            HEAD + '[elements]\nlow = ["low"]\n',
            ["house.toml:4: elements.low: low cannot beat itself"],
        ),
        (
            HEAD + '[elements]\nlow = ["up"]\n',
            ['house.toml:4: elements.low: low beats "up", which is not'],
        ),
        (HEAD + '[elements]\nlow = "mid"\n', ["house.toml:4: elements.low: low must be the list"]),
        (
            HEAD + "[elements]\nLow = []\nlow = []\n",
            ['house.toml:4: elements.Low: "Low" cannot name an'],
        ),
        (HEAD + "[elements]\nwood = []\n", ["house.toml: moves: no move is left"]),
        (
            HEAD + "[elements]\nwood = []\n[moves]\nattack-wood = {multiplier = 2}\n",
            ["house.toml:6: moves.attack-wood: attack-wood is new and needs a base"],
        ),
        (
            HEAD + "[moves]\nattack-jump = {}\n",
            ['house.toml:4: moves.attack-jump: "attack-jump" is not a move'],
        ),
        (
            HEAD + "[moves]\nattack-low-kick = {}\n",
            ['house.toml:4: moves.attack-low-kick: "attack-low-kick" is no'],
        ),
        (
            HEAD + "[moves]\nkick-low = {}\n",
            ["house.toml:4: moves.kick-low: kick-low needs an action"],
        ),
        (
            HEAD + '[moves]\nkick-low = {action = "attack", element = "up"}\n',
            ["house.toml:4: moves.kick-low: kick-low needs an element, one of: high, low, mid"],
        ),
        (
            HEAD + '[moves]\nkick-low = {action = "attack", element = "low", multiplier = 2}\n',
            ["house.toml:4: moves.kick-low: kick-low is new and needs a base"],
        ),
        (
            HEAD + '[moves]\nsurrender = {action = "attack", element = "low"}\n',
            ['house.toml:4: moves.surrender: "surrender" cannot name a move'],
        ),
        (
            HEAD + '[moves]\nattack-low = {element = "mid"}\n',
            ["house.toml:4: moves.attack-low.element: unknown key"],
        ),
        (
            HEAD + "[elements]\n" + "".join(f"e{n} = []\n" for n in range(300)),
            ["house.toml:3: elements: has more than 256 keys", "", ""],
        ),
        (HEAD + "[moves]\nattack-low = 3\n", ["house.toml:4: moves.attack-low: must be an object"]),
        (
            HEAD + "[moves]\nattack-low = {base = -1}\n",
            ["house.toml:4: moves.attack-low.base: must be a whole"],
        ),
        (
            HEAD + "[moves]\nattack-low = {x = 1}\n",
            ["house.toml:4: moves.attack-low.x: unknown key"],
        ),
        (
            HEAD + '[specials]\nparry = "x"\n',
            ['house.toml:4: specials.parry: unroll has no special "parry"'],
        ),
        (
            HEAD + "[specials]\nyojimbo = 3\n",
            ["house.toml:4: specials.yojimbo: yojimbo needs a name"],
        ),
        (
            HEAD + '[specials]\nyojimbo = "none"\n',
            ['house.toml:4: specials.yojimbo: "none" cannot name a special'],
        ),
        (
            HEAD + '[specials]\nyojimbo = "wax-on"\n',
            ["house.toml:3: specials: two specials have the same"],
        ),
        (
            HEAD + '[specials]\nyojimbo = "wax-on-attack"\n',
            ["house.toml:3: specials: two specials have the same name"],
        ),
        (
            HEAD + "level = -1\n[moves]\nkick = 1\n",
            ["house.toml:3: level:", "house.toml:5: moves.kick"],
        ),
    ],
)
def test_every_fault_has_its_line(text: str, expected: list[str]) -> None:
    found = faults(text)
    for line, start in zip(found, expected, strict=False):
        assert line.startswith(start)
    assert len(found) <= len(expected)


@given(st.dictionaries(st.sampled_from("abcd"), st.lists(st.sampled_from("abcd"), max_size=3)))
def test_any_accepted_relation_is_antisymmetric(relation: dict[str, list[str]]) -> None:
    lines = [f"{one} = {json.dumps(beaten)}" for one, beaten in relation.items()]
    moves = [f"attack-{one} = {{base = 3, multiplier = 2}}" for one in relation]
    text = "\n".join([HEAD, "[elements]", *lines, "[moves]", *moves])
    try:
        edition = read(text)
    except Faulty as fault:
        assert all(problem.line or not relation for problem in fault.faults)
        return
    for mine, theirs in product(edition.moves.values(), repeat=2):
        _, sign = contest(edition, mine, False, theirs, False)
        assert sign == -contest(edition, theirs, False, mine, False)[1]
        assert (sign > 0) == (theirs.element in relation[mine.element])


@pytest.mark.parametrize("base", ['base = "chess"', "base = 3", ""])
def test_a_fault_of_the_base_hides_no_other(base: str) -> None:
    text = f"""
id = "Bad Id"
{base}
level = -1
variants = "no"
colour = "red"
[elements]
low = ["low"]
[moves]
attack-low = {{base = -3}}
jab = {{base = 1}}
[specials]
nonsense = "x"
yojimbo = "Not An Id"
"""
    with pytest.raises(Faulty) as fault:
        read_house(parse_toml("house.toml", text.encode()))
    said = str(fault.value)
    for words in (
        "base: must be one of", "id: must name", "level: must be", "variants: must be",
        "colour: unknown key", "low cannot beat itself", "attack-low.base: must be a whole",
        "jab needs an action", 'no special "nonsense"', "yojimbo needs a name",
    ):  # fmt: skip
        assert words in said, said


@pytest.mark.parametrize("base", [UNROLL, IRON_TRIANGLE, IRON_TRIANGLE_1E], ids=lambda e: e.id)
def test_a_house_with_fewer_moves_than_the_start_starts_with_all(base: Edition) -> None:
    house = read(f'id = "narrow"\nbase = "{base.id}"\n[elements]\nhigh = []\n')
    assert [*house.moves] == [move for move in base.moves if move.endswith("-high")]
    all_there_are = known(*house.moves)
    one_too_few = starting(base.id, moves=all_there_are[1:], rules=house)
    assert not faults_of(starting(base.id, moves=all_there_are, rules=house))
    assert [fault.place for fault in faults_of(one_too_few)] == [("moves",)]
