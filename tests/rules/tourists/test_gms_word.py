"""The GM overrules a Conflict: no card is ever in two places, and the Conflict goes on."""

import json
import re
from pathlib import Path
from random import Random
from typing import Any

import pytest

from hub.games.game import GM, Choice, IllegalChoice, Word
from hub.games.tourists.rules.conflict import Control, Left, RoundOutcome
from hub.games.tourists.rules.deck import Card
from hub.games.tourists.rules.table import Table
from tests.rules.tourists.wander import GAME, begun, check, step, word

SEEDS = range(40)
KINDS = {"turned", "card", "control", "tokens", "outcome", "lasting", "loss", "no-loss", "out"}
KINDS |= {"against"}
STEPS = {"reserve", "tactics", "bid", "answers", "losses", "tell", "part", "refill", "draw"}


@pytest.mark.parametrize("draws", ["hub", "table"])
def test_the_conflict_goes_on_after_any_overrule(draws: str) -> None:
    said: set[tuple[str, str]] = set()
    for seed in SEEDS:
        chance = Random(seed)
        state = begun(seed, draws)
        check(state)
        for _ in range(80):
            at = GAME.pending(state).step
            if at == "over":
                break
            if chance.random() < 0.4:
                after, what = word(state, chance)
                if after is not None:
                    assert after != state
                    said.add((at, what))
                    state = after
            else:
                state = step(state, chance)
            check(state)
            assert GAME.pending(state).must or GAME.pending(state).step == "over"
            GAME.view(state)
        come_to_its_end(state, chance)
    assert {at for at, _ in said} >= STEPS
    assert {what for at, what in said if at == "bid"} == KINDS


def come_to_its_end(state: Table, chance: Random) -> None:
    """Let all but one concede at the end of the round."""
    for _ in range(600):
        pending = GAME.pending(state)
        if pending.step == "over":
            return
        if pending.step == "part":
            able = [who for who in GAME.actors(state) if state.conflict.is_in(who)]
            for who in able[1:]:
                state = GAME.declare(state, who, Choice("concede"))
        state = step(state, chance)
        check(state)
    raise AssertionError(f"still at {GAME.pending(state).step}")


PARTIES: dict[str, Any] = {
    "tide": {"attribute": {"name": "stone", "value": 6}, "aspects": ["patient"], "gm": True},
    "guild": {"attribute": {"name": "paper", "value": 5}, "reserve": ["51 reversed"]},
    "crew": {
        "characters": {
            "Ada": {"attribute": {"name": "serpent", "value": 4}, "weaknesses": ["in debt"]},
            "Bo": {"aspects": ["knows the docks"]},
        }
    },
}


def go(state: Table, *steps: dict[str, str]) -> Table:
    for each in steps:
        chosen = {who: Choice.parse(text) for who, text in each.items()}
        state = GAME.advance(state, chosen)
        check(state)
    return state


def say(state: Table, **holds: Any) -> Table:
    given = {key.replace("_is", ""): value for key, value in holds.items()}
    said = GAME.word(state, Word(holds=given, because="so it was"))
    after: Table = GAME.overrule(state, said)
    check(after)
    return after


def why_not(state: Table, **holds: Any) -> str:
    with pytest.raises(IllegalChoice) as refused:
        GAME.word(state, Word(holds=holds, because="so it was"))
    return str(refused.value)


@pytest.fixture
def opened() -> Table:
    """The tide has the Control by 2; no one has spoken yet."""
    state: Table = GAME.begin({"parties": PARTIES})
    return go(state, {"tide": "tactics", "guild": "tactics", "Ada": "tactics"})


@pytest.fixture
def lying(opened: Table) -> Table:
    """The guild's 39, the crew's 12 reversed, drawn by Bo; the tide is next."""
    return go(
        opened, {"guild": "drawn 39 upright"}, {"tide": "let-be"}, {"Bo": "drawn 12 reversed"}
    )


