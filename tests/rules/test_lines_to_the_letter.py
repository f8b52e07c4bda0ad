"""Lines of the books, checked literally where a smaller test would accept a wrong number."""

from typing import Any

import pytest
from msgspec.structs import replace

from hub.games.game import GM, Choice, IllegalChoice
from hub.games.registry import game_of, story_of
from hub.games.story import parse_deed
from hub.games.triangle.rules.characters.conflicts import setup_of
from hub.games.triangle.rules.characters.level_up import Choices, level_up
from hub.games.triangle.rules.characters.replacement import replacement
from hub.games.triangle.rules.characters.sheet import KnownMove, SheetError
from hub.games.triangle.rules.edition import Action, Energy
from hub.table.state import SeatFault
from tests.rules.cast import known, starting
from tests.rules.duel import NINE, play, setup, turn
from tests.rules.walk import with_let_be
from tests.support.evening import Evening, sheets, written
from tests.support.specialtalk import answer_all, come_to, moves, shown, table, tap

RULESETS = ("unroll", "iron-triangle", "iron-triangle-1e")


@pytest.mark.book("countdowns.boxes")
@pytest.mark.parametrize("boxes", range(10))
def test_a_countdown_has_four_to_eight_boxes(boxes: int) -> None:
    """Countdowns."""
    evening = Evening()
    deed = f"countdown new {boxes} The tide"
    if not 4 <= boxes <= 8:
        assert "from 4 to 8" in evening.refused(deed)
        return
    evening.do(deed)
    for marked in range(boxes):
        (view,) = evening.story.countdowns
        assert (view.boxes, view.marked) == (boxes, marked)
        evening.do("countdown mark The tide")
    assert "is full" in evening.refused("countdown mark The tide")


def drawn(bar: str = "") -> set[str]:
    """Every move that Drunken Monkey draws for ada in her second turn, over many draws."""
    game: Any = game_of("unroll")
    energy = {"attack": 20, "defend": 20, "grapple": 20}
    mine = {"energy": energy, "moves": NINE, "specials": ["drunken-monkey"]}
    theirs = {"energy": energy, "moves": NINE, "specials": [bar] if bar else []}
    state = game.begin(
        {
            "ruleset": "unroll",
            "sides": {"us": ["ada"], "them": ["ninja"]},
            "characters": {"ada": mine, "ninja": theirs},
        }
    )

    def go(state: Any, **chosen: str) -> Any:
        return game.advance(state, {n: Choice.parse(text) for n, text in chosen.items()}, bytes(32))

    state = go(go(state, gm="active ada"), ada="opponent ninja")
    state = go(state, ada="stance none", ninja="stance none")
    laid = {"ada": [Choice("special", "drunken-monkey")]}
    moved = {"ada": Choice("move", "grapple-high"), "ninja": Choice("move", "attack-low")}
    state = go(game.advance(state, moved, b"", laid), ada="replace no")
    state = go(state, ada="split attack 3")
    state = go(go(state, ninja="active ninja"), ninja="opponent ada")
    if bar:
        state = game.declare(state, "ninja", Choice("use"))
        chosen = {n: Choice("special", bar if n == "ninja" else "none")
                  for n in game.pending(state).must}  # fmt: skip
        state = game.advance(state, chosen)
    state = go(state, ada="stance none", ninja="stance none")
    state = go(state, ada="move attack-high", ninja="move attack-high")
    assert game.pending(state).step == "replace"
    found = set()
    for number in range(300):
        after = game.advance(state, {"ada": Choice("replace", "yes")}, number.to_bytes(32, "big"))
        found.add(str(after.turn.moves["ada"]))
    return found


@pytest.mark.book("redraw.drawn", "redraw.effect")
def test_the_monkey_draws_exactly_the_remaining_moves() -> None:
    """Drunken Monkey: not the shown move, not surrender, none that is face up or barred."""
    left = {*NINE} - {"attack-high", "grapple-high"}
    assert drawn() == left
    assert drawn("predictabo-defend") == {m for m in left if not m.startswith("defend")}


@pytest.mark.book("passing.winner")
@pytest.mark.parametrize("winner", ["ada", "ninja"])
def test_only_the_winners_side_goes_on(winner: str) -> None:
    """Playing and passing turns."""
    mine, theirs = (
        ("attack-high", "grapple-low") if winner == "ada" else ("grapple-low", "attack-high")
    )
    found = play({**setup(), "turns": [turn("ada", "ninja", mine, theirs)]})[0]
    assert found["winner"] == winner
    assert found["may_act"] == (["bo"] if winner == "ada" else ["ninja", "oni"])


