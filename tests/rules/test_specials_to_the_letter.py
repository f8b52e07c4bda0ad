"""Specials of both editions of Iron Triangle, by the books, in cases that tell rules apart."""

from typing import Any

import pytest
from msgspec.structs import replace

from hub.games.game import Choice, SetupError
from hub.games.registry import story_of
from hub.games.triangle.rules.characters.conflicts import after_conflict, setup_of
from hub.games.triangle.rules.characters.faults import faults_of
from hub.games.triangle.rules.characters.marks import rest
from hub.games.triangle.rules.characters.sheet import KnownSpecial, Rest, Sheet
from hub.games.triangle.rules.edition import Action, Edition, Energy
from hub.games.triangle.story.scenes import ConflictRequest
from tests.rules.bout import EACH, begun, fought, go, played, refusal
from tests.rules.cast import starting
from tests.rules.duel import energy, turn
from tests.support.editions import IRON_TRIANGLE, IRON_TRIANGLE_1E
from tests.support.evening import sheets, written

SECOND, FIRST = "iron-triangle", "iron-triangle-1e"
ACTIONS = ("attack", "defend", "grapple")
LEVELS = {
    SECOND: {
        "scouter": 0, "to-blave": 0, "there-can-be-only-one": 0, "pressure-point": 0,
        "wax-on-T": 0, "santa-carla-T": 5, "dig-two-graves-T": 5, "i-already-know-T": 10,
        "yojimbo": 5, "liquid-metal": 10, "drunken-monkey": 10, "way-of-the-samurai": 10,
    },
    FIRST: {
        "insight": 0, "showdown": 0, "precise": 0, "parry-T": 0, "vampire-T": 5,
        "dig-two-graves-T": 5, "premonition-T": 10, "bodyguard": 5, "mimic": 10,
        "drunken-monkey": 10, "last-stand": 10,
    },
}  # fmt: skip
"""Each line of the lists and its required level."""
LISTED = [
    (ruleset, line.removesuffix("T") + action, level)
    for ruleset, lines in LEVELS.items()
    for line, level in lines.items()
    for action in (ACTIONS if line.endswith("-T") else ("",))
]
NAMES = {
    SECOND: {"bind": "there-can-be-only-one", "scout": "scouter", "last": "way-of-the-samurai",
             "bar": "i-already-know", "copy": "liquid-metal", "calm": "wax-on",
             "bear": "yojimbo", "back": "santa-carla-attack"},
    FIRST: {"bind": "showdown", "scout": "insight", "last": "last-stand", "bar": "premonition",
            "copy": "mimic", "calm": "parry", "bear": "bodyguard", "back": "vampire-attack"},
}  # fmt: skip


def wrong(sheet: Sheet) -> list[str]:
    return [*map(str, faults_of(sheet))]


@pytest.mark.book("*.level", "specials.needs", of=["iron-triangle", "iron-triangle-1e"])
@pytest.mark.parametrize(("ruleset", "special", "level"), LISTED)
def test_each_special_requires_its_level(ruleset: str, special: str, level: int) -> None:
    for at in {max(0, level - 1), level, level + 1}:
        sheet = starting(ruleset, level=at, specials=(KnownSpecial(special),))
        required = [each for each in wrong(sheet) if "requires level" in each]
        assert bool(required) is (at < level)


@pytest.mark.book("return.level", "specials.needs", "specials.variations",
                  of=["iron-triangle", "iron-triangle-1e"])  # fmt: skip
@pytest.mark.parametrize(("ruleset", "before"), [(SECOND, "wax-on"), (FIRST, "parry")])
@pytest.mark.parametrize("action", ACTIONS)
def test_dig_two_graves_requires_the_special_of_its_own_type(
    ruleset: str, before: str, action: str
) -> None:
    for known in ACTIONS:
        both = (KnownSpecial(f"{before}-{known}"), KnownSpecial(f"dig-two-graves-{action}"))
        found = wrong(starting(ruleset, level=5, specials=both))
        needed = f"specials.dig-two-graves-{action}: requires {before}-{action}; learn that first"
        assert (needed in found) is (known != action)
    three = tuple(KnownSpecial(f"{before}-{each}") for each in ACTIONS)
    assert wrong(starting(ruleset, level=3, specials=three)) == []
    twice = starting(ruleset, level=2, specials=(three[0], three[0]))
    assert "is already known" in wrong(twice)[0]


@pytest.mark.book("specials.themes", of=["iron-triangle", "iron-triangle-1e"])
@pytest.mark.parametrize("ruleset", [SECOND, FIRST])
def test_a_special_may_have_a_name_of_its_own(ruleset: str) -> None:
    (special, *_) = LEVELS[ruleset]
    for name, sound in (("", True), ("A helpful spirit", True), ("a\nb", False)):
        sheet = starting(ruleset, level=1, specials=(KnownSpecial(special, name),))
        assert (wrong(sheet) == []) is sound