def test_an_overruled_card_leaves_its_old_place(lying: Table) -> None:
    state = say(lying, what="card", number=39, to="reserve", name="Ada", reversed=True)
    assert state.conflict.reserves["Ada"] == (Card(39, True),)
    assert state.conflict.playing().laid["guild"] == ()
    state = say(state, what="card", number=39, to="loss", name="guild")
    assert state.conflict.reserves["Ada"] == ()
    assert state.conflict.losses["guild"].temporary == (39,)
    state = say(state, what="card", number=39, to="before", name="crew", who="Ada")
    assert state.conflict.losses["guild"].temporary == ()
    # The card that is being answered stays the last.
    assert [str(c) for c in state.conflict.playing().cards("crew")] == ["39 upright", "12 reversed"]
    state = say(state, what="card", number=39, to="deck")
    assert "already in the deck" in why_not(state, what="card", number=39, to="deck")
    assert GAME.pending(state).step == "answers"
    assert go(state, {"tide": "let-be", "guild": "let-be"}, {"tide": "drawn 39 upright"})


def test_a_card_in_a_reserve_cannot_be_drawn(opened: Table) -> None:
    state = say(opened, what="card", number=39, to="reserve", name="Ada")
    why = GAME.why_not(state, "guild", Choice("drawn", "39 upright"))
    assert "is in the Reserve of Ada" in str(why)


def test_a_removed_word_is_asked_for_again(lying: Table) -> None:
    state = say(lying, what="card", number=12, to="deck")
    pending = GAME.pending(state)
    assert (pending.step, pending.must) == ("bid", ("Ada", "Bo"))


def test_a_card_is_turned_without_a_token(lying: Table) -> None:
    state = say(lying, what="turned", name="crew", number=12, reversed=False)
    assert state.conflict.playing().reversed("crew") == []
    assert state.conflict.playing().spent == 0
    assert "lies like that" in why_not(state, what="turned", name="crew", number=12, reversed=False)
    assert "does not lie before" in why_not(
        state, what="turned", name="guild", number=12, reversed=True
    )


def test_changing_an_answerable_card_asks_all_again(lying: Table) -> None:
    state = say(lying, what="turned", name="crew", number=12, reversed=False)
    assert GAME.pending(state).anew > GAME.pending(lying).anew


def test_control_is_set(opened: Table) -> None:
    state = say(opened, what="control", party="crew", ranks=3)
    assert state.conflict.control == Control("crew", 3)
    now = state.conflict.playing()
    assert (now.dominant, now.tokens, now.speakers) == ("crew", 3, ("tide", "guild", "crew"))
    state = say(state, what="control", party=None, ranks=0)
    assert GAME.pending(state).step == "draw"
    assert state.conflict.control is None


def test_control_in_the_middle_of_a_round_may_only_change_in_rank(lying: Table) -> None:
    for party, ranks in ((None, 0), ("crew", 2)):
        why = why_not(lying, what="control", party=party, ranks=ranks)
        assert "the round has begun" in why
    assert say(lying, what="control", party="tide", ranks=4).conflict.control == Control("tide", 4)
    assert "1 rank or more" in why_not(lying, what="control", party="tide", ranks=0)
    assert "already like that" in why_not(lying, what="control", party="tide", ranks=2)


def test_tokens_are_set(lying: Table) -> None:
    state = say(lying, what="tokens", left=0)
    # The tide could only have turned the card; the guild has a Reserve Card.
    assert GAME.pending(lying).must == ("tide", "guild")
    assert GAME.pending(state).must == ("guild",)
    state = say(lying, what="tokens", left=5)
    assert GAME.view(state).round.had == 5


