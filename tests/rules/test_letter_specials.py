"""Unroll's lines about specials, checked literally."""

from collections.abc import Sequence
from typing import Any

import pytest
from msgspec.structs import replace

from hub.games.game import GM, Choice, IllegalChoice
from hub.games.triangle.rules.characters.conflicts import after_conflict, setup_of
from hub.games.triangle.rules.characters.faults import faults_of
from hub.games.triangle.rules.characters.marks import rest
from hub.games.triangle.rules.characters.sheet import KnownSpecial, Rest, Sheet
from hub.games.triangle.rules.edition import Action, Energy
from hub.games.triangle.rules.step import turn_of
from hub.games.triangle.rules.windows import read_use
from tests.rules.cast import starting
from tests.rules.duel import energy, play_until_fault, setup, turn
from tests.rules.test_letter_combos import settled
from tests.rules.test_letter_turns import GAME, conflict, go
from tests.support.editions import UNROLL
from tests.support.evening import sheets

WINDOWS = {
    "scouter": "opponent stance",
    "there-can-be-only-one": "opponent stance",
    "predictabo-attack": "stance",
    "way-of-the-samurai": "stance",
    "pressure-point": "move",
    "wax-on-attack": "move",
    "santa-carla-attack": "move",
    "dig-two-graves-attack": "move",
    "drunken-monkey": "move",
    "yojimbo": "stance move split",
}


def begun(**specials: Sequence[str]) -> Any:
    """ada's turn, before she chooses an opponent."""
    known = {name: {"specials": [*some]} for name, some in specials.items()}
    return go(GAME.begin(setup(characters=known)), gm="active ada")


def at(state: Any, window: str) -> Any:
    if window == "opponent":
        return state
    state = go(state, ada="opponent ninja")
    if window == "stance":
        return state
    state = go(state, ada="stance none", ninja="stance none")
    return state if window == "move" else go(state, ada="move grapple-low", ninja="move attack-mid")


@pytest.mark.book("*.when", "bear.bystander", "specials.moment", of=["unroll"])
@pytest.mark.parametrize("window", ["opponent", "stance", "move", "split"])
@pytest.mark.parametrize("special", WINDOWS)
def test_each_special_only_at_its_moment(special: str, window: str) -> None:
    """Yojimbo: by a bystander, from the choice of opponent until after the reveal (R17)."""
    player = "bo" if special == "yojimbo" else "ada"
    state = at(begun(**{player: [special]}), window)
    fits = window in WINDOWS[special].split()
    try:
        use = read_use(state, turn_of(state), window, player, special)
    except IllegalChoice:
        assert not fits
        return
    assert fits
    assert use.special.id == special


@pytest.mark.book("nothing.effect", "*.when", of=["unroll"])
@pytest.mark.parametrize("window", ["opponent", "stance", "move", "split"])
@pytest.mark.parametrize("other", ["", *WINDOWS])
@pytest.mark.parametrize("player", ["ada", "bo"])
def test_a_bluff_only_at_the_moment_of_another_known_special(
    other: str, window: str, player: str
) -> None:
    """To Blave: also by a bystander; after the reveal of moves by a bystander alone."""
    state = at(begun(**{player: ["to-blave", *([other] if other else [])]}), window)
    fits = bool(other) and window in WINDOWS[other].split()
    if window == "split":
        fits = fits and player == "bo"
    try:
        read_use(state, turn_of(state), window, player, "to-blave")
    except IllegalChoice:
        assert not fits
        return
    assert fits


@pytest.mark.book("copy.moment", "copy.order", "copy.effect", of=["unroll"])
@pytest.mark.parametrize("window", ["opponent", "stance", "move", "split"])
@pytest.mark.parametrize("special", WINDOWS)
def test_a_copy_only_at_the_moment_of_its_original(special: str, window: str) -> None:
    """Liquid Metal: only of a special that another has used, and none further down the list."""
    player = "bo" if special == "yojimbo" else "ada"
    state = at(begun(**{player: ["liquid-metal", special]}), window)
    above = special not in ("drunken-monkey", "way-of-the-samurai")
    for user in ("oni", player):
        used = replace(state.fighters[user], used=(UNROLL.specials[special],))
        after = replace(state, fighters={**state.fighters, user: used})
        fits = above and user == "oni" and window in WINDOWS[special].split()
        try:
            text = f"liquid-metal as {special}"
            use = read_use(after, turn_of(after), window, player, text)
        except IllegalChoice:
            assert not fits
            continue
        assert fits
        assert (use.special.id, use.does.id) == ("liquid-metal", special)


