"""The state that a character brings into a conflict: used specials, and who plays it."""

from collections.abc import Mapping
from typing import Any

import pytest

from hub.games.game import GM, Choice, SetupError
from hub.games.registry import rulebooks
from hub.games.triangle.rules.characters.conflicts import after_conflict, setup_of
from hub.games.triangle.rules.characters.sheet import KnownSpecial
from hub.games.triangle.rules.conflict import Conflict
from hub.games.triangle.rules.edition import Energy
from hub.games.triangle.rules.views import CharacterView, TriangleView
from hub.games.triangle.rules.windows import may_use, why_not_window
from hub.kernel.faults import Faulty
from tests.rules.cast import npc, starting
from tests.rules.duel import play, setup
from tests.support.words import overruled

UNROLL = rulebooks().games["unroll"]
TIE = ({"ada": "stance none", "ninja": "stance none"},
       {"ada": "move attack-high", "ninja": "move attack-high"})  # fmt: skip
FACING = ({GM: "active ada"}, {"ada": "opponent ninja"})


def begun(**characters: dict[str, Any]) -> Conflict:
    state: Conflict = UNROLL.begin(setup(characters=characters))
    return state


def go(state: Conflict, *steps: Mapping[str, str]) -> Conflict:
    for step in steps:
        chosen = {actor: Choice.parse(text) for actor, text in step.items()}
        state = UNROLL.advance(state, chosen)
    pending = UNROLL.pending(state)
    if pending.step == "split":
        splits = {actor: UNROLL.offers(state, actor)[0].choice for actor in pending.must}
        state = UNROLL.advance(state, splits)
    return state


def say(state: Conflict, what: str) -> Conflict:
    after: Conflict = overruled(UNROLL, state, f"{what} because so")
    return after


def seen(state: Conflict, name: str) -> CharacterView:
    view = UNROLL.view(state)
    assert isinstance(view, TriangleView)
    return view.characters[name]


def laid(state: Conflict, name: str, special: str) -> str | None:
    assert state.turn
    window = UNROLL.pending(state).step
    why = why_not_window(state, state.turn, window, name, special)
    return str(why) if why else None


class TestUsedUp:
    @pytest.mark.book("specials.once")
    def test_a_used_special_is_known_but_not_available(self) -> None:
        state = begun(ada={"specials": ["scouter", "yojimbo"], "used": ["scouter"]})
        ada = seen(state, "ada")
        assert ada.specials == ("scouter", "yojimbo")
        assert (ada.specials_left, ada.used) == (("yojimbo",), ())
        problem = laid(go(state, FACING[0]), "ada", "scouter")
        assert problem == "ada has already used scouter (once until a full rest)"

    @pytest.mark.book("nothing.effect")
    def test_a_bluff_may_stand_for_a_used_special(self) -> None:
        known = {"specials": ["to-blave", "scouter"]}
        for sheet in (known, {**known, "used": ["scouter"]}):
            assert laid(go(begun(ada=sheet), *FACING), "ada", "to-blave") is None
        assert laid(go(begun(ada={"specials": ["to-blave"]}), *FACING), "ada", "to-blave")

    def test_scouting_shows_a_used_special(self) -> None:
        ninja = {"specials": ["to-blave", "yojimbo"], "used": ["yojimbo"]}
        state = begun(ada={"specials": ["scouter"]}, ninja=ninja)
        assert seen(state, "ninja").specials is None
        state = UNROLL.declare(go(state, *FACING), "ada", Choice("use"))
        state = go(state, {"ada": "special scouter", "ninja": "special none"})
        assert seen(state, "ninja").specials == ("to-blave", "yojimbo")
        assert seen(state, "ninja").specials_left == ("to-blave",)

    def test_earlier_use_has_no_effect_in_this_conflict(self) -> None:
        ninja = {"specials": ["scouter", "drunken-monkey"], "used": ["scouter", "drunken-monkey"]}
        state = begun(ada={"specials": ["liquid-metal"]}, ninja=ninja)
        state = go(state, *FACING, *TIE)
        state = go(state, {GM: "active ada"}, {"ada": "opponent ninja"})
        assert "finds nothing to copy" in str(laid(state, "ada", "liquid-metal"))
        assert UNROLL.pending(go(state, *TIE)).step == "next", "nobody may replace its move"

    def test_the_gm_makes_a_used_special_available_again(self) -> None:
        state = begun(ada={"specials": ["scouter"], "used": ["scouter"]})
        state = say(state, "ada specials ready scouter")
        assert seen(state, "ada").specials_left == ("scouter",)
        assert laid(go(state, FACING[0]), "ada", "scouter") is None

    @pytest.mark.book("specials.once")
    def test_the_sheet_lists_the_remaining_specials_afterwards(self) -> None:
        names = (
            "scouter", "to-blave", "wax-on-attack", "drunken-monkey", "yojimbo", "pressure-point",
        )  # fmt: skip
        used = {"scouter", "wax-on-attack", "drunken-monkey"}
        specials = tuple(KnownSpecial(name, used=name in used) for name in names)
        sheet = starting(level=16, max=Energy(7, 6, 6), name="ada", specials=specials)
        ninja = npc(name="ninja")
        state = UNROLL.begin(setup_of([sheet, ninja], {"p": ["ada"], "g": ["ninja"]}))
        for word in ("ready wax-on-attack", "used yojimbo", "used to-blave",
                     "used pressure-point", "ready pressure-point"):  # fmt: skip
            state = say(state, f"ada specials {word}")
        after = after_conflict(sheet, state)
        left = {each.id for each in after.specials if not each.used}
        assert left == {"to-blave", "wax-on-attack", "pressure-point"}
        assert not after.sits_out, "that was for a conflict before this one"

    def test_a_use_that_the_gm_takes_back_does_not_count(self) -> None:
        known = (KnownSpecial("drunken-monkey"),)
        sheet = starting(level=11, max=Energy(7, 6, 6), name="ada", specials=known)
        foe = npc(name="ninja", max=Energy(9, 9, 9), energy=Energy(9, 9, 9), moves=sheet.moves)
        state = UNROLL.begin(setup_of([sheet, foe], {"p": ["ada"], "g": ["ninja"]}))
        state = go(state, *FACING, TIE[0])
        moves = {actor: Choice.parse(text) for actor, text in TIE[1].items()}
        beside = {"ada": [Choice("special", "drunken-monkey")]}
        state = go(UNROLL.advance(state, moves, b"", beside), {"ada": "replace no"})
        assert after_conflict(sheet, state).sits_out
        taken_back = after_conflict(sheet, say(state, "ada specials ready drunken-monkey"))
        assert not taken_back.sits_out and not taken_back.specials[0].used