@pytest.mark.book("specials.once", of=["iron-triangle", "iron-triangle-1e"])
@pytest.mark.parametrize("ruleset", [SECOND, FIRST])
def test_a_used_special_stays_used_after_another_conflict(ruleset: str) -> None:
    one, other = ("scouter", "pressure-point") if ruleset == SECOND else ("insight", "precise")
    known = (KnownSpecial(one, used=True), KnownSpecial(other))
    ada = starting(ruleset, name="ada", level=2, specials=known)
    cast = [ada, replace(ada, name="bo"), *sheets(ruleset)[2:]]
    described = setup_of(cast, {"players": ["ada", "bo"], "gm": ["ninja", "crow"]})
    game, state = begun_from(ruleset, described)
    view = game.view(state).characters["ada"]
    assert (view.specials_left, view.used) == ((other,), ())
    state = go(game, go(game, state, gm="active ada"), ada="opponent ninja")
    assert "used" in str(game.why_not(state, "ada", Choice("special", one)))
    after = after_conflict(ada, state)
    assert [each.used for each in after.specials] == [True, False]


def begun_from(ruleset: str, described: dict[str, Any]) -> tuple[Any, Any]:
    edition = IRON_TRIANGLE if ruleset == SECOND else IRON_TRIANGLE_1E
    game, _ = begun(edition)
    return game, game.begin(described)


@pytest.mark.book("nothing.twice", of=["iron-triangle"])
def test_to_blave_is_available_again_in_the_next_conflict() -> None:
    """To Blave: 'twice per conflict instead of once per full rest'."""
    known = (KnownSpecial("to-blave"), KnownSpecial("pressure-point"))
    ada = starting(SECOND, name="ada", level=2, specials=known)
    state: Any = None
    for _ in range(2):
        cast = [ada, *sheets(SECOND)[2:]]
        described = setup_of(cast, {"players": ["ada"], "gm": ["ninja", "crow"]})
        game, state = begun_from(SECOND, described)
        used = (game.edition.specials["to-blave"],) * 2
        ada_now = replace(state.fighters["ada"], used=used)
        state = replace(state, fighters={**state.fighters, "ada": ada_now})
        assert game.view(state).characters["ada"].specials_left == ("pressure-point",)
        ada = after_conflict(ada, state)
        assert not any(each.used for each in ada.specials)


@pytest.mark.book("bind.effect", "bind.others", of=["iron-triangle", "iron-triangle-1e"])
@EACH
@pytest.mark.parametrize("bound", ["ada", "ninja"])
def test_neither_bound_character_can_choose_another_opponent(edition: Edition, bound: str) -> None:
    """Binding goes both ways, and only between the sides."""
    bind = NAMES[edition.id]["bind"]
    knows = {"ada": {"specials": [bind]}}
    first = turn("ada", "oni", "attack-low", "attack-low", next=bound,
                 special={"ada": [{"name": bind, "target": "ninja"}]})  # fmt: skip
    other = {"ada": "oni", "ninja": "bo"}[bound]
    partner = {"ada": "ninja", "ninja": "ada"}[bound]
    late = turn(bound, other, "attack-mid", "attack-mid")
    assert f"bound to {partner}" in refusal(edition, first, late, characters=knows)
    fits = turn(bound, partner, "attack-mid", "attack-mid")
    assert played(edition, first, fits, characters=knows)
    own = {**first, "special": {"ada": [{"name": bind, "target": "bo"}]}}
    assert "own side" in refusal(edition, own, characters=knows)


@pytest.mark.book("scout.effect", of=["iron-triangle", "iron-triangle-1e"])
@EACH
def test_before_a_stance_the_opponent_is_scouted(edition: Edition) -> None:
    """No target is asked for: 'your opponent'."""
    scout = NAMES[edition.id]["scout"]
    game, state = begun(edition, characters={"ada": {"specials": [scout]}})
    state = go(game, go(game, state, gm="active ada"), ada="opponent oni")
    state = game.declare(state, "ada", Choice("use"))
    laid = {n: f"special {scout if n == 'ada' else 'none'}" for n in game.pending(state).must}
    state = go(game, state, **laid)
    assert game.pending(state).step == "stance"
    assert [n for n, f in state.fighters.items() if f.scouted] == ["oni"]
    oni = game.view(state).characters["oni"]
    assert (oni.specials, len(oni.moves), oni.combos) == ((), 13, {})


@pytest.mark.book("example-clash.none", "scout.effect", "last.effect",
                  of=["iron-triangle", "iron-triangle-1e"])  # fmt: skip
