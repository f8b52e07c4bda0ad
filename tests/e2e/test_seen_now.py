"""Views for pages are computed once per state, and a cached view is never shown too late."""

from collections.abc import Collection
from typing import Any

import pytest

from hub.games.story import parse_deed
from hub.kernel.memo import Memo
from hub.ports import Hindrance, ReaderTroubled
from hub.table import acts as i
from hub.table.acts import StorySheets
from hub.table.desk import matters
from hub.table.private_views import console_view, hand_view
from hub.table.seating import cast
from hub.table.views import deeds, questions
from hub.wire.private_frames import console_frame, hand_frame
from tests.e2e.test_runner import DECK, TAGS, begin_turn, running
from tests.support.box import Box
from tests.support.evening import cast as sheets


def shown(box: Box) -> dict[str, Any]:
    """Return the views that the runner caches."""
    runner = box.runner
    found: dict[str, Any] = {f"hand {seat}": runner.hand(seat) for seat in runner.settings.seats}
    found |= {"console": runner.console(), "questions": runner.questions()}
    return found | {"deeds": tuple(runner.deeds()), "cast": tuple(runner.cast())}


def true(box: Box, hindrances: Collection[Hindrance], stuck: tuple[str, ...]) -> dict[str, Any]:
    """Return the same views, all computed now."""
    runner, state, desk = box.runner, box.runner.state, box.runner._desk
    settings = runner.settings
    found: dict[str, Any] = {
        f"hand {seat}": hand_frame(hand_view(state, settings, seat, desk))
        for seat in settings.seats
    }
    console = console_view(state, settings, desk)
    found["console"] = console_frame(console, hindrances, stuck)
    found |= {"questions": questions(state), "deeds": deeds(state), "cast": cast(state)}
    return found


async def an_evening(box: Box) -> list[str]:
    """Play an evening, and return the views that were wrong at any moment."""
    wrong: set[str] = set()
    signals: set[str] = set()
    blind: set[bool] = set()

    def look(*hindrances: Hindrance, stuck: tuple[str, ...] = ()) -> None:
        told, is_so = shown(box), true(box, hindrances, stuck)
        wrong.update(what for what in is_so if told[what] != is_so[what])
        again = shown(box)
        if not wrong:
            assert [
                w for w in told if w.startswith(("hand", "con")) and told[w] is not again[w]
            ] == []
        signals.update(matters(box.runner.state, box.runner._desk).values())
        blind.update(spot.blind for spot in box.runner._desk.values())

    await box.runner.apply(i.BeginStory("unroll", StorySheets(sheets())))
    look()
    await box.runner.apply(i.Request(i.TellStory(parse_deed("countdown new 4 The tide"))))
    look()
    await begin_turn(box)
    look()
    for cards in (("stance none",), ("stance none", "?"), (), ("move surrender",), ()):
        await box.show("ada", cards)
        look()
        await box.wait(1000)
        look()
    for is_blind in (True, False):
        await box.give(box.runner.reported(ReaderTroubled("ada", 1, 0, blind=is_blind)))
        look()
    await box.down("ada")
    look()
    await box.up("ada")
    look()
    box.runner.hinder("a part", Hindrance.OPEN_BROKER)
    look(Hindrance.OPEN_BROKER)
    box.runner.hinder("a part", None)
    box.runner.note_stuck(["ada"])
    look(stuck=("ada",))
    assert len(signals) > 1 and blind == {True, False}, "too little happened"
    return sorted(wrong)


async def test_cached_views_are_current() -> None:
    async with Box(DECK, TAGS) as box, running(box):
        assert await an_evening(box) == []


@pytest.mark.parametrize("forgets", ["state", "the rest"])
async def test_a_stale_view_is_found(monkeypatch: pytest.MonkeyPatch, forgets: str) -> None:
    class Forgetful(Memo):
        """The memo of what people are shown."""

        def of(self, name: str, parts: Any, make: Any, same: Any = None) -> Any:
            if forgets == "state":
                return super().of(name, (), make, same)
            return super().of(name, parts, make)

    monkeypatch.setattr("hub.daemon.runner.Memo", Forgetful)
    async with Box(DECK, TAGS) as box, running(box):
        found = await an_evening(box)
    both = ["console", "hand ada"]
    assert (
        set(found) >= {*both, "questions", "deeds", "cast"} if forgets == "state" else found == both
    )
