"""Level-ups and replacement characters, book by book (R16)."""

import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from hub.games.triangle.rules.characters.faults import faults_of
from hub.games.triangle.rules.characters.level_up import Choices, FollowUp, Regain, level_up
from hub.games.triangle.rules.characters.replacement import replacement, replacement_level
from hub.games.triangle.rules.characters.sheet import (
    Background,
    KnownMove,
    KnownSpecial,
    Sheet,
    SheetError,
    Trait,
)
from hub.games.triangle.rules.edition import Action, Energy
from hub.games.triangle.rules.editions import EDITIONS
from hub.games.triangle.story.learning import options
from tests.rules.cast import known, npc, starting, with_marks

EACH_BOOK = pytest.mark.parametrize("ruleset", list(EDITIONS))
LATER_BOOKS = pytest.mark.parametrize("ruleset", ["unroll", "iron-triangle"])
FIRST = "iron-triangle-1e"
NINE = EDITIONS["unroll"].basic_moves


def up(sheet: Sheet, *party: Sheet, **choices: Any) -> Sheet:
    return level_up(sheet, Choices(**choices), party)


def refused(sheet: Sheet, *party: Sheet, **choices: Any) -> list[str]:
    with pytest.raises(SheetError) as error:
        up(sheet, *party, **choices)
    assert isinstance(error.value, ValueError)
    assert str(error.value) == "; ".join(map(str, error.value.reasons))
    return [*map(str, error.value.reasons)]


def all_nine(ruleset: str = "unroll", *more: str) -> Sheet:
    book = EDITIONS[ruleset]
    level = book.level + len(NINE) - book.start_count + len(more)
    return with_marks(starting(ruleset, level=level, moves=known(*NINE, *more)))


class TestMarks:
    @pytest.mark.book("level-up.three-of-three")
    @pytest.mark.book("level-up.questions", of=["unroll", "iron-triangle"])
    @LATER_BOOKS
    def test_a_level_up_needs_all_three_marks(self, ruleset: str) -> None:
        assert refused(starting(ruleset), move="attack-low") == [
            "a level-up needs all three marks; "
            "Wenna has not marked yet: belief or flaw, goal, a type that stood at zero"
        ]
        without_goal = replace(with_marks(starting(ruleset)), goal=Trait("x"))
        assert refused(without_goal, move="attack-low") == [
            "a level-up needs all three marks; Wenna has not marked yet: goal"
        ]
        flawed = replace(
            with_marks(starting(ruleset)), belief=Trait("b"), flaw=Trait("f", marked=True)
        )
        assert up(flawed, move="attack-low").level == starting(ruleset).level + 1

    @pytest.mark.book("level-up.two-of-three")
    @pytest.mark.book("level-up.questions", "level-up.special", of=["iron-triangle-1e"])
    def test_the_first_edition_needs_two_or_three_marks(self) -> None:
        marked = with_marks(starting(FIRST))
        for two in (
            replace(marked, goal=Trait("x")),
            replace(marked, zero=()),
            replace(marked, belief=Trait("b")),
        ):
            assert up(two, energy=Action.GRAPPLE).max == Energy(4, 3, 4)
            assert refused(two, special="insight")[0].startswith("a special needs all three marks")
        assert up(marked, special="insight").special("insight")
        one = replace(marked, goal=Trait("x"), zero=())
        assert refused(one, move="attack-low") == [
            "a level-up needs two of the three marks; "
            "Wenna has not marked yet: goal, a type that stood at zero"
        ]

    @pytest.mark.book("level-up.erases-goal", "level-up.erases-zeros", "level-up.erases-pair")
    @LATER_BOOKS
    def test_goal_and_zeros_are_erased_but_belief_and_flaw_only_together(
        self, ruleset: str
    ) -> None:
        sheet = with_marks(starting(ruleset), Action.ATTACK, Action.GRAPPLE)
        after = up(sheet, move="attack-low")
        assert (after.goal, after.zero) == (Trait(), ())
        assert after.belief == Trait(sheet.belief.text, marked=True, counted=True)
        both = up(replace(sheet, flaw=Trait("f", marked=True)), move="attack-low")
        assert (both.belief.marked, both.flaw) == (False, Trait("f"))

    @pytest.mark.book("level-up.erases-pair")
    @LATER_BOOKS
    def test_a_kept_mark_does_not_count_for_a_second_level(self, ruleset: str) -> None:
        after = up(with_marks(starting(ruleset)), move="attack-low", goal="Learn to swim")
        assert after.goal == Trait("Learn to swim")
        again = replace(after, goal=Trait("x", marked=True), zero=(Action.DEFEND,))
        assert refused(again, move="defend-low") == [
            "a level-up needs all three marks; Wenna has not marked yet: belief or flaw"
        ]
        played = up(replace(again, flaw=Trait("f", marked=True)), move="defend-low")
        assert played.belief == Trait(again.belief.text)
        assert played.flaw == Trait("f")

    @pytest.mark.book("level-up.erases-all")
    def test_the_first_edition_erases_every_mark(self) -> None:
        after = up(with_marks(starting(FIRST)), move="attack-low")
        assert not any((after.belief.marked, after.goal.marked, after.zero))
        assert after.goal.text == ""
        unreached = replace(with_marks(starting(FIRST)), goal=Trait("Find the well"))
        assert up(unreached, move="attack-low").goal == Trait("Find the well")

    @pytest.mark.book("level-up.reworded")
    @EACH_BOOK
    def test_traits_may_be_rewritten_at_a_level_up(self, ruleset: str) -> None:
        after = up(with_marks(starting(ruleset)), move="attack-low", belief="b", flaw="f", goal="g")
        assert (after.belief.text, after.flaw.text, after.goal) == ("b", "f", Trait("g"))
        assert refused(with_marks(starting(ruleset)), move="attack-low", belief=" ") == [
            "belief.text is missing; choose a belief"
        ]