@EACH
def test_specials_that_do_not_clash_are_independent(edition: Edition) -> None:
    """Example clash: a scouted character stays scouted, in either order of the reveal."""
    names = NAMES[edition.id]
    tired = {"energy": energy(1, 2, 3), "max": energy(4, 4, 4), "specials": [names["last"]]}
    cast = {"ada": tired, "ninja": {"specials": [names["scout"]]}}
    for active, other in (("ada", "ninja"), ("ninja", "ada")):
        game, state = begun(edition, characters=cast)
        state = go(game, go(game, state, gm=f"active {active}"), **{active: f"opponent {other}"})
        state = game.declare(state, "ada", Choice("use"))
        state = go(game, state, ada=f"special {names['last']}", ninja=f"special {names['scout']}")
        ada = state.fighters["ada"]
        assert (ada.scouted, ada.last_stand, ada.energy) == (True, True, Energy(4, 4, 4))


@pytest.mark.book("bar.effect", of=["iron-triangle", "iron-triangle-1e"])
@EACH
def test_a_barred_move_is_free_after_the_turn(edition: Edition) -> None:
    bar = f"{NAMES[edition.id]['bar']}-attack"
    game, state = begun(edition, characters={"ninja": {"specials": [bar]}})
    state = go(game, go(game, state, gm="active ada"), ada="opponent ninja")
    state = game.declare(state, "ninja", Choice("use"))
    laid = {n: f"special {bar if n == 'ninja' else 'none'}" for n in game.pending(state).must}
    state = go(game, go(game, state, **laid), ada="stance none", ninja="stance none")
    seen = game.view(state).characters["ada"].available
    assert [move for move in seen if move.startswith("attack")] == []
    state = go(game, state, ada="move defend-low", ninja="move attack-low")
    state = go(game, state, ninja="split attack 2")
    assert "attack-low" in game.view(state).characters["ada"].available


@pytest.mark.book("recover.spread", "drain.spread", "recover.effect", "drain.effect",
                  of=["iron-triangle", "iron-triangle-1e"])  # fmt: skip
@EACH
@pytest.mark.parametrize(
    ("gain", "why"),
    [
        ({"attack": 1, "defend": 2}, ""),
        ({"attack": 0, "defend": 3}, ""),
        ({"attack": 2, "defend": 1}, "has room for 1"),
        ({"attack": 1, "defend": 1}, "exactly 3"),
        ({"attack": 1, "defend": 3}, "exactly 3"),
        (None, ""),
    ],
)
def test_a_gain_does_not_exceed_the_maximum(
    edition: Edition, gain: dict[str, int] | None, why: str
) -> None:
    """Three points would return; the types have room for one, five and none."""
    back = NAMES[edition.id]["back"]
    points = 3 if edition is IRON_TRIANGLE else 0
    cast = {"ada": {"energy": energy(8, 3, 5), "max": energy(9, 8, 5), "specials": [back]}}
    special = {"name": back} if gain is None else {"name": back, "gain": gain}
    hit = turn("ada", "ninja", "attack-high", "grapple-low", special={"ada": [special]},
               stance={"ada": f"attack {points}" if points else "none"})  # fmt: skip
    if why:
        assert why in refusal(edition, hit, characters=cast)
        return
    (found,) = played(edition, hit, characters=cast)
    assert found["gain"]["ada"] == {**energy(0, 3, 0), **(gain or {})}


@pytest.mark.book("recover.spread", "drain.spread", of=["iron-triangle", "iron-triangle-1e"])
@EACH
def test_a_gain_is_limited_by_the_room_left(edition: Edition) -> None:
    """Three points would return, and there is room for two."""
    back = NAMES[edition.id]["back"]
    stance = "attack 3" if edition is IRON_TRIANGLE else "none"
    cast = {"ada": {"energy": energy(5, 6, 5), "max": energy(5, 8, 5), "specials": [back]}}
    for special in (back, {"name": back, "gain": {"defend": 2}}):
        hit = turn("ada", "ninja", "attack-high", "grapple-low", stance={"ada": stance},
                   special={"ada": [special]})  # fmt: skip
        (found,) = played(edition, hit, characters=cast)
        assert found["gain"]["ada"] == energy(0, 2, 0)