@pytest.mark.parametrize(
    ("outcome", "by", "control"),
    [
        ("held", [], Control("tide", 3)),
        ("broken", ["guild"], Control("tide", 1)),
        ("excuse", [], Control("tide", 1)),
    ],
)
def test_the_outcome_of_a_round(
    lying: Table, outcome: str, by: list[str], control: Control | None
) -> None:
    state = say(lying, what="outcome", outcome=outcome, by=by)
    assert state.conflict.control == control
    assert GAME.pending(state).step == "losses"
    # A second overrule replaces the first.
    state = say(state, what="outcome", outcome="broken", by=["crew", "guild"])
    assert state.conflict.control == Control("tide", 1)
    assert state.conflict.playing().by == ("guild", "crew")
    state = go(state, {"Ada": "losses"})
    assert state.conflict.playing().losers == ("tide",)
    assert "only be said during a round" in why_not(state, what="outcome", outcome="held", by=[])


def test_the_outcome_of_a_balance_breaker(opened: Table) -> None:
    state = say(opened, what="control", party=None, ranks=0)
    state = say(state, what="outcome", outcome="taken", by=["crew"])
    assert state.conflict.control == Control("crew", 1)
    assert GAME.view(state).round.narrator == "crew"
    again = say(opened, what="control", party=None, ranks=0)
    assert "at least 1" in why_not(again, what="outcome", outcome="taken", by=["crew", "tide"])
    assert "not one of" in why_not(again, what="outcome", outcome="held", by=[])


def test_losses_are_set(lying: Table) -> None:
    state = say(lying, what="lasting", name="crew", who="Bo", cards=[48, 13, 21], text="limps")
    state = say(state, what="lasting", name="crew", who="Ada", cards=[60, 61, 12], text="")
    first, second = state.conflict.losses["crew"].lasting
    assert (first.gravity, first.who, first.text) == (1, "Bo", "limps")
    assert (second.gravity, second.who) == (2, "Ada")
    assert state.conflict.playing().laid["crew"] == ()  # the 12 lay there
    state = say(state, what="loss", name="crew", loss=1, who="Ada", text="is lame", face_down=[13])
    first = state.conflict.losses["crew"].lasting[0]
    assert (first.who, first.text, first.face_down) == ("Ada", "is lame", frozenset({13}))
    assert "say first" in why_not(state, what="card", number=13, to="deck")
    state = say(state, what="no-loss", name="crew", number=21)
    (left,) = state.conflict.losses["crew"].lasting
    assert (left.cards, left.gravity) == ((60, 61, 12), 1)
    assert "no such Loss" in why_not(state, what="no-loss", name="crew", number=21)
    assert "3 cards" in why_not(state, what="lasting", name="crew", who="Bo", cards=[5, 5, 6])
    assert "no card 3" in why_not(state, what="lasting", name="crew", who="Bo", cards=[5, 3, 6])
    assert "not one of" in why_not(state, what="lasting", name="crew", who="tide", cards=[5, 7, 6])


def test_five_reversed_cards_wipe_out_at_once(opened: Table, lying: Table) -> None:
    """Counts cards of any member; one that is still being answered counts when it is settled."""

    def lies(state: Table, name: str, who: str, *numbers: int) -> Table:
        for number in numbers:
            holds = {"number": number, "name": name, "who": who, "reversed": True}
            state = say(state, what="card", to="before", **holds)
        return state

    four = lies(lying, "guild", "guild", 60, 61, 62, 63)
    assert four.conflict.out == {}
    fifth = lies(four, "guild", "guild", 64)
    assert fifth.conflict.out == {"guild": Left.WIPED_OUT}
    assert fifth.conflict.playing().speakers == ("crew", "tide")
    back = say(fifth, what="out", name="guild", out=False)
    assert back.conflict.out == {}, "whom the GM brings back stays"
    turned = say(four, what="turned", name="guild", number=39, reversed=True)
    assert turned.conflict.out == {"guild": Left.WIPED_OUT}
    # Bo's 12 is the crew's fifth, and can still be turned.
    answered = lies(lying, "crew", "Ada", 60, 61, 62, 63)
    assert answered.conflict.out == {}
    assert GAME.pending(answered).step == "answers"
    saved = go(GAME.declare(answered, "tide", Choice("turn")), {"guild": "let-be"})
    assert saved.conflict.out == {}
    lost = go(answered, {"tide": "let-be", "guild": "let-be"})
    assert lost.conflict.out == {"crew": Left.WIPED_OUT}
    dominant = lies(opened, "tide", "tide", 60, 61, 62, 63, 64)
    assert dominant.conflict.out == {"tide": Left.WIPED_OUT}
    assert dominant.conflict.playing().outcome is RoundOutcome.DOMINANT_OUT
    assert GAME.pending(dominant).step == "tell"


