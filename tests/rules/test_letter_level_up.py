"""Unroll's lines about level-ups and replacements, checked literally."""

from typing import Any

import pytest
from msgspec.structs import replace

from hub.games.triangle.rules.characters.level_up import Choices, FollowUp, Regain, level_up
from hub.games.triangle.rules.characters.marks import (
    rename_background,
    rename_move,
    spend_background,
)
from hub.games.triangle.rules.characters.replacement import not_handed_on, replacement
from hub.games.triangle.rules.characters.sheet import (
    Background,
    KnownMove,
    KnownSpecial,
    SheetError,
)
from hub.games.triangle.rules.edition import Action
from tests.rules.cast import starting, with_marks
from tests.rules.duel import turn
from tests.rules.test_letter_turns import conflict
from tests.support.evening import Evening, sheets

READY = with_marks(starting())


def up(**choices: Any) -> Any:
    return level_up(READY, Choices(**choices))


@pytest.mark.book(
    "level-up.follow-ups", "level-up.two-of-one", "combo.two-follow-ups", of=["unroll"]
)
@pytest.mark.parametrize(
    ("learned", "fits"),
    [
        (("attack-high attack-mid",), True),
        (("attack-high attack-mid", "attack-high defend-mid"), True),
        (("attack-high attack-mid", "defend-mid attack-mid"), True),
        (("attack-high attack-mid", "defend-mid attack-mid", "attack-mid grapple-low"), False),
        (("attack-high attack-mid", "attack-high attack-mid"), False),
    ],
)
def test_a_level_teaches_at_most_two_follow_ups(learned: tuple[str, ...], fits: bool) -> None:
    combos = tuple(FollowUp(*each.split()) for each in learned)
    if not fits:
        with pytest.raises(SheetError):
            up(combos=combos)
        return
    after = up(combos=combos)
    found = [f"{start} {move}" for start, moves in after.combos.items() for move in moves]
    assert found == [*learned]
    assert (after.level, after.moves) == (2, READY.moves)


@pytest.mark.book("level-up.follow-ups", "level-up.two-of-one", of=["unroll"])
def test_a_third_follow_up_of_a_move_replaces_another() -> None:
    had = up(combos=(FollowUp("attack-high", "attack-mid"), FollowUp("attack-high", "defend-mid")))
    ready = with_marks(replace(had, goal=starting().goal, belief=starting().belief))
    third = FollowUp("attack-high", "grapple-low")
    with pytest.raises(SheetError, match="at most 2 for a starting move"):
        level_up(ready, Choices(combos=(third,)))
    changed = replace(third, instead_of="attack-mid")
    after = level_up(ready, Choices(combos=(changed,)))
    assert after.combos == {"attack-high": ("grapple-low", "defend-mid")}


@pytest.mark.book("level-up.backgrounds-back", "level-up.veto-back", of=["unroll"])
@pytest.mark.parametrize("regain", Regain)
def test_a_level_up_restores_one_of_backgrounds_and_veto(regain: Regain) -> None:
    used = replace(
        READY,
        veto=False,
        backgrounds=(Background("a", 1, 0), Background("b", 1, 0), Background("c", 1, 1)),
    )
    with pytest.raises(SheetError, match="also choose what to regain"):
        level_up(used, Choices(move="attack-low"))
    after = level_up(used, Choices(move="attack-low", regain=regain))
    full = tuple(Background(name, 1, 1) for name in "abc")
    if regain is Regain.VETO:
        assert (after.veto, after.backgrounds) == (True, used.backgrounds)
    else:
        assert (after.veto, after.backgrounds) == (False, full)


@pytest.mark.book("level-up.special", "level-up.named", "specials.themes", of=["unroll"])
def test_a_special_may_get_its_own_name() -> None:
    after = up(special="scouter", called="A good look")
    assert after.specials == (KnownSpecial("scouter", "A good look"),)
    again = with_marks(replace(after, goal=READY.goal, belief=starting().belief))
    after = level_up(again, Choices(special="wax-on-defend"))
    assert [each.id for each in after.specials] == ["scouter", "wax-on-defend"]


@pytest.mark.book("level-up.maximum", of=["unroll"])
def test_a_maximum_grows_by_one_and_current_energy_stays() -> None:
    after = up(energy=Action.ATTACK)
    assert after.max.attack == READY.max.attack + 1
    assert (after.max.total, after.energy) == (11, READY.energy)