@EACH_BOOK
class TestAnyLevelUp:
    @pytest.mark.book("level-up.one-thing")
    def test_exactly_one_choice(self, ruleset: str) -> None:
        one_of = "choose one of: a move, a variant, combos, energy, a special"
        sheet = with_marks(starting(ruleset))
        assert refused(sheet) == [f"{one_of} (chosen: none)"]
        assert refused(sheet, move="attack-low", energy=Action.ATTACK) == [
            f"{one_of} (chosen: a move, energy)"
        ]
        assert refused(sheet, energy=Action.ATTACK, called="Fist") == [
            "'Fist' names nothing to learn: no move, variant or special"
        ]

    def test_npcs_and_the_dead_are_refused(self, ruleset: str) -> None:
        person = npc(ruleset=ruleset)
        assert "is an NPC" in refused(person, move="attack-low")[0]
        dead = with_marks(starting(ruleset, dead=True))
        assert refused(dead, move="attack-low") == ["Wenna is dead"]

    @pytest.mark.book("level-up.move", "level-up.none-twice")
    def test_known_or_unknown_moves_are_refused(self, ruleset: str) -> None:
        sheet = with_marks(starting(ruleset))
        assert refused(sheet, move="defend-mid") == [
            "moves.defend-mid is already known; learn something else"
        ]
        assert refused(sheet, move="kick")[0].startswith("moves.kick is not a move of")

    def test_an_unsound_sheet_is_refused(self, ruleset: str) -> None:
        assert refused(starting(ruleset, flaw=Trait()), move="attack-low") == [
            "flaw.text is missing; choose a flaw"
        ]

    @pytest.mark.book("level-up.named")
    def test_a_move_gets_a_name(self, ruleset: str) -> None:
        sheet = with_marks(starting(ruleset))
        assert up(sheet, move="attack-low").moves[-1] == KnownMove("attack-low", "Attack Low")
        named = up(sheet, move="attack-low", called="Tide Turner")
        assert named.moves[-1] == KnownMove("attack-low", "Tide Turner")

    def test_nothing_else_changes(self, ruleset: str) -> None:
        sheet = with_marks(starting(ruleset))
        after = up(sheet, move="attack-low")
        same = {"moves": sheet.moves, "level": sheet.level, "belief": sheet.belief}
        assert replace(after, **same, goal=sheet.goal, zero=sheet.zero) == sheet


