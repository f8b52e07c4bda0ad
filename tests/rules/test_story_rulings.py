"""After a conflict or a death: rests (R18), marks (R20), traditions (R21), memory (R24)."""

from typing import Any

import pytest
from msgspec.structs import replace

from hub.games.game import GM, Choice, IllegalChoice
from hub.games.registry import game_of, story_of
from hub.games.story import parse_deed
from hub.games.triangle.rules.characters.conflicts import after_conflict, setup_of
from hub.games.triangle.rules.characters.sheet import KnownMove, KnownSpecial
from hub.games.triangle.rules.edition import Action, Energy
from hub.games.triangle.story.state import StoryState
from hub.table import acts as i
from hub.table.state import SeatFault
from tests.rules.cast import starting
from tests.rules.walk import with_let_be
from tests.support.evening import Evening, sheets, written

SINCE = "there has been no conflict since the last rest"


class TestRests:
    def test_one_rest_of_any_kind_after_each_conflict(self) -> None:
        evening = Evening()
        for kind in ("full", "short defend ada; attack bo"):
            assert SINCE in evening.refused(f"rest {kind}"), "there was no conflict yet"
        evening.duel()
        evening.hit()
        assert "has to wait" in evening.refused("rest full")
        evening.end()
        evening.do("rest short defend ada; attack bo")
        assert SINCE in evening.refused("rest full")
        evening.duel()
        evening.hit()
        evening.end()
        evening.do("rest full")
        assert SINCE in evening.refused("rest full")

    def test_an_unplayed_conflict_allows_no_rest(self) -> None:
        evening = Evening()
        evening.duel()
        evening.end()
        assert SINCE in evening.refused("rest full")

    def test_an_overrule_allows_exactly_one_more_rest(self) -> None:
        evening = Evening()
        evening.do("overrule rest because the winter is long")
        evening.restart()
        evening.do("rest full")
        assert SINCE in evening.refused("rest full")

    def test_every_offered_rest_says_why_not(self) -> None:
        story = story_of("unroll")
        state = story.begin(written(sheets()))
        rests = [offer for offer in story.offers(state) if offer.deed["do"] == "rest"]
        assert len(rests) == 3 and all(SINCE in str(offer.reason) for offer in rests)

    def test_older_logs_without_this_check_still_fold(self) -> None:
        story = story_of("unroll")
        state: StoryState = story.begin(written(sheets()))
        state = story.tell(state, parse_deed("rest full"))
        assert story.tell(state, parse_deed("rest full")).sheets["ada"].rested == ()


class TestMarks:
    def after(self, energy: Energy, split: str) -> Any:
        ada = replace(starting(name="ada"), energy=energy)
        foe = sheets()[2]
        game: Any = game_of("unroll")
        setup = setup_of([ada, foe], {"us": ["ada"], "them": ["ninja"]})
        state = game.begin(setup)
        for chosen in (
            {GM: "active ada"},
            {"ada": "opponent ninja"},
            {"ada": "stance none", "ninja": "stance none"},
            {"ada": "move attack-high", "ninja": "move attack-low"},
            {"ada": split},
        ):
            choices = {actor: Choice.parse(text) for actor, text in chosen.items()}
            if set(choices) <= {GM, *game.pending(state).must}:
                state = game.advance(state, with_let_be(state, choices))
        assert state.fighters["ada"].zero
        return state, after_conflict(ada, state).zero

    @pytest.mark.book("energy.zero-of-one", "left.zero-of-one")
    def test_a_type_at_zero_on_entry_is_not_marked(self) -> None:
        state, marks = self.after(Energy(0, 3, 3), "split defend 3")
        assert state.fighters["ada"].zero == (Action.ATTACK, Action.DEFEND), "both stand at zero"
        assert marks == (Action.DEFEND,)
        _, marks = self.after(Energy(0, 3, 3), "split grapple 3")
        assert marks == (Action.GRAPPLE,)

    def test_an_overrule_marks_types_it_takes_to_zero(self) -> None:
        evening = Evening(party=[replace(sheets()[0], energy=Energy(0, 3, 3)), *sheets()[1:]])
        evening.duel()
        evening.decide(GM, "overrule ada defend 2 because of the fall")
        evening.end()
        assert evening.sheet("ada").zero == (Action.GRAPPLE,)


class TestTraditions:
    def state(self) -> StoryState:
        ada, *others = sheets()
        moves = (*ada.moves, KnownMove("grapple-mid", "Hook"))
        combos = {"attack-high": ("grapple-mid",)}
        dead = replace(
            ada, dead=True, level=4, decided=7, moves=moves, combos=combos,
            specials=(KnownSpecial("scouter"),),
        )  # fmt: skip
        fresh = starting(name="eva")
        state: StoryState = story_of("unroll").begin(written([dead, *others]), written([fresh]))
        return state

    def told(self, deed: str) -> StoryState:
        story, parsed = story_of("unroll"), parse_deed(deed)
        why = story.why_not(self.state(), parsed)
        if why:
            raise IllegalChoice(why)
        return story.tell(self.state(), parsed)  # type: ignore[no-any-return]

    @pytest.mark.parametrize(
        ("learned", "words"),
        [
            ("move defend-low", "level-up 1: ada did not know defend-low"),
            ("energy attack / move attack-low", "level-up 2: ada did not know attack-low"),
            ("move grapple-mid / combo attack-mid grapple-mid", "did not follow up on attack-mid"),
            ("special scouter", "cannot be handed on"),
        ],
    )
    def test_moves_unknown_to_the_deceased_are_not_handed_on(
        self, learned: str, words: str
    ) -> None:
        known = {str(move) for move in self.state().sheets["ada"].moves}
        assert not {"defend-low", "attack-low"} & known
        with pytest.raises(IllegalChoice, match=words):
            self.told(f"replace ada by eva / {learned}")

    def test_known_moves_are_handed_on_and_a_maximum_can_grow(self) -> None:
        state = self.told(
            "replace ada by eva / move grapple-mid / combo attack-high grapple-mid / energy attack"
        )
        eva = state.sheets["eva"]
        assert eva.knows("grapple-mid") and eva.combos == {"attack-high": ("grapple-mid",)}
        assert eva.level == 4

    def test_a_replacement_inherits_when_the_deceased_last_decided(self) -> None:
        assert self.told("replace ada by eva").sheets["eva"].decided == 7


def test_an_overruled_rest_needs_a_reason() -> None:
    with pytest.raises(SeatFault):
        Evening().give(i.TellStory({"do": "overrule", "holds": {"what": "rest"}, "because": ""}))