@pytest.mark.book("level-up.variant", of=["unroll"])
@pytest.mark.parametrize(("sign", "base", "stance"), [("+1", 2, 6), ("-1", 4, 2), ("", 3, 4)])
def test_a_variants_base_and_multiplier(sign: str, base: int, stance: int) -> None:
    card: Any = {"move": "attack-low", "variant": sign} if sign else "attack-low"
    knows = {"ada": {"moves": [card]}}
    won = turn("ada", "ninja", card, "grapple-low", stance={"ada": "attack 2"})
    loss = conflict(won, characters=knows)[0]["loss"]["ninja"]
    assert (loss["base"], loss["stance"]) == (base, stance)


@pytest.mark.book("level-up.variant-in-combo", "combo.begins", of=["unroll"])
@pytest.mark.parametrize("first", ["attack-low", "attack-low +1"])
@pytest.mark.parametrize("second", ["grapple-high", "grapple-high -1"])
def test_a_variant_is_followed_and_follows_like_its_original(first: str, second: str) -> None:
    def card(text: str) -> Any:
        move, _, variant = text.partition(" ")
        return {"move": move, "variant": variant} if variant else move

    cards = [card(first), card(second)]
    knows = {"ada": {"moves": cards, "combos": {"attack-low": ["grapple-high"]}}}
    found = conflict(
        turn("ada", "ninja", cards[0], "grapple-mid"),
        turn("ada", "ninja", cards[1], "defend-low"),
        characters=knows,
    )
    assert found[1]["loss"]["ninja"]["combo"] == 1


@pytest.mark.book("level-up.renamed", "level-up.other-backgrounds", of=["unroll"])
def test_renaming_changes_only_the_name() -> None:
    sheet = spend_background(starting(), "choir voice")
    renamed = rename_move(sheet, "attack-mid", "Groin Kick")
    moves = (sheet.moves[0], KnownMove("attack-mid", "Groin Kick"), *sheet.moves[2:])
    assert renamed == replace(sheet, moves=moves)
    after = rename_background(sheet, "choir voice", "Bell ringer")
    assert after == replace(
        sheet, backgrounds=(Background("ferry hand", 1, 1), Background("Bell ringer", 1, 0))
    )


@pytest.mark.book("replacement.step-by-step", of=["unroll"])
def test_a_replacement_begins_at_level_one() -> None:
    dead = starting(name="marit", level=4, dead=True)
    early = starting(name="eva", level=2, specials=(KnownSpecial("scouter"),))
    with pytest.raises(SheetError, match="from level 1, not from 2"):
        replacement(early, dead, [])


@pytest.mark.book("replacement.moves", "replacement.no-special", of=["unroll"])
def test_a_tradition_hands_on_moves_and_combos_but_no_special() -> None:
    """Unknown moves are not handed on, and specials never (R21)."""
    dead = starting(
        name="marit",
        level=5,
        dead=True,
        moves=(*starting().moves, KnownMove("attack-low", "x")),
        combos={"attack-low": ("attack-mid",)},
        specials=(KnownSpecial("scouter"),),
    )
    fresh = starting(name="eva")
    for choices, known in (
        (Choices(move="attack-low"), True), (Choices(move="defend-low"), False),
        (Choices(combos=(FollowUp("attack-low", "attack-mid"),)), True),
        (Choices(combos=(FollowUp("attack-low", "defend-mid"),)), False),
        (Choices(energy=Action.ATTACK), True),
    ):  # fmt: skip
        assert (not_handed_on(dead, [choices]) == ()) is known
        assert replacement(fresh, dead, [choices]).level == 2
    for special in ("scouter", "pressure-point"):
        with pytest.raises(SheetError, match="cannot be handed on"):
            replacement(fresh, dead, [Choices(special=special)])


@pytest.mark.book("replacement.for-the-dead", "end.replaced", of=["unroll"])
def test_a_replacement_comes_from_the_reserve_and_only_for_the_dead() -> None:
    party = sheets()
    party[0] = replace(party[0], dead=True)
    evening = Evening(party=party, reserve=[starting(name="eva")])
    assert evening.refused("replace ada by bo")
    assert "is not dead" in evening.refused("replace bo by eva")
    evening.do("replace ada by eva")
    assert [*evening.sheets][:1] == ["bo"]
    assert "eva" in evening.sheets
    assert "ada" not in evening.sheets