class TestEnergy:
    @pytest.mark.book("level-up.maximum")
    @LATER_BOOKS
    def test_only_a_type_that_reached_zero_grows(self, ruleset: str) -> None:
        sheet = with_marks(starting(ruleset), Action.DEFEND)
        after = up(sheet, energy=Action.DEFEND)
        assert (after.max, after.energy) == (Energy(4, 4, 3), Energy(4, 3, 3))
        assert refused(sheet, energy=Action.ATTACK) == [
            "attack has not reached zero in a conflict (marked: defend)"
        ]

    @pytest.mark.book("level-up.maximum-anywhere")
    def test_any_type_grows_in_the_first_edition(self) -> None:
        sheet = with_marks(starting(FIRST), Action.DEFEND)
        assert up(sheet, energy=Action.ATTACK).max == Energy(5, 3, 3)


class TestCombos:
    @pytest.mark.book("level-up.follow-ups")
    @pytest.mark.book("combo.learned", of=["unroll", "iron-triangle"])
    @LATER_BOOKS
    def test_two_follow_ups_may_be_learned_or_exchanged(self, ruleset: str) -> None:
        sheet = with_marks(starting(ruleset))
        two = (FollowUp("attack-high", "defend-mid"), FollowUp("attack-high", "grapple-low"))
        after = up(sheet, combos=two)
        assert after.combos == {"attack-high": ("defend-mid", "grapple-low")}
        changes = (
            FollowUp("attack-high", "attack-high", instead_of="defend-mid"),
            FollowUp("defend-mid", "attack-high"),
        )
        changed = up(with_marks(replace(after, belief=sheet.belief)), combos=changes)
        assert changed.combos == {
            "attack-high": ("attack-high", "grapple-low"),
            "defend-mid": ("attack-high",),
        }
        assert faults_of(changed) == ()

    @pytest.mark.book("level-up.two-of-one")
    @LATER_BOOKS
    def test_three_follow_ups_are_refused(self, ruleset: str) -> None:
        sheet = with_marks(starting(ruleset))
        ids = ("defend-mid", "grapple-low", "attack-high")
        three = tuple(FollowUp("attack-high", move) for move in ids)
        assert refused(sheet, combos=three) == [
            "a level-up teaches at most 2 follow-ups (chosen: 3)"
        ]
        full = replace(sheet, level=sheet.level + 1, combos={"attack-high": ids[:2]})
        assert refused(full, combos=three[2:]) == [
            "combos.attack-high has 3 follow-ups; at most 2 for a starting move"
        ]

    @pytest.mark.book("level-up.follow-up")
    @pytest.mark.book("combo.learned", of=["iron-triangle-1e"])
    def test_the_first_edition_teaches_one_follow_up_and_no_exchange(self) -> None:
        sheet = with_marks(starting(FIRST))
        two = (FollowUp("attack-high", "defend-mid"), FollowUp("attack-high", "grapple-low"))
        assert refused(sheet, combos=two) == ["a level-up teaches at most 1 follow-up (chosen: 2)"]
        after = with_marks(up(sheet, combos=two[:1]))
        change = (FollowUp("attack-high", "grapple-low", instead_of="defend-mid"),)
        assert refused(after, combos=change) == [
            "in iron-triangle-1e you cannot exchange one follow-up for another"
        ]

    @pytest.mark.book("level-up.follow-up-known", "level-up.start-known")
    def test_in_unroll_moves_must_be_known_before_they_follow_up(self) -> None:
        sheet = with_marks(starting())
        assert refused(sheet, combos=(FollowUp("attack-high", "defend-low"),)) == [
            "combos.attack-high[0] defend-low must be known before it can follow up; learn it first"
        ]
        from_ally = (FollowUp("grapple-high", "attack-mid"),)
        assert refused(sheet, combos=from_ally) == [
            "combos.grapple-high starts from a move that neither Wenna nor an ally knows"
        ]
        ally = starting(name="Jory", moves=known("grapple-high"))
        after = up(sheet, ally, combos=from_ally)
        assert after.combos == {"grapple-high": ("attack-mid",)}
        later = replace(after, belief=sheet.belief)  # the ally has left meanwhile
        assert up(with_marks(later), move="defend-low").level == 3

    @pytest.mark.book("level-up.follow-ups")
    def test_an_exchange_needs_an_existing_follow_up(self) -> None:
        sheet = with_marks(starting())
        change = FollowUp("attack-high", "attack-mid", instead_of="defend-mid")
        assert refused(sheet, combos=(change,)) == [
            "defend-mid does not follow up on attack-high and cannot be replaced"
        ]
        known_already = with_marks(starting(level=2, combos={"attack-high": ("defend-mid",)}))
        assert refused(known_already, combos=(change, change)) == [
            "the same follow-up is replaced twice"
        ]
        itself = FollowUp("attack-high", "defend-mid", instead_of="defend-mid")
        assert refused(known_already, combos=(itself,)) == ["defend-mid would replace itself"]