@pytest.mark.book("specials.shown-later", "specials.answered", of=["unroll"])
def test_all_may_lay_beside_the_moves_and_bystanders_after_them() -> None:
    state = at(begun(ada=["wax-on-attack"], ninja=["scouter"], bo=["yojimbo"]), "move")
    assert GAME.pending(state).may == ("ada", "bo", "ninja", "oni")  # NPCs' specials are hidden
    shown = go(state, ada="move grapple-low", ninja="move attack-mid")
    assert GAME.pending(shown).may == ("bo",)
    laid = {"ada": [Choice("special", "wax-on-attack")]}
    moves = {"ada": Choice("move", "grapple-low"), "ninja": Choice("move", "attack-mid")}
    after = GAME.advance(state, moves, b"", laid)
    assert [use.player for use in after.turn.uses] == ["ada"]


LEVELS = {
    **dict.fromkeys(("scouter", "to-blave", "there-can-be-only-one", "pressure-point"), 0),
    **{f"wax-on-{action}": 0 for action in Action},
    **{f"santa-carla-{action}": 5 for action in Action},
    **{f"dig-two-graves-{action}": 5 for action in Action},
    **{f"predictabo-{action}": 10 for action in Action},
    "yojimbo": 5,
    "liquid-metal": 10,
    "drunken-monkey": 10,
    "way-of-the-samurai": 10,
}


def requires(level: int, *specials: str) -> list[str]:
    sheet = starting(level=level, specials=tuple(map(KnownSpecial, specials)))
    return [why for fault in faults_of(sheet) if "requires" in (why := str(fault.reason))]


@pytest.mark.book("*.level", "specials.needs", "specials.variations", of=["unroll"])
@pytest.mark.parametrize(("special", "level"), LEVELS.items())
def test_the_level_that_each_special_requires(special: str, level: int) -> None:
    """Also the order: Dig Two Graves needs the Wax On of its own type."""
    first, _, action = special.partition("dig-two-graves-")
    before = (f"wax-on-{action}",) if action and not first else ()
    assert requires(max(level, 2), *before, special) == []
    if level:
        found = requires(level - 1, *before, special)
        assert found == [f"requires level {level}; Wenna has {level - 1}"]
    if before:
        others = [f"wax-on-{each}" for each in Action if each != action]
        wanted = f"requires wax-on-{action}; learn that first"
        assert requires(5, *others, f"santa-carla-{action}", special) == [wanted]


def test_the_list_of_specials_is_complete() -> None:
    assert [*LEVELS] == [*sorted(UNROLL.specials, key=[*LEVELS].index)]


@pytest.mark.book("specials.one-a-turn", "specials.once", of=["unroll"])
def test_one_special_a_turn_each_and_each_once() -> None:
    """Specials: one used up before the conflict cannot be used in it."""
    knows = {
        "ada": {"specials": ["wax-on-attack", "pressure-point"]},
        "ninja": {"specials": ["wax-on-attack"]},
    }
    once = turn("ada", "ninja", "attack-high", "grapple-low", next={"agreed": "ada"},
                special={"ada": ["wax-on-attack"], "ninja": ["wax-on-attack"]})  # fmt: skip
    _, fault = play_until_fault({**setup(characters=knows), "turns": [once]})
    assert fault is None
    for laid in (["wax-on-attack", "pressure-point"], ["pressure-point", "pressure-point"]):
        twice = {**once, "special": {"ada": laid}}
        assert play_until_fault({**setup(characters=knows), "turns": [twice]})[1] is not None
    again = turn("ada", "oni", "attack-high", "grapple-low", special={"ada": ["wax-on-attack"]})
    assert play_until_fault({**setup(characters=knows), "turns": [once, again]})[1] is not None
    spent = {"ada": {"specials": ["pressure-point"], "used": ["pressure-point"]}}
    state = at(go(GAME.begin(setup(characters=spent)), gm="active ada"), "move")
    assert GAME.why_not(state, "ada", Choice("special", "pressure-point"))


def back(sheet: Sheet, *used: str, **changes: Any) -> Sheet:
    """The sheet after a conflict in which it has used these."""
    foe = sheets()[2]
    state = GAME.begin(setup_of([sheet, foe], {"us": [sheet.name], "them": [foe.name]}))
    fighter = replace(
        state.fighters[sheet.name], used=tuple(UNROLL.specials[each] for each in used), **changes
    )
    return after_conflict(sheet, replace(state, fighters={**state.fighters, sheet.name: fighter}))


