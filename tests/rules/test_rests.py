"""Rests (R14), countdowns (R15), and marks made by hand."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from hub.games.countdowns import Countdown, CountdownError, Countdowns
from hub.games.triangle.rules.characters.marks import (
    mark,
    mark_zero,
    rest,
    rest_types,
    rewrite,
    spend_background,
    unmark,
    use_veto,
)
from hub.games.triangle.rules.characters.sheet import (
    Background,
    KnownSpecial,
    Rest,
    SheetError,
    Trait,
)
from hub.games.triangle.rules.edition import Action, Energy
from hub.games.triangle.rules.editions import EDITIONS
from tests.rules.cast import npc, starting

TIRED = Energy(1, 0, 2)
EACH_BOOK = pytest.mark.parametrize("ruleset", list(EDITIONS))


class TestRests:
    @pytest.mark.book("rest.breather")
    def test_a_breather_is_one_point_of_a_chosen_type(self) -> None:
        wenna, jory = starting(energy=TIRED), starting(name="Jory", energy=Energy(4, 3, 2))
        after = rest([wenna, jory], Rest.BREATHER, {"Wenna": Action.DEFEND})
        assert [each.energy for each in after] == [Energy(1, 1, 2), Energy(4, 3, 3)]
        assert {each.rested for each in after} == {(Rest.BREATHER,)}

    @pytest.mark.book("rest.short")
    def test_a_short_rest_fills_the_lowest_maximum(self) -> None:
        wenna = starting(max=Energy(2, 5, 3), energy=Energy(0, 5, 0))
        (after,) = rest([wenna], Rest.SHORT)
        assert after.energy == Energy(2, 5, 0)

    @pytest.mark.book("rest.equal-maximums")
    def test_equal_lowest_maxima_are_a_choice(self) -> None:
        wenna = starting(energy=TIRED)
        assert rest_types(wenna, Rest.SHORT) == (Action.DEFEND, Action.GRAPPLE)
        with pytest.raises(SheetError, match="Wenna: choose a type: defend, grapple"):
            rest([wenna], Rest.SHORT)
        (after,) = rest([wenna], Rest.SHORT, {"Wenna": Action.GRAPPLE})
        assert after.energy == Energy(1, 0, 3)
        with pytest.raises(
            SheetError, match=r"attack cannot be chosen .* \(types: defend, grapple\)"
        ):
            rest([wenna], Rest.SHORT, {"Wenna": Action.ATTACK})

    @pytest.mark.book("rest.full")
    @pytest.mark.book("specials.once", of=["unroll", "iron-triangle"])
    @EACH_BOOK
    def test_a_full_rest_restores_everything(self, ruleset: str) -> None:
        special = next(iter(EDITIONS[ruleset].specials))
        sheet = starting(
            ruleset,
            level=EDITIONS[ruleset].level + 1,
            energy=TIRED,
            zero=(Action.DEFEND,),
            specials=(KnownSpecial(special, used=True),),
            rested=(Rest.BREATHER, Rest.SHORT),
        )
        (after,) = rest([sheet], Rest.FULL)
        assert after == replace(
            sheet, energy=sheet.max, specials=(KnownSpecial(special),), rested=()
        )

    @pytest.mark.book("specials.once", of=["iron-triangle-1e"])
    def test_specials_return_with_any_rest_in_the_first_edition(self) -> None:
        for ruleset, back in (
            ("unroll", False),
            ("iron-triangle", False),
            ("iron-triangle-1e", True),
        ):
            special = next(iter(EDITIONS[ruleset].specials))
            known = (KnownSpecial(special, used=True),)
            sheet = starting(ruleset, level=EDITIONS[ruleset].level + 1, specials=known)
            (after,) = rest([sheet], Rest.BREATHER)
            assert after.specials[0].used is not back

    @pytest.mark.book("rest.once-each")
    @pytest.mark.parametrize("kind", [Rest.BREATHER, Rest.SHORT])
    def test_each_lesser_rest_once_between_full_rests(self, kind: Rest) -> None:
        wenna = starting(max=Energy(3, 3, 4), energy=Energy(3, 3, 0))
        choices = {"Wenna": Action.ATTACK} if kind is Rest.SHORT else {}
        after = rest([wenna], kind, choices)
        named = "short rest" if kind is Rest.SHORT else "breather"
        with pytest.raises(
            SheetError, match=f"has already had a {named}; the next one comes after a full"
        ):
            rest(after, kind, choices)
        rest(rest(after, Rest.FULL), kind, choices)
        other = Rest.BREATHER if kind is Rest.SHORT else Rest.SHORT
        rest(after, other, {"Wenna": Action.ATTACK} if other is Rest.SHORT else {})

    @pytest.mark.book("rest.all-alike")
    def test_a_rest_is_refused_unless_all_can_take_it(self) -> None:
        wenna, jory = starting(energy=TIRED), starting(name="Jory", rested=(Rest.BREATHER,))
        with pytest.raises(SheetError, match="Jory: has already had a breather"):
            rest([wenna, jory], Rest.BREATHER, {"Wenna": Action.ATTACK})

    def test_parties_that_cannot_rest(self) -> None:
        for party, reason in (
            ([], "no one rests"),
            ([npc()], "toll keeper: is an NPC"),
            ([starting(dead=True)], "Wenna: is dead"),
            ([starting(), starting()], "a character is listed twice"),
            ([starting(level=0)], "Wenna: level is 0"),
        ):
            with pytest.raises(SheetError, match=reason):
                rest(party, Rest.FULL)
        with pytest.raises(SheetError, match="Jory is not resting here"):
            rest([starting()], Rest.FULL, {"Jory": Action.ATTACK})
        with pytest.raises(SheetError, match="attack cannot be chosen"):
            rest([starting()], Rest.FULL, {"Wenna": Action.ATTACK})

    @given(st.tuples(*[st.integers(0, 3)] * 3), st.sampled_from(Rest), st.sampled_from(Action))
    def test_a_rest_never_exceeds_the_maximum_or_takes_energy(
        self, points: tuple[int, int, int], kind: Rest, action: Action
    ) -> None:
        sheet = starting(energy=Energy(*points))
        types = rest_types(sheet, kind)
        choices = {sheet.name: action if action in types else types[0]} if types else {}
        (after,) = rest([sheet], kind, choices)
        gained = {each: after.energy.of(each) - sheet.energy.of(each) for each in Action}
        assert all(0 <= gain <= sheet.max.of(each) for each, gain in gained.items())
        if kind is Rest.BREATHER:
            assert sum(gained.values()) == bool(types)
        if kind is Rest.FULL:
            assert after.energy == after.max


class TestMarks:
    @pytest.mark.book("belief.marked", "flaw.marked", "goal.marked", "level-up.one-mark")
    def test_each_trait_is_marked_once(self) -> None:
        used = mark(starting(), "belief")
        assert used.belief.marked
        with pytest.raises(SheetError, match="Wenna’s belief is already marked"):
            mark(used, "belief")
        assert unmark(used, "belief") == starting()
        with pytest.raises(SheetError, match="Wenna’s goal is not marked"):
            unmark(used, "goal")
        with pytest.raises(SheetError, match="Wenna has no goal to mark"):
            mark(starting(goal=Trait()), "goal")

    def test_zeros_are_kept_in_printed_order(self) -> None:
        sheet = mark_zero(mark_zero(starting(), Action.GRAPPLE), Action.ATTACK, Action.GRAPPLE)
        assert sheet.zero == (Action.ATTACK, Action.GRAPPLE)

    @pytest.mark.book("backgrounds.left")
    def test_a_background_point_is_spent_once(self) -> None:
        spent = spend_background(starting(), "FERRY HAND")
        assert [each.name for each in spent.backgrounds if each.left] == ["choir voice"]
        with pytest.raises(SheetError, match="no point left in ferry hand"):
            spend_background(spent, "ferry hand")
        invented = spend_background(spent, "net mender")
        assert invented.backgrounds[-1] == Background("net mender", 1, 0)
        with pytest.raises(SheetError, match="all its points are used"):
            spend_background(invented, "poacher")

    @pytest.mark.book("veto.one")
    def test_the_veto_is_used_once(self) -> None:
        used = use_veto(starting())
        assert used == replace(starting(), veto=False)
        with pytest.raises(SheetError, match="no veto left"):
            use_veto(used)

    def test_rewriting_keeps_the_mark(self) -> None:
        sheet = rewrite(mark(starting(), "goal"), goal=" Ring it ", flaw="Vain")
        assert (sheet.goal, sheet.flaw) == (Trait("Ring it", marked=True), Trait("Vain"))
        with pytest.raises(SheetError, match=r"belief\.text is missing"):
            rewrite(starting(), belief="")


class TestCountdowns:
    @pytest.mark.book("countdowns.marked", "countdowns.full")
    def test_a_countdown_is_marked_box_by_box_until_full(self) -> None:
        story = Countdowns().begin("flood", 4).begin("wedding", 8)
        for marked in range(1, 5):
            assert not story.named("flood").full
            story = story.mark("flood")
            assert story.named("flood").marked == marked
        assert story.named("flood").full
        with pytest.raises(CountdownError, match="flood is full"):
            story.mark("flood")
        assert story.unmark("flood").named("flood").marked == 3
        wedding = Countdown("wedding", 8, id="wedding")
        assert story.named("wedding") == wedding
        assert story.erase("flood") == Countdowns((wedding,), erased=("flood",))

    @pytest.mark.book("countdowns.boxes")
    @pytest.mark.parametrize(
        ("name", "boxes", "marked"),
        [("x", 3, 0), ("x", 9, 0), ("", 4, 0), ("x\n", 4, 0), ("x", 4, 5), ("x", 4, -1)],
    )
    def test_a_countdown_needs_four_to_eight_boxes_and_a_name(
        self, name: str, boxes: int, marked: int
    ) -> None:
        with pytest.raises(CountdownError):
            Countdown(name, boxes, marked)

    @pytest.mark.book("countdowns.several")
    def test_countdown_names_are_unique(self) -> None:
        story = Countdowns().begin("flood", 4)
        with pytest.raises(CountdownError, match="already a countdown flood"):
            story.begin("flood", 5)
        with pytest.raises(CountdownError, match=r'no countdown "fire" \(there are: flood\)'):
            story.mark("fire")
        with pytest.raises(CountdownError, match="no mark to take back"):
            story.unmark("flood")
        assert Countdowns(tuple(Countdown(str(number), 4) for number in range(32)))
        with pytest.raises(CountdownError, match="erase one first"):
            Countdowns(tuple(Countdown(str(number), 4) for number in range(33)))