def test_a_party_is_put_out_and_back_in(lying: Table) -> None:
    state = say(lying, what="out", name="guild", out=True, wiped_out=True)
    assert state.conflict.out == {"guild": Left.WIPED_OUT}
    assert state.conflict.playing().speakers == ("crew", "tide")
    assert "already out" in why_not(state, what="out", name="guild", out=True)
    back = say(state, what="out", name="guild", out=False)
    assert back.conflict.playing().speakers == ("guild", "crew", "tide")
    assert back.conflict.out == {}
    assert [str(card) for card in back.conflict.playing().cards("guild")] == ["39 upright"]
    alone = say(state, what="out", name="Bo", out=True)
    assert alone.conflict.characters_in("crew") == ("Ada",)
    gone = say(alone, what="out", name="Ada", out=True)
    assert gone.conflict.over or gone.conflict.playing().outcome is RoundOutcome.HELD
    assert "only a whole party" in why_not(state, what="out", name="Ada", out=True, wiped_out=True)
    assert "is not in the Conflict" in why_not(state, what="out", name="stranger", out=True)


def test_the_dominant_is_put_out_and_back_in(lying: Table) -> None:
    state = say(lying, what="out", name="tide", out=True)
    assert state.conflict.control is None
    assert state.conflict.playing().outcome is RoundOutcome.DOMINANT_OUT
    assert "say first that it is in" in why_not(state, what="outcome", outcome="held", by=[])
    back = say(state, what="out", name="tide", out=False)
    assert back.conflict.control == Control("tide", 2)
    assert GAME.pending(back).step == "bid"


def test_between_rounds_only_lasting_values_can_be_overruled() -> None:
    state: Table = GAME.begin({"parties": PARTIES})
    assert GAME.pending(state).step == "tactics"
    assert {each.value for each in GAME.overrules(state)} == KINDS - {
        *("tokens", "outcome", "turned", "loss", "no-loss")
    }
    assert "only be said during a round" in why_not(state, what="tokens", left=3)
    over = say(say(state, what="out", name="tide", out=True), what="out", name="crew", out=True)
    assert GAME.pending(over).step == "parting-draw"
    assert GAME.view(over).result.winner == "guild"


def test_no_overrule_while_a_card_is_awaited(lying: Table) -> None:
    state = say(lying, what="card", number=70, to="loss", name="crew")
    asked = GAME.declare(state, "guild", Choice("reject"))
    assert GAME.pending(asked).step == "redraw"
    assert GAME.overrules(asked) == ()
    assert "that comes first" in why_not(asked, what="tokens", left=3)


def test_cards_laid_against_a_conceding_character_are_set(opened: Table) -> None:
    state = say(opened, what="against", name="Ada", times=2)
    state = say(state, what="out", name="Ada", out=True)
    assert GAME.view(state).members["Ada"].draws == 3