@pytest.mark.book(
    "specials.once", "nothing.twice", "redraw.tiring", "left.sheet", "left.zero-of-one",
    of=["unroll"],
)  # fmt: skip
def test_the_sheet_after_a_conflict() -> None:
    """Specials stay used; To Blave does not; the monkey tires even after a rest; no mark for a type
    at zero on entry (R20).
    """
    names = ("scouter", "to-blave", "wax-on-attack", "drunken-monkey")
    known = tuple(KnownSpecial(name, used=name == "wax-on-attack") for name in names)
    sheet = starting(level=14, specials=known, energy=Energy(2, 0, 3), combos={
        "attack-high": ("attack-mid", "defend-mid"), "defend-mid": ("attack-mid",),
    })  # fmt: skip
    sheet = replace(sheet, max=Energy(10, 4, 3))
    now = Energy(0, 0, 1)
    reached = {"energy": now, "zero": (Action.ATTACK, Action.DEFEND), "reached": (Action.ATTACK,)}
    after = back(sheet, "scouter", "to-blave", "to-blave", **reached)
    assert {each.id: each.used for each in after.specials} == {
        "scouter": True, "to-blave": False, "wax-on-attack": True, "drunken-monkey": False,
    }  # fmt: skip
    assert (after.energy, after.zero, after.sits_out) == (now, (Action.ATTACK,), False)
    tired = back(sheet, "drunken-monkey")
    assert tired.sits_out
    (rested,) = rest([tired], Rest.FULL)
    assert (rested.sits_out, rested.specials[3].used) == (True, False)


@pytest.mark.book("left.zero-of-all", "left.zero-of-one", of=["unroll"])
def test_a_character_with_one_point_left_is_in() -> None:
    weak = {"ninja": {"energy": energy(4, 0, 0)}}
    found = conflict(turn("ada", "ninja", "attack-high", "grapple-low"), characters=weak)[0]
    assert (found["out"], found["energy"]["ninja"]) == ([], energy(1, 0, 0))
    assert found["zero"]["ninja"] == ["defend", "grapple"]


@pytest.mark.book("left.zero-of-one", of=["unroll"])
def test_a_type_at_zero_on_entry_has_not_reached_zero() -> None:
    """R20: both types are at zero and shown so; only one of them is a mark for a level-up."""
    some = {"ada": {"energy": energy(3, 0, 5), "max": energy(4, 4, 5)}}
    state = at(go(GAME.begin(setup(characters=some)), gm="active ada"), "move")
    state = go(state, ada="move grapple-low", ninja="move attack-mid")
    must = GAME.pending(state).must
    state = settled(go(state, **{n: "split attack 3" if n == "ada" else "let-be" for n in must}))
    ada = state.fighters["ada"]
    assert (ada.energy, ada.zero) == (Energy(0, 0, 5), (Action.ATTACK, Action.DEFEND))
    assert ada.reached == (Action.ATTACK,)


@pytest.mark.book("specials.clash", "example-clash.bearer", "aim.effect", of=["unroll"])
@pytest.mark.parametrize("bears", [True, False])
def test_the_aim_takes_effect_on_the_original_and_not_on_the_bearer(bears: bool) -> None:
    state = at(begun(ninja=["pressure-point"], bo=["yojimbo"]), "move")
    laid = {"ninja": [Choice("special", "pressure-point")]}
    if bears:
        laid["bo"] = [Choice("special", "yojimbo")]
    moves = {"ada": Choice("move", "grapple-low"), "ninja": Choice("move", "attack-mid")}
    state = GAME.advance(state, moves, b"", laid)
    if not bears:
        state = go(state, bo="let-be")
    pending = GAME.pending(state)
    expected = ("split", ("bo",)) if bears else ("aim", ("ninja",))
    assert (pending.step, pending.must) == expected


@pytest.mark.book("example-clash.none", "scout.effect", of=["unroll"])
def test_scouter_and_the_samurai_do_not_conflict() -> None:
    state = at(begun(ada=["way-of-the-samurai"], ninja=["scouter"]), "stance")
    state = GAME.declare(state, "ada", Choice("use"))
    state = go(state, ada="special way-of-the-samurai", ninja="special scouter")
    ada = state.fighters["ada"]
    assert (ada.scouted, ada.last_stand) == (True, True)
    assert GAME.view(state).characters["ada"].combos is not None
    assert GAME.view(state).characters["bo"].combos is None


@pytest.mark.book("bind.effect", "bind.until", "bind.others", of=["unroll"])
def test_a_bond_lasts_turn_after_turn() -> None:
    knows = {"ada": {"specials": ["there-can-be-only-one"]}}
    bind = {"ada": [{"name": "there-can-be-only-one", "target": "oni"}]}
    again = {"next": {"agreed": "ada"}}
    turns = [turn("ada", "ninja", "attack-high", "attack-high", special=bind, **again)]
    turns += [turn("ada", "oni", "attack-high", "attack-high", **again) for _ in range(4)]
    for active, foe, fits in (
        ("ada", "oni", True), ("ada", "ninja", False), ("oni", "bo", False), ("oni", "ada", True),
        ("bo", "oni", True), ("ninja", "ada", True),
    ):  # fmt: skip
        turns[-1]["next"] = {"agreed": active}
        last = turn(active, foe, "attack-high", "attack-high")
        _, fault = play_until_fault({**setup(characters=knows), "turns": [*turns, last]})
        assert (fault is None) is fits, (active, foe, fault)


