"""The log holds the outcome of chance beside its bytes; ``facedown verify`` recomputes it."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from msgspec import UNSET
from msgspec.structs import replace

from hub.audit.verify import Verdict, verify_log
from hub.games.game import Fall
from hub.games.rulebooks import Rulebooks
from hub.table import acts as r
from hub.table.state import Phase
from tests.support.parties import BOOKS, HUB_SCENE, HubBid, HubDraw, PartiesGame
from tests.support.specialtalk import log_of
from tests.support.tabletalk import TableTalk
from tests.table.test_sealed_chance import TOYS, begun, fallen, play


def verdict(
    records: list[r.Record], games: Any = TOYS.games, *, forged: Callable[[Any], Any] | None = None
) -> Verdict:
    """The verdict of ``facedown verify``; ``forged`` changes the last event that shows chance."""
    if forged is not None:
        at = max(n for n, each in enumerate(records) if getattr(each.event, "chance", ""))
        changed = replace(records[at], event=forged(records[at].event))
        records = [*records[:at], changed, *records[at + 1 :]]
    return verify_log(log_of(records), "test", games=games)


def hub_draws() -> TableTalk:
    """Both parties draw, then ada draws once more."""
    talk = TableTalk(HUB_SCENE, rulebooks=BOOKS)
    talk.start()
    for actor in ("bo", "crow"):
        talk.decide(actor, "draw")
    talk.decide("ada", "draw")
    return talk


def shown(talk: TableTalk) -> Any:
    return next(e for e in (x.event for x in reversed(talk.records)) if getattr(e, "chance", ""))


def test_a_sealed_step_records_its_dice() -> None:
    talk = begun()
    play(talk)
    fell = shown(talk).fell
    assert fell == Fall(on={}, came={"dice": {n: [*dice] for n, dice in fallen(talk).items()}})
    found = verdict(talk.records)
    assert (found.problems, found.falls, found.falls_unknown) == ((), 1, 0)


def test_an_open_step_records_its_draw_and_the_deck() -> None:
    talk = hub_draws()
    game: Any = talk.view.game
    (first, second), (third,) = game.laid["north"], game.laid["south"]
    assert (first.by, second.by, third.by) == ("bo", "ada", "crow")
    draws = [e.event for e in talk.records if isinstance(e.event, r.Decided)]
    assert draws[0].fell is UNSET, "nobody sees the bytes before all have drawn"
    assert draws[1].fell.came == {"drawn": {"bo": first.number, "crow": third.number}}
    assert draws[1].fell.on == {"deck": [*range(1, 21)]}
    assert draws[2].fell.came == {"drawn": {"ada": second.number}}
    assert set(draws[2].fell.on["deck"]) == {*range(1, 21)} - {first.number, third.number}
    found = verdict(talk.records, BOOKS.games)
    assert (found.problems, found.falls) == ((), 2)


def test_a_pass_records_an_empty_draw() -> None:
    talk = hub_draws()
    talk.decide("crow", "pass")
    assert shown(talk).fell.came == {"drawn": {}}
    assert verdict(talk.records, BOOKS.games).problems == ()


def came(**other: Any) -> Callable[[Any], Any]:
    return lambda event: replace(event, fell=replace(event.fell, came=other))


ELSE = "chance came to something else than it says"
ON = "chance fell on something else than the log's own story gives: "


@pytest.mark.parametrize(
    ("forged", "said"),
    [
        (came(dice={"ada": [6, 6], "bo": [6, 6]}), ELSE),
        (came(dice={}), ELSE),
        (came(), ELSE),
        (lambda e: replace(e, fell=UNSET), "what chance came to is not said"),
        (lambda e: replace(e, fell=replace(e.fell, on={"ada": 2})), ON + "ada: 2, not "),
    ],
    ids=["better-dice", "no-dice", "nothing", "unsaid", "on-something"],
)
def test_dice_changed_in_the_log_are_found(forged: Callable[[Any], Any], said: str) -> None:
    talk = begun()
    play(talk)
    (problem,) = verdict(talk.records, forged=forged).problems
    assert said in problem


@pytest.mark.parametrize("deck", [[], "deck", [1, 2, None], {}, None], ids=str)
def test_a_deck_changed_in_the_log_is_found(deck: object) -> None:
    talk = hub_draws()
    (problem,) = verdict(
        talk.records,
        BOOKS.games,
        forged=lambda e: replace(e, fell=replace(e.fell, on={"deck": deck})),
    ).problems
    assert ON + "deck" in problem


def test_a_card_that_does_not_follow_from_the_bytes_is_found() -> None:
    talk = hub_draws()
    drawn = shown(talk).fell.came["drawn"]["ada"]
    forged = came(drawn={"ada": drawn % 20 + 1})
    assert ELSE in verdict(talk.records, BOOKS.games, forged=forged).problems[0]
    equal = came(drawn={"ada": float(drawn)})  # equal in Python, but not the same value
    assert ELSE in verdict(talk.records, BOOKS.games, forged=equal).problems[0]


def test_an_outcome_before_all_have_decided_is_found() -> None:
    talk = TableTalk(HUB_SCENE, rulebooks=BOOKS)
    talk.start()
    talk.decide("bo", "draw")
    last = talk.records[-1]
    event = replace(last.event, fell=Fall(on={}, came={}))
    (problem,) = verdict([*talk.records[:-1], replace(last, event=event)], BOOKS.games).problems
    assert "before everybody has decided" in problem


def test_unknown_rules_and_rules_without_outcomes_are_problems() -> None:
    talk = begun()
    play(talk)
    unjudged = verdict(talk.records, None)
    assert (unjudged.problems, unjudged.falls, unjudged.falls_unknown) == ((), 0, 1)
    (unknown,) = verdict(talk.records, {}).problems
    assert unknown == "line 2: a scene by rules that are not known here: 'toy-dice'"

    class Silent(type(TOYS.games["toy-dice"])):  # type: ignore[misc]
        tells_falls = False

    silent = {"toy-dice": Silent("toy-dice")}
    (problem,) = verdict(talk.records, silent).problems
    assert "by these rules it is not" in problem


def test_an_outcome_without_chance_is_found() -> None:
    talk = TableTalk()
    talk.begin_turn()
    last = max(n for n, e in enumerate(talk.records) if isinstance(e.event, r.Decided))
    event = replace(talk.records[last].event, fell=Fall(on={}, came={}))
    records = [*talk.records[:last], replace(talk.records[last], event=event)]
    (problem,) = verify_log(log_of(records), "test", games=talk.rulebooks.games).problems
    assert "none was drawn" in problem


def test_the_log_reveals_nothing_about_dice_before_the_reveal(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The lines are the same for all choices and bytes, except for the seals' digests."""

    def lines(approach: str, seed: int) -> list[bytes]:
        entropy = TableTalk.entropy
        monkeypatch.setattr(TableTalk, "entropy", lambda talk, n: entropy(talk, n + seed))
        talk = begun()
        for seat in ("ada", "bo"):
            talk.place(seat, f"approach {approach}")
        monkeypatch.undo()
        assert talk.phase is Phase.LOCKED
        hidden = re.compile(rb"[0-9a-f]{64}")
        return [hidden.sub(b"", row.line) for row in talk.rows]

    assert lines("careful", 0) == lines("bold", 100)


def test_a_refusal_does_not_depend_on_the_bytes() -> None:
    met: list[bytes] = []

    class Overheard(PartiesGame):
        def advance(self, state: Any, choices: Any, chance: bytes = b"", *beside: Any) -> Any:
            met.append(chance)
            return super().advance(state, choices, chance, *beside)

    games = {"parties-hub": Overheard("parties-hub", HubDraw(), HubBid())}
    talk = TableTalk(HUB_SCENE, rulebooks=Rulebooks(games, {}))
    talk.start()
    talk.decide("bo", "draw")
    talk.decide("crow", "draw")
    judged, *folded = met
    assert judged == bytes(32) and {each.hex() for each in folded} == {shown(talk).chance}