@pytest.mark.book("level-up.variant-exchanged")
def test_a_replaced_variant_is_gone() -> None:
    """Level Up."""
    varied = (KnownMove("attack-high", "A", "+1"), KnownMove("defend-mid", "B", "-1"))
    sheet = starting(level=8, moves=(*known(*NINE), *varied), zero=(Action.ATTACK,), veto=True)
    marked = {key: replace(getattr(sheet, key), marked=True) for key in ("belief", "flaw", "goal")}
    sheet = replace(sheet, **marked)
    new = Choices(variant=KnownMove("grapple-low", variant="-1"), replaces="attack-high +1")
    after = level_up(sheet, new)
    assert {str(each) for each in after.moves if each.variant} == {
        "defend-mid -1",
        "grapple-low -1",
    }
    assert after.knows("attack-high"), "the original stays"
    assert after.level == 9
    with pytest.raises(SheetError, match="at most 2"):
        level_up(sheet, Choices(variant=KnownMove("grapple-low", variant="-1")))


@pytest.mark.book("copy.order")
@pytest.mark.parametrize("special", ["drunken-monkey", "liquid-metal"])
def test_no_special_further_down_the_list_is_copied(special: str) -> None:
    """Liquid Metal. One further up the list can be copied, in the very next turn."""
    talk = table(ada=["liquid-metal"], ninja=["drunken-monkey"], bo=["drunken-monkey", "yojimbo"])
    come_to(talk, "move")
    tap(talk, "gm", "drunken-monkey")
    tap(talk, "bo", "yojimbo")
    moves(talk, "grapple-low", "attack-high")
    answer_all(talk)
    talk.decide(GM, "agreed bo")
    talk.decide("bo", "opponent crow")
    for step, mine, theirs in (("stance", "none", "none"), ("move", "attack-low", "attack-mid")):
        if step == "move":
            assert [c for c in talk.offers("ada") if "liquid" in c] == ["special liquid-metal"]
            tap(talk, "ada", f"liquid-metal as {special}")
            assert talk.view.beside == ()
            assert "is not above liquid-metal" in str(talk.tells[-2].why.unseal())
            tap(talk, "ada", "liquid-metal as yojimbo")
            assert talk.view.beside == ("ada",)
        talk.place("bo", f"{step} {mine}")
        talk.place("gm", f"{step} {theirs}")
        talk.reveal()
        talk.clear()
    assert ("ada", "liquid-metal") in shown(talk)


@pytest.mark.book("replacement.highest-level", "replacement.step-by-step")
@pytest.mark.parametrize("ruleset", RULESETS)
@pytest.mark.parametrize(("was", "most"), [(0, 0), (3, 3), (5, 5), (9, 5)])
def test_a_replacement_rises_level_by_level_to_five_or_the_deceaseds(
    ruleset: str, was: int, most: int
) -> None:
    """Replacement characters."""
    fresh = starting(ruleset, name="eva")
    deceased = replace(fresh, name="marit", level=max(was, fresh.level), dead=True)
    most = max(most, fresh.level)
    ups = [Choices(energy=Action.ATTACK)] * (most - fresh.level)
    for count in range(len(ups) + 1):
        grown = replacement(fresh, deceased, ups[:count])
        assert grown.level == fresh.level + count
        assert grown.max.total == fresh.max.total + count
    with pytest.raises(SheetError, match=f"at level {most} at most"):
        replacement(fresh, deceased, [*ups, Choices(energy=Action.ATTACK)])


@pytest.mark.book("style.no-effect")
def test_a_fighting_style_has_no_effect() -> None:
    """Choose a fighting style: two who differ in nothing else enter, fight and stay the same."""
    ends = []
    for style in ("", "Drunken boxing, nine attacks at once"):
        ada, _, ninja, _ = sheets()
        ada = replace(ada, style=style, energy=Energy(2, 1, 3))
        start = setup_of([ada, ninja], {"us": ["ada"], "them": ["ninja"]})
        state = game_of("unroll").begin(start)
        game: Any = game_of("unroll")
        for chosen in (
            {GM: "active ada"}, {"ada": "opponent ninja"},
            {"ada": "stance attack 2", "ninja": "stance none"},
            {"ada": "move attack-high", "ninja": "move grapple-high"},
        ):  # fmt: skip
            choices = {actor: Choice.parse(text) for actor, text in chosen.items()}
            state = game.advance(state, with_let_be(state, choices))
        ends.append((start, state.fighters, game.view(state)))
    assert ends[0] == ends[1]


@pytest.mark.book("rest.breather", "rest.once-each", "rest.after")
def test_a_breather_restores_exactly_one_point() -> None:
    """Resting."""
    story = story_of("unroll")
    tired = [replace(sheet, energy=Energy(1, 1, 1)) for sheet in sheets()]
    breather = parse_deed("rest breather attack ada; grapple bo")
    state = story.tell(story.begin(written(tired)), breather)
    assert state.sheets["ada"].energy == Energy(2, 1, 1)
    assert state.sheets["bo"].energy == Energy(1, 1, 2)
    with pytest.raises((SeatFault, IllegalChoice)):
        story.tell(state, breather)