@pytest.mark.book("recover.effect", "recover.once", "recover.spread", of=["unroll"])
def test_santa_carla_restores_no_more_than_the_maximum() -> None:
    some = {
        "ada": {
            "energy": energy(5, 2, 3),
            "max": energy(5, 3, 3),
            "specials": ["santa-carla-attack"],
        }
    }
    won = turn("ada", "ninja", "attack-high", "grapple-low", stance={"ada": "attack 3"})
    for gain, fits in ((None, True), ({"defend": 1}, True), ({"defend": 2}, False),
                       ({"attack": 1}, False), ({}, False)):  # fmt: skip
        special = {"name": "santa-carla-attack", **({} if gain is None else {"gain": gain})}
        laid = {**won, "special": {"ada": [special]}}
        found, fault = play_until_fault({**setup(characters=some), "turns": [laid]})
        assert (fault is None) is fits, (gain, fault)
        if fits:
            assert found[0]["energy"]["ada"] == energy(5, 3, 3)


@pytest.mark.book("return.effect", "bear.effect", of=["unroll"])
def test_only_the_actual_loss_counts() -> None:
    """Dig Two Graves returns and Yojimbo bears the possible loss: two points, not three."""
    some = {
        "ada": {"energy": energy(2, 0, 0), "specials": ["dig-two-graves-attack"]},
        "bo": {"specials": ["yojimbo"]},
    }
    hit = turn("ninja", "ada", "attack-high", "grapple-low")
    graves = {**hit, "special": {"ada": ["dig-two-graves-attack"]}}
    found = conflict(graves, characters=some)[0]
    assert {name: loss["total"] for name, loss in found["loss"].items()} == {"ada": 2, "ninja": 2}
    borne = {**hit, "special": {"bo": [{"name": "yojimbo", "for": "ada"}]}}
    found = conflict(borne, characters=some)[0]
    assert {name: loss["total"] for name, loss in found["loss"].items()} == {"bo": 2}
    assert (found["winner"], found["loser"]) == ("ninja", "ada")


@pytest.mark.book("bar.effect", of=["unroll"])
def test_barred_moves_are_free_after_the_turn() -> None:
    state = at(begun(ninja=["predictabo-attack"]), "stance")
    state = GAME.declare(state, "ninja", Choice("use"))
    must = GAME.pending(state).must
    state = go(state, **{n: f"special {'predictabo-attack' if n == 'ninja' else 'none'}"
                         for n in must})  # fmt: skip
    state = go(state, ada="stance none", ninja="stance none")
    for actor, barred in (("ada", True), ("ninja", False)):
        assert (GAME.why_not(state, actor, Choice("move", "attack-high")) is not None) is barred
        assert GAME.why_not(state, actor, Choice("move", "defend-high")) is None
    open_now = GAME.view(state).characters["ada"].available
    assert open_now == tuple(move for move in UNROLL.moves if not move.startswith("attack"))
    state = settled(go(state, ada="move grapple-low", ninja="move attack-mid"))
    assert "attack-high" in GAME.view(state).characters["ada"].available


@pytest.mark.book("last.never-out", "last.to-the-end", of=["unroll"])
def test_a_last_stand_lets_the_allies_play_on() -> None:
    """The Way of the Samurai: alone and at zero, the side is still in."""
    some = {
        "ada": {"energy": energy(1, 1, 0), "specials": ["way-of-the-samurai"]},
        "bo": {"energy": energy(1, 0, 0)},
    }
    last = {"special": {"ada": ["way-of-the-samurai"]}}
    hit = turn("ninja", "ada", "attack-high", "grapple-low", next={"agreed": "oni"}, **last)
    falls = turn("oni", "bo", "attack-high", "grapple-low", next={"agreed": "ada"})
    goes_on = turn("ada", "ninja", "attack-low", "surrender")
    first, second, third, closing = conflict(hit, falls, goes_on, characters=some)
    assert (first["energy"]["ada"], first["out"]) == (energy(0, 0, 0), [])
    assert (second["out"], third["winner"]) == (["bo"], "ada")
    assert not closing["over"]


def test_the_gm_cannot_use_specials() -> None:
    state = at(begun(ada=["wax-on-attack"]), "move")
    assert GAME.why_not(state, GM, Choice("special", "wax-on-attack"))