class TestBeyondTheNine:
    @pytest.mark.book("level-up.variant")
    def test_a_variant_comes_after_all_nine(self) -> None:
        after = up(all_nine(), variant=KnownMove("attack-mid", variant="+1"), called="Long Oar")
        assert after.moves[-1] == KnownMove("attack-mid", "Long Oar", "+1")
        assert faults_of(after) == ()
        early = with_marks(starting())
        assert (
            "comes after all nine" in refused(early, variant=KnownMove("attack-mid", "", "+1"))[0]
        )
        assert refused(all_nine(), variant=KnownMove("attack-mid")) == [
            "attack-mid without +1 or -1 is not a variant; learn it as a move"
        ]

    @pytest.mark.book("level-up.two-variants")
    def test_at_most_two_variants_and_one_can_be_replaced(self) -> None:
        two = all_nine("unroll", "attack-mid +1", "attack-low -1")
        third = KnownMove("defend-low", variant="+1")
        assert refused(two, variant=third) == ["moves have 3 variants; at most 2 can be known"]
        after = up(two, variant=third, replaces="attack-mid +1")
        assert [*map(str, after.moves)][-2:] == ["attack-low -1", "defend-low +1"]
        assert (after.level, faults_of(after)) == (two.level + 1, ())
        other_sign = up(
            two, variant=KnownMove("attack-mid", variant="-1"), replaces="attack-mid +1"
        )
        assert [*map(str, other_sign.moves)][-2:] == ["attack-low -1", "attack-mid -1"]

    @pytest.mark.book("level-up.variant-exchanged")
    def test_replacing_a_variant(self) -> None:
        one = all_nine("unroll", "attack-mid +1")
        same = KnownMove("attack-mid", variant="+1")
        assert refused(one, variant=same, replaces="attack-mid +1") == [
            "attack-mid +1 would replace itself"
        ]
        assert refused(one, variant=same) == [
            "moves.attack-mid +1 is already known; learn something else",
            "moves have two variants of attack-mid; replace one of them",
        ]
        other = KnownMove("attack-low", variant="+1")
        assert refused(one, variant=other, replaces="attack-high") == [
            "Wenna has no variant 'attack-high' to give up"
        ]
        assert refused(one, energy=Action.ATTACK, replaces="attack-mid +1") == [
            "only a variant can be given up, and only for another variant"
        ]

    @pytest.mark.book("five-elements.after-nine")
    @pytest.mark.parametrize("ruleset", ["iron-triangle", FIRST])
    def test_five_elements_come_after_all_nine(self, ruleset: str) -> None:
        assert up(all_nine(ruleset), move="grapple-spin").knows("grapple-spin")
        assert refused(with_marks(starting(ruleset)), move="grapple-spin")[0].startswith(
            "moves.grapple-spin comes after all nine basic moves; first learn attack-low"
        )
        assert refused(all_nine(ruleset), variant=KnownMove("attack-mid", "", "+1")) == [
            f"moves.attack-mid +1 is a variant; {ruleset} has none"
        ]

    def test_unroll_has_only_three_elements(self) -> None:
        assert refused(all_nine(), move="attack-jump")[0].startswith(
            "moves.attack-jump is not a move of unroll"
        )