class TestWhoPlaysIt:
    @pytest.mark.book("reveal.abilities")
    def test_npcs_are_hidden_and_player_characters_public_on_any_side(self) -> None:
        state = begun(bo={"npc": True}, oni={"npc": False})
        assert seen(state, "bo").moves is None and seen(state, "bo").specials_left is None
        assert seen(state, "oni").moves and seen(state, "oni").specials == ()

    def test_by_default_the_second_side_is_the_gms(self) -> None:
        state = begun()
        public = [name for name in state.fighters if seen(state, name).moves]
        assert public == ["ada", "bo"]

    @pytest.mark.book("last.not-npcs")
    def test_the_way_of_the_samurai_is_for_player_characters_on_either_side(self) -> None:
        way = {"specials": ["way-of-the-samurai"]}
        state = begun(bo={**way, "npc": True}, oni={**way, "npc": False})
        ours = go(state, {GM: "active bo"}, {"bo": "opponent oni"})
        assert "bo is an NPC" in str(laid(ours, "bo", "way-of-the-samurai"))
        assert laid(ours, "oni", "way-of-the-samurai") is None

    @pytest.mark.parametrize("window", ["opponent", "stance", "move"])
    def test_nothing_public_depends_on_what_a_hidden_ally_knows(self, window: str) -> None:
        """The public view is the same for an NPC with many abilities, few or none."""
        sheets: list[dict[str, Any]] = [
            {"specials": ["scouter", "to-blave", "yojimbo"]},
            {"specials": ["scouter", "to-blave", "yojimbo"], "used": ["scouter", "yojimbo"]},
            {"specials": [], "moves": ["attack-high"], "combos": {"attack-high": ["attack-low"]}},
        ]
        steps = {"opponent": FACING[:1], "stance": FACING, "move": (*FACING, TIE[0])}[window]
        found = []
        for sheet in sheets:
            state = go(begun(bo={**sheet, "npc": True}), *steps)
            assert state.turn and UNROLL.pending(state).step == window
            may = [name for name in state.fighters if may_use(state, state.turn, window, name)]
            found.append((UNROLL.view(state), UNROLL.pending(state), may))
            assert "bo" in may
        assert all(each == found[0] for each in found)


def test_the_setup_is_checked_and_scripts_lack_these_keys() -> None:
    faulty = {"specials": ["scouter"], "used": ["yojimbo", "fly", "scouter", "scouter"], "npc": 1}
    with pytest.raises(SetupError) as error:
        begun(ada=faulty)
    assert [str(fault).split(" (")[0] for fault in error.value.faults] == [
        'characters.ada.used[1]: "fly" is not a special of unroll',
        "characters.ada.used[3]: scouter is listed twice",
        "characters.ada.used: yojimbo is not among the specials",
        "characters.ada.npc: must be true or false, not 1",
    ]
    for key, value in (("used", []), ("npc", True)):
        with pytest.raises(Faulty, match=f"characters.ada.{key}"):
            play({**setup(characters={"ada": {key: value}}), "turns": []})