@pytest.mark.parametrize(
    ("holds", "why"),
    [
        ({"what": "card", "number": 3, "to": "deck"}, "there is no card 3 in this deck"),
        ({"what": "card", "number": 40, "to": "mars"}, "this is not a word of the GM’s"),
        ({"what": "card", "number": 40, "to": "before", "name": "crew"}, "not one of Ada"),
        ({"what": "card", "number": 40, "to": "reserve", "name": "crew"}, "not one of"),
        ({"what": "card", "number": 40, "to": "loss", "name": "x"}, "not a party that is still in"),
        ({"what": "lasting", "name": "crew", "cards": [1] * 65}, "this is not a word of the GM’s"),
        ({"what": "tokens", "left": 1000}, "this is not a word of the GM’s"),
        ({"what": "tokens", "left": 2}, "it is already like that"),
        (
            {"what": "loss", "name": "crew", "loss": 1, "who": "Ada", "text": "a\nb"},
            "this is not a word of the GM’s",
        ),
        ({"what": "loss", "name": "crew", "loss": 1, "who": "Ada"}, "has 0 Lasting Losses"),
        ({"what": "control", "party": "moon", "ranks": 2}, "not a party that is still in"),
        ({"what": "nothing"}, "this is not a word of the GM’s"),
    ],
)
def test_a_bad_overrule_is_refused_with_its_reason(
    opened: Table, holds: dict[str, Any], why: str
) -> None:
    assert why in why_not(opened, **holds).replace("'", "’")


def test_an_excuse_cannot_be_placed_by_an_overrule(opened: Table) -> None:
    why = why_not(opened, what="card", number=4, to="before", name="guild")
    assert "say how the round ends" in why


def test_a_rejected_card_placed_by_the_gm_is_no_longer_discarded(lying: Table) -> None:
    state = say(lying, what="card", number=70, to="loss", name="crew")
    state = GAME.declare(state, "guild", Choice("reject"))
    state = go(state, {"Bo": "drawn 33 upright"})
    assert [card.number for card in GAME.view(state).round.discarded] == [12]
    state = say(state, what="card", number=12, to="reserve", name="Ada")
    assert GAME.view(state).round.discarded == ()


def test_the_reserve_of_a_party_that_left_is_not_awaited() -> None:
    parties = PARTIES | {"guild": PARTIES["guild"] | {"reserve_max": 2}}
    del parties["guild"]["reserve"]
    state: Table = GAME.begin({"parties": parties})
    assert GAME.pending(state).step == "reserve"
    state = say(state, what="out", name="guild", out=True)
    assert GAME.pending(state).step == "tactics"


def test_a_card_of_a_party_that_left_is_not_answered(lying: Table) -> None:
    state = say(lying, what="out", name="crew", out=True)
    pending = GAME.pending(state)
    assert (pending.step, pending.must) == ("bid", ("tide",))


def test_an_order_that_no_longer_fits_reverts_to_the_table_order() -> None:
    state: Table = GAME.begin({"parties": PARTIES})
    state = GAME.declare(state, GM, Choice("order", "crew,guild"))
    state = say(state, what="control", party="crew", ranks=1)
    state = go(state, {"tide": "tactics", "guild": "tactics", "Ada": "tactics"})
    assert state.conflict.playing().speakers == ("tide", "guild", "crew")


def test_a_party_that_left_does_not_narrate(lying: Table) -> None:
    state = say(lying, what="outcome", outcome="held", by=[])
    state = go(state, {"Ada": "losses"}, {"tide": "told"})
    assert GAME.view(state).round.narrator == "guild"
    state = say(state, what="out", name="guild", out=True)
    assert GAME.view(state).round.narrator == "crew"
    state = go(state, {"Bo": "told"})
    assert GAME.pending(state).step == "part"


def test_the_page_lists_every_clause_in_its_valid_form() -> None:
    page = (Path(__file__).parents[3] / "docs/rules/conflict-word.md").read_text(encoding="utf-8")
    told = re.findall(r"`(\{\"what\":[^`]+\})`", page)
    kinds = set()
    for each in told:
        values = each.replace("…", '"x"').replace("PARTY", '"x"')
        kinds.add(GAME.gms_word.holds(Word(holds=json.loads(values), because="so")).clause)
    assert kinds - {"in"} == KINDS