class TestSpecials:
    @pytest.mark.book("specials.variations", "level-up.none-twice")
    @LATER_BOOKS
    def test_each_variation_of_a_special_is_learned_separately(self, ruleset: str) -> None:
        sheet = with_marks(
            starting(
                ruleset,
                level=EDITIONS[ruleset].level + 1,
                specials=(KnownSpecial("wax-on-attack"),),
            )
        )
        assert up(sheet, special="wax-on-defend", called="Ebb").specials[-1] == KnownSpecial(
            "wax-on-defend", "Ebb"
        )
        assert refused(sheet, special="wax-on-attack") == [
            "specials.wax-on-attack is already known; learn something else"
        ]
        assert refused(sheet, special="insight")[0].startswith(
            "specials.insight is not a special of"
        )

    @pytest.mark.book("level-up.special", of=["unroll", "iron-triangle"])
    def test_the_required_level_is_the_one_reached(self) -> None:
        parry = (KnownSpecial("parry-grapple"),)
        four = with_marks(starting(FIRST, level=4, max=Energy(7, 3, 3), specials=parry))
        assert up(four, special="vampire-attack").level == 5
        assert up(four, special="dig-two-graves-grapple").level == 5
        assert refused(four, special="dig-two-graves-attack") == [
            "specials.dig-two-graves-attack requires parry-attack; learn that first"
        ]
        assert refused(four, special="mimic") == ["specials.mimic requires level 10; Wenna has 5"]


class TestRegaining:
    spent = (Background("ferry hand", 1, 0), Background("choir voice", 1, 0))

    @pytest.mark.book("level-up.backgrounds-back", "level-up.veto-back")
    @LATER_BOOKS
    def test_backgrounds_or_the_veto_are_regained(self, ruleset: str) -> None:
        sheet = with_marks(starting(ruleset, veto=False, backgrounds=self.spent))
        assert refused(sheet, move="attack-low") == [
            "also choose what to regain: backgrounds or veto"
        ]
        fresh = up(sheet, move="attack-low", regain=Regain.BACKGROUNDS)
        assert [each.left for each in fresh.backgrounds] == [1, 1]
        assert not fresh.veto
        again = up(sheet, move="attack-low", regain=Regain.VETO)
        assert again.veto
        assert again.backgrounds == self.spent

    @LATER_BOOKS
    def test_the_choice_is_required_when_something_can_be_regained(self, ruleset: str) -> None:
        for changes in ({"veto": False}, {"backgrounds": self.spent}):
            with pytest.raises(SheetError, match="also choose what to regain"):
                up(with_marks(starting(ruleset, **changes)), move="attack-low")
        whole = up(with_marks(starting(ruleset)), move="attack-low", regain=Regain.VETO)
        assert whole.veto

    def test_the_first_edition_regains_neither(self) -> None:
        sheet = with_marks(starting(FIRST, veto=False, backgrounds=self.spent))
        assert not up(sheet, move="attack-low").veto
        assert refused(sheet, move="attack-low", regain=Regain.VETO) == [
            "a level-up in iron-triangle-1e restores neither backgrounds nor the veto"
        ]