@pytest.mark.book("drain.effect", "return.effect", of=["iron-triangle", "iron-triangle-1e"])
@EACH
def test_only_the_actual_loss_counts(edition: Edition) -> None:
    """Two points are left of the three that the move would cost."""
    frail = {"energy": energy(1, 1, 0)}
    if edition is IRON_TRIANGLE_1E:
        drains = {"energy": energy(1, 1, 1), "max": energy(9, 9, 9), "specials": ["vampire-attack"]}
        hit = turn("ada", "ninja", "attack-high", "grapple-low",
                   special={"ada": ["vampire-attack"]})  # fmt: skip
        (found,) = played(edition, hit, characters={"ada": drains, "ninja": frail})
        assert sum(found["gain"]["ada"].values()) == 2
    returns = {**frail, "specials": ["dig-two-graves-attack"]}
    hit = turn("ninja", "ada", "attack-high", "grapple-low",
               special={"ada": ["dig-two-graves-attack"]})  # fmt: skip
    (found,) = played(edition, hit, characters={"ada": returns})
    assert {name: loss["total"] for name, loss in found["loss"].items()} == {"ada": 2, "ninja": 2}


@pytest.mark.book("copy.moment", "copy.order", "copy.effect",
                  of=["iron-triangle", "iron-triangle-1e"])  # fmt: skip
@EACH
def test_a_copy_takes_the_special_that_fits_the_moment(edition: Edition) -> None:
    """Among specials used by others: one for this moment, none further down the list."""
    names, specials = NAMES[edition.id], edition.specials
    copy, calm = names["copy"], f"{names['calm']}-attack"
    game, state = begun(edition, characters={"ada": {"specials": [copy]}})
    used = (specials[names["scout"]], specials[calm], specials["drunken-monkey"])
    ninja = replace(state.fighters["ninja"], used=used)
    state = replace(state, fighters={**state.fighters, "ninja": ninja})
    state = go(game, go(game, state, gm="active ada"), ada="opponent ninja")
    early = game.declare(state, "ada", Choice("use"))
    laid = {n: f"special {copy if n == 'ada' else 'none'}" for n in game.pending(early).must}
    (use,) = go(game, early, **laid).turn.uses
    assert (str(use.copied), use.person) == (names["scout"], "ninja")
    for what in (calm, "drunken-monkey", f"{names['calm']}-defend"):
        assert game.why_not(early, "ada", Choice("special", f"{copy} as {what}"))
    state = go(game, state, ada="stance none", ninja="stance none")
    moves = {"ada": Choice("move", "grapple-low"), "ninja": Choice("move", "attack-low")}
    laid_now = {"ada": [Choice("special", copy)]}
    (use,) = game.advance(state, moves, b"", laid_now).turn.uses
    assert str(use.copied) == calm
    for what in (names["scout"], "drunken-monkey", f"{names['calm']}-defend"):
        assert game.why_not(state, "ada", Choice("special", f"{copy} as {what}"))


@pytest.mark.book("redraw.tiring", of=["iron-triangle", "iron-triangle-1e"])
@pytest.mark.parametrize("ruleset", [SECOND, FIRST])
@pytest.mark.parametrize("kind", [None, *Rest])
def test_drunken_monkey_is_sat_out_even_after_a_rest(ruleset: str, kind: Rest | None) -> None:
    """Drunken Monkey: 'you cannot participate in the next conflict, even if you rest first'."""
    cast = sheets(ruleset)
    tired = replace(cast[0], sits_out=True, max=Energy(5, 2, 3), energy=Energy(4, 2, 3))
    if kind:
        chosen = {"ada": Action.DEFEND} if kind is Rest.SHORT else {}
        (tired,) = rest([tired], kind, chosen)
    story = story_of(ruleset)
    state = story.begin(written([tired, *cast[1:]]))
    with pytest.raises(SetupError, match="ada cannot take part in this conflict"):
        story.stage(state, ConflictRequest(sides={"players": ("ada", "bo"), "gm": ("ninja",)}))
    staged = story.stage(state, ConflictRequest())
    assert staged.setup["sides"]["players"] == ["bo"]


@pytest.mark.book("redraw.tiring", "redraw.effect", of=["iron-triangle", "iron-triangle-1e"])
@EACH
def test_the_monkey_tires_for_one_conflict_and_by_its_own_use(edition: Edition) -> None:
    game, state = begun(edition)
    state = fought(game, state, "bo", "ninja", "attack-low", "surrender")
    ada = starting(edition.id, name="ada", sits_out=True)
    away = {name: each for name, each in state.fighters.items() if name != "ada"}
    assert not after_conflict(ada, replace(state, fighters=away)).sits_out, "it was sat out"
    monkey = edition.specials["drunken-monkey"]
    knows = (KnownSpecial("drunken-monkey", used=True),)
    ada = starting(edition.id, name="ada", level=10, specials=knows)
    for how, sits_out in (("spent", False), ("used", True)):
        one = replace(state.fighters["ada"], **{how: (monkey,)})
        after = after_conflict(ada, replace(state, fighters={**state.fighters, "ada": one}))
        assert after.sits_out is sits_out
