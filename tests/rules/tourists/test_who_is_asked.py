"""Random Conflicts: their invariants hold, and exactly those with a legal answer are asked.

All answers are tried by the words of a round alone, on every card.
"""

from collections import Counter
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

from hub.games.game import IllegalChoice
from hub.games.registry import game_of
from hub.games.tourists.reasons import Refused
from hub.games.tourists.rules import answers, declarations, game, table
from hub.games.tourists.rules.conflict import Conflict
from hub.games.tourists.rules.deck import Card
from hub.games.tourists.rules.table import Stage, Table
from tests.rules.tourists.properties import ALL, Chance, Watched, parties_by
from tests.rules.tourists.talk import Talk

WALKS = 80
MOST_WORDS = 200
GAME: Any = game_of("tourists")


def tried(word: Any, *said: Any) -> Refused | None:
    """The reason for a refusal, or None."""
    try:
        word(*said)
    except Refused as no:
        return no
    return None


def rejects(conflict: Conflict, by: str, on: str) -> bool:
    for number in sorted(ALL):
        no = tried(answers.reject, conflict, by, Card(number), None, on)
        if no is None or no.part != ("redraw",):
            return no is None
    return False


def covers(conflict: Conflict, who: str, on: str) -> bool:
    whys: list[Any] = [
        text
        for party in conflict.parties.values()
        for sheet in party.sheets.values()
        for text in (*sheet.aspects, *sheet.weaknesses)
    ]
    whys += [mark for losses in conflict.losses.values() for mark in losses.marks()]
    return any(
        tried(answers.cover, conflict, who, card, why, on) is None
        for card in conflict.reserves[who]
        for why in whys
    )


def able(conflict: Conflict) -> Iterator[str]:
    """Players who can answer any of the cards."""
    now = conflict.playing()
    if now.dominant is None:
        lying = [*now.laid] if all(now.laid.values()) else []
    else:
        lying = [now.answerable] if now.answerable else []
    for who, party in conflict.party_of.items():
        if not conflict.is_in(who):
            continue
        if any(
            tried(answers.turn, conflict, party, on) is None
            or rejects(conflict, party, on)
            or covers(conflict, who, on)
            for on in lying
        ):
            yield who


class Judge:
    """Replaces the step by which a state goes on: compares who could answer with who is asked."""

    def __init__(self) -> None:
        self.asked = 0
        self.spared = 0
        self.real = table.flow

    def __call__(self, raw: Table) -> Table:
        after = self.real(raw)
        waits = raw.cover is not None or raw.rejection is not None
        if raw.stage is not Stage.ROUND or raw.conflict.playing().outcome or waits or raw.quiet:
            return after
        if not answers.answerable(raw.conflict):
            return after
        wanted = {*able(raw.conflict)} - raw.let_all
        pending = GAME.pending(after)
        if wanted:
            assert pending.step == "answers", f"{wanted} could have answered"
            assert {*pending.must} == wanted
            self.asked += 1
        else:
            assert pending.step != "answers" or after.conflict != raw.conflict, pending.must
            self.spared += 1
        return after


@pytest.mark.book("t4.gone", "t4.kept", "overview.control", "bidding.fifth", "t11.who")
def test_random_conflicts_keep_the_invariants_and_ask_exactly_those_who_can_answer(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The Conflicts cover all words."""
    judge, reached = Judge(), Counter[str]()
    for module in (game, declarations):
        monkeypatch.setattr(module, "flow", judge)
    for seed in range(WALKS):
        chance = Random(seed)
        talk = Talk(parties_by(chance), begun=False)
        talk.checked = Watched()
        somebody = Chance(talk, chance)
        for _ in range(MOST_WORDS):
            if not talk.pending.must:
                break
            try:
                reached[somebody.word()] += 1
            except IllegalChoice:  # two drew the same card, or no reason allows a Reserve Card
                reached["refused"] += 1
        reached["over"] += talk.step == "over"
    wanted = ("reserve", "tactics", "draw", "bid", "answers", "because", "loss", "redraw", "story",
              "losses", "tell", "part", "refill", "parting-draw", "turn", "reject", "cover",
              "concede", "reframe", "ask-again", "whose", "over")  # fmt: skip
    assert [word for word in wanted if not reached[word]] == [], reached
    assert reached["refused"] < sum(reached.values()) / 5
    assert judge.asked > 100 and judge.spared > 100, (judge.asked, judge.spared)