class TestReplacement:
    deceased = starting(level=7, moves=known(*NINE, "attack-mid +1"), dead=True)
    fresh = starting(name="Tamsin")

    @pytest.mark.book("replacement.highest-level")
    def test_a_replacement_starts_at_most_at_five_or_the_deceaseds_level(self) -> None:
        assert replacement_level(self.deceased) == 5
        assert replacement_level(replace(self.deceased, level=3)) == 3
        ids = ("attack-low", "defend-low", "grapple-mid", "grapple-high")
        grown = replacement(self.fresh, self.deceased, [Choices(move=move) for move in ids])
        assert (grown.level, faults_of(grown)) == (5, ())
        with pytest.raises(SheetError, match="the replacement of Wenna starts at level 5 at most"):
            replacement(self.fresh, self.deceased, [Choices(energy=Action.ATTACK)] * 5)

    @pytest.mark.book("replacement.moves")
    def test_combos_may_start_from_the_deceaseds_moves(self) -> None:
        combo = Choices(combos=(FollowUp("grapple-high", "attack-mid"),))
        assert replacement(self.fresh, self.deceased, [combo]).combos
        forgetful = replace(self.deceased, moves=starting().moves, level=1)
        with pytest.raises(SheetError, match="starts at level 1 at most"):
            replacement(self.fresh, forgetful, [combo])

    @pytest.mark.book("replacement.no-special")
    def test_no_special_is_handed_on(self) -> None:
        plan = [Choices(energy=Action.ATTACK), Choices(special="scouter")]
        with pytest.raises(SheetError, match="level-up 2: scouter cannot be handed on"):
            replacement(self.fresh, self.deceased, plan)
        with pytest.raises(SheetError, match=r"level-up 2: moves\.attack-high is already known"):
            replacement(self.fresh, self.deceased, [plan[0], Choices(move="attack-high")])

    @pytest.mark.book("replacement.step-by-step")
    def test_general_refusals_apply_to_replacements(self) -> None:
        with pytest.raises(SheetError, match="level-up 1: choose one of"):
            replacement(self.fresh, self.deceased, [Choices()])
        with pytest.raises(SheetError, match="an NPC needs no tradition"):
            replacement(npc(), self.deceased, [])
        with pytest.raises(SheetError, match="an NPC needs no tradition"):
            replacement(self.fresh, npc(dead=True), [])
        with pytest.raises(SheetError, match=r"flaw\.text is missing"):
            replacement(replace(self.fresh, flaw=Trait()), self.deceased, [])
        assert replacement(self.fresh, self.deceased, []) == self.fresh

    @pytest.mark.book("replacement.for-the-dead")
    def test_a_replacement_must_fit_the_deceased(self) -> None:
        with pytest.raises(SheetError) as error:
            replacement(
                with_marks(starting(FIRST, level=1, max=Energy(5, 3, 3))),
                replace(self.deceased, dead=False),
                [Choices(energy=Action.ATTACK, regain=Regain.VETO)],
            )
        assert (*map(str, error.value.reasons),) == (
            "Wenna is not dead",
            "Wenna belongs to unroll, not to iron-triangle-1e",
            "level_ups raise a character from level 0, not from 1",
            "level-up 1: there is nothing to regain yet",
        )


def everything(ruleset: str) -> list[Choices]:
    book = EDITIONS[ruleset]
    return [
        *(Choices(move=move) for move in book.move_ids),
        *(Choices(variant=KnownMove(m, variant=sign)) for m in NINE for sign in ("+1", "-1")),
        *(Choices(energy=action) for action in Action),
        *(Choices(special=special) for special in book.specials),
        *(Choices(combos=(FollowUp(a, b),)) for a in book.move_ids[:3] for b in book.move_ids),
    ]


@EACH_BOOK
@given(data=st.data())
def test_every_career_stays_sound(ruleset: str, data: st.DataObject) -> None:
    """Every choice is refused or leads to a sound sheet, and never to a dead end."""
    sheet = starting(ruleset)
    for _ in range(data.draw(st.integers(1, 12))):
        marked = with_marks(sheet, *Action)
        choice = data.draw(st.sampled_from(everything(ruleset)))
        try:
            after = level_up(marked, choice)
        except SheetError as error:
            assert error.reasons
            after = level_up(marked, Choices(energy=Action.GRAPPLE))
        assert faults_of(after) == ()
        assert after.level == sheet.level + 1
        sheet = replace(after, belief=starting().belief)


def test_a_closed_cards_reason_leaves_out_its_place_on_the_sheet() -> None:
    closed = [each for each in options(starting()) if each.reason]
    assert any(each.choices.variant for each in closed)
    for each in closed:
        assert not re.search(r"\b(moves|specials)\.", str(each.reason)), each
