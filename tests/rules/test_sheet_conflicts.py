"""From sheets into a conflict and back, with a conflict actually played in between."""

from random import Random

import pytest
from msgspec.structs import replace

from hub.games.game import SetupError
from hub.games.registry import rulebooks
from hub.games.triangle.rules.characters.conflicts import after_conflict, setup_of
from hub.games.triangle.rules.characters.faults import faults_of
from hub.games.triangle.rules.characters.sheet import KnownMove, KnownSpecial, Sheet
from hub.games.triangle.rules.edition import Action, Energy
from tests.rules.cast import known, npc, starting
from tests.rules.walk import own_offers, pick

UNROLL = rulebooks().games["unroll"]
SIDES = {"players": ["Wenna", "Jory"], "gm": ["toll keeper"]}


def cast() -> list[Sheet]:
    jory = starting(name="Jory", level=2, combos={"attack-high": ("attack-mid",)})
    return [starting(), jory, npc()]


def test_the_setup_made_of_sheets() -> None:
    jory = starting(
        level=2,
        name="Jory",
        energy=Energy(0, 1, 2),
        combos={"attack-high": ("attack-mid",)},
        specials=(KnownSpecial("wax-on-attack", used=True), KnownSpecial("scouter")),
        npc=True,
        moves=(*known(*(m.id for m in starting().moves)), KnownMove("defend-low", "Sag")),
    )
    assert setup_of([jory, npc()], {"a": ["toll keeper"], "b": ["Jory"]}, minor=True) == {
        "ruleset": "unroll",
        "lethal": False,
        "minor": True,
        "sides": {"a": ["toll keeper"], "b": ["Jory"]},
        "characters": {
            "toll keeper": {
                "level": 1,
                "energy": {"attack": 2, "defend": 6, "grapple": 0},
                "max": {"attack": 2, "defend": 6, "grapple": 0},
                "moves": ["defend-low"],
                "combos": {},
                "specials": [],
                "used": [],
                "npc": True,
            },
            "Jory": {
                "level": 2,
                "energy": {"attack": 0, "defend": 1, "grapple": 2},
                "max": {"attack": 4, "defend": 3, "grapple": 3},
                "moves": ["attack-high", "attack-mid", "defend-mid", "grapple-low", "defend-low"],
                "combos": {"attack-high": ["attack-mid"]},
                "specials": ["wax-on-attack", "scouter"],
                "used": ["wax-on-attack"],
                "npc": True,
            },
        },
    }


def test_variants_are_written_as_in_a_script() -> None:
    nine = known(*UNROLL.edition.moves, "attack-mid +1")  # type: ignore[attr-defined]
    setup = setup_of([starting(level=7, moves=nine), npc()], {"a": ["Wenna"], "b": ["toll keeper"]})
    assert setup["characters"]["Wenna"]["moves"][-1] == {"move": "attack-mid", "variant": "+1"}
    assert UNROLL.begin(setup)


@pytest.mark.book("left.sheet")
@pytest.mark.parametrize("seed", range(30))
def test_a_played_conflict_is_written_back(seed: int) -> None:
    random = Random(seed)
    sheets = cast()
    state = UNROLL.begin(setup_of(sheets, SIDES, lethal=seed % 2 == 0))
    for _ in range(400):
        pending = UNROLL.pending(state)
        if not pending.must:
            break
        chosen = {actor: pick(random, own_offers(state, actor)) for actor in pending.must}
        state = UNROLL.advance(state, chosen)
    for sheet in sheets:
        after = after_conflict(sheet, state)
        fighter = state.fighters[sheet.name]
        assert (after.energy, after.zero, after.dead) == (
            fighter.energy,
            tuple(each for each in fighter.zero if sheet.energy.of(each)),
            fighter.dead,
        )
        assert faults_of(after) == ()
        assert replace(after, energy=sheet.energy, zero=(), dead=False) == sheet


@pytest.mark.book("energy.zero-of-one", "redraw.tiring")
def test_marks_are_added_and_specials_used_up() -> None:
    state = UNROLL.begin(setup_of(cast(), SIDES))
    names = ("wax-on-attack", "to-blave", "scouter", "drunken-monkey")
    known = UNROLL.edition.specials  # type: ignore[attr-defined]
    used = tuple(known[name] for name in names if name != "scouter")
    fighters = {**state.fighters, "Wenna": replace(state.fighters["Wenna"], used=used)}
    sheet = starting(zero=(Action.GRAPPLE,), specials=tuple(map(KnownSpecial, names)))
    after = after_conflict(sheet, replace(state, fighters=fighters))
    assert after.zero == (Action.GRAPPLE,)
    assert [each.used for each in after.specials] == [True, False, False, True]
    assert after.sits_out


@pytest.mark.book("stakes.no-energy", "redraw.tiring")
def test_every_fault_of_a_setup_is_reported() -> None:
    wenna, jory, keeper = cast()
    faulty = [
        replace(wenna, sits_out=True),
        replace(jory, energy=Energy()),
        replace(keeper, dead=True, ruleset="iron-triangle"),
        starting(name="Idle", level=0),
    ]
    with pytest.raises(SetupError) as error:
        setup_of(
            faulty, {"players": ["Wenna", "Jory", "Nan"], "gm": ["toll keeper", "Wenna"], "x": []}
        )
    assert tuple(map(str, error.value.faults)) == (
        "characters: they belong to different rulesets",
        "sides.players: Wenna is placed more than once",
        "sides.players: Nan has no sheet",
        "sides.gm: Wenna is placed more than once",
        "sides.x: has no characters on it",
        "characters.Idle: is on neither side",
        "sides: there must be 2, not 3",
        "characters.Wenna: Wenna cannot take part in this conflict after drunken-monkey",
        "characters.Jory: Jory has no energy and cannot enter a conflict",
        "characters.toll keeper: toll keeper is dead",
        "characters.Idle: level is 0; unroll starts at 1",
    )
    with pytest.raises(SetupError, match="two of them have the same name"):
        setup_of([wenna, wenna], {"a": ["Wenna"], "b": ["Wenna"]})
