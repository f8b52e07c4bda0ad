"""Whole reveals, frame by frame in a real browser, compared with the score that the page plays.

A cue's effect shows in no frame before the cue is called, and all effects show in the end. The cues
must follow from the events: one for each card, a strike for each special, the verdict, each term of
the loss, each point, and each character who goes out.
"""

from typing import Any

import pytest
from msgspec import Struct, convert, to_builtins

from hub.games import registry
from hub.games.game import Choice
from hub.table import acts as i
from hub.table.acts import SceneSetup
from hub.web import feeds
from tests.adapters.web.conftest import Looker, OpenPages, Pages
from tests.adapters.web.playing import SCENE, PlayedTable, energy
from tests.support.bare import BARE
from tests.support.browser import console
from tests.support.frames import MOST_JERKY, Film, Frame, film

LISTEN = """
record.cues = [];
const note = (cue, detail) => record.cues.push({ at: performance.now(), cue, ...detail });
const { $load } = await import(document.querySelector("script[type=module]").src);
return $load["js/core/score.js"]().onCue(note) && true;
"""
CHARACTERS: dict[str, Any] = SCENE["characters"]  # type: ignore[assignment]
WEAK = {**CHARACTERS["ninja"], "energy": energy(0, 3, 0)}
BOOKS = ("unroll", "iron-triangle", "iron-triangle-1e")
PARTS = ("stance", "own_stance", "base", "combo", "disadvantage", "special")


class Called(Struct):
    cue: str
    at: float
    """ms since the page was opened."""


def view_of(table: PlayedTable) -> dict[str, Any]:
    return to_builtins(table.announcement().view.game)  # type: ignore[no-any-return]


def locked(table: PlayedTable, ruleset: str, special: str = "") -> None:
    """All moves are in, and the ninja has nothing left after losing."""
    ada = {**CHARACTERS["ada"], "specials": [special] if special else []}
    setup = {
        "sides": {"heroes": ["ada", "bo"], "elbow-clan": ["ninja"]},
        "characters": {"ada": ada, "bo": CHARACTERS["bo"], "ninja": WEAK},
    }
    table.tell(i.Request(i.StartScene(), scene=("The scroll", SceneSetup(ruleset, setup))))
    for seat in table.settings.seats:
        table.lay(seat)
    table.decide("gm", "active ada")
    table.decide("ada", "opponent ninja")
    table.both("stance", ada="grapple 2", ninja="defend 1")
    if special:
        table.lay("north", f"special {special}")
        table.lay("north")
    table.lay("gm", "move defend-low")
    table.lay("north", "move grapple-high")


def points(view: dict[str, Any]) -> int:
    return sum(sum(one["energy"].values()) for one in view["characters"].values())


def out(view: dict[str, Any]) -> int:
    return sum(one["out"] or one["dead"] for one in view["characters"].values())


def cues_of(before: dict[str, Any], after: dict[str, Any]) -> list[str]:
    """Return the cues that the book requires between two states."""
    turn, was = after["turn"], before["turn"]
    shown = turn["moves"] and not was["moves"]
    judged = turn["outcome"] and not was["outcome"]
    losses = turn["losses"].values() if judged else ()
    terms = [sum(bool(loss[part]) for part in PARTS) + loss["capped"] for loss in losses]
    return [
        *["turn"] * (2 if shown else 0),
        *["strike"] * (len(turn["specials"]) - len(was["specials"])),
        *["verdict"] * (1 if judged else 0),
        *["term"] * max(terms, default=0),
        *["loss"] * (points(before) - points(after)),
        *["knock-out"] * (out(after) - out(before)),
    ]


def count(frame: Frame, what: str) -> int:
    return sum(each.startswith(what) for each in frame.all)


def played(frame: Frame, start: Frame) -> dict[str, int]:
    """Return how much of each cue's effect a frame shows beyond ``start``."""
    work = {"verdict": "H2|verdict", "loss": "svg|sign lost", "knock-out": "SPAN|gone"}
    shown = {cue: count(frame, each) - count(start, each) for cue, each in work.items()}
    terms = count(frame, "SPAN|term|")
    return shown | {
        "turn": sum(frame.turned(each) - start.turned(each) for each in ("move", "option")),
        "strike": frame.turned("special") - start.turned("special"),
        # The total appears with the first of them.
        "term": max(0, terms - 1) if count(start, "SPAN|term|") == 0 else 0,
    }


async def drawn(looker: Looker) -> None:
    """Wait until the page's current text is in a frame; the newest frame may be older than the
    text."""
    await looker.run("record.mark = record.frames.length")
    await looker.until("record.frames.length > record.mark + 2")


async def reached(looker: Looker, seq: int) -> tuple[Film, list[Called]]:
    """Wait until a state's moment is over and the page has been drawn since."""
    await looker.until(
        f"record.arrived[{seq}] < performance.now() && document.querySelector('.still')"
    )
    await drawn(looker)
    record: Any = await looker.run("return window.record")
    return film(record), convert(record["cues"], list[Called])


def held(took: Film, called: list[Called], wanted: list[str], seq: int) -> dict[str, int]:
    """Compare the frames with the score; return how much of it the last frame shows."""
    heard = [each.cue for each in called if each.cue not in {"sealed", "all-sealed", "roll"}]
    left = iter(wanted)
    assert all(cue in left for cue in heard), (heard, wanted)
    # A cue that comes much too late, on a stalled machine, is not called.
    assert heard
    assert len(took.frames) >= MOST_JERKY, "too few frames: nothing was looked at"
    start = [frame for frame in took.frames if frame.at < took.arrived[str(seq)]][-1]
    first = next((each.at for each in called if each.cue in wanted), 0.0)
    for frame in took.frames:
        if frame.at < took.arrived[str(seq)]:
            continue
        if frame.at < first:
            assert not any(played(frame, start).values()), "before the first cue"
        for cue, much in played(frame, start).items():
            soon = [each for each in called if each.cue == cue and each.at <= frame.at]
            missed = wanted.count(cue) - heard.count(cue)
            assert much <= len(soon) + missed, f"{cue} in a frame before its time"
    return played(took.frames[-1], start)


@pytest.mark.parametrize("distance", ["near", "room"])
@pytest.mark.parametrize("ruleset", BOOKS)
async def test_a_turn_is_shown_cue_by_cue(
    pages: Pages, filmed: Looker, ruleset: str, distance: str
) -> None:
    table = pages.table
    locked(table, ruleset, "wax-on-attack" if ruleset == "unroll" else "")
    await filmed.open(pages.url(f"display?{distance}"))
    await filmed.until_says("All cards are in")
    await filmed.run(LISTEN)
    await drawn(filmed)
    before = view_of(table)
    table.tell(i.Tick(), table.settings.reveal_delay_ms)
    after = view_of(table)
    wanted = cues_of(before, after)
    assert {"turn", "verdict", "term", "loss", "knock-out"} <= {*wanted}
    took, called = await reached(filmed, table.state.seq)
    last = held(took, called, wanted, table.state.seq)
    assert last["turn"] == 2
    if distance == "near":
        # For a room, a special is a line below the cards.
        assert last["strike"] == wanted.count("strike")
    assert last["loss"] == wanted.count("loss")
    assert last["knock-out"] == 1
    assert console(filmed.browser) == []


async def test_a_loss_with_a_split_breaks_token_by_token(pages: Pages, filmed: Looker) -> None:
    table = pages.table
    table.start()
    table.book_example()
    await filmed.open(pages.url("display?near"))
    await filmed.until_says("Ninja decides what to give up")
    await filmed.run(LISTEN)
    await drawn(filmed)
    before = view_of(table)
    choice = Choice.parse("split attack 5 defend 4 grapple 4")
    table.tell(i.Decide("ninja", str(choice)))
    table.let_be()
    seq = table.state.seq
    took, called = await reached(filmed, seq)
    wanted = cues_of(before, view_of(table))
    assert wanted == ["loss"] * 13
    assert held(took, called, wanted, seq)["loss"] == 13


PROBLEMS = [
    ("unroll", "option 4", "option 1", "Only 1s and 4s"),
    ("unroll", "option 3", "option 3", "The numbers are level"),
    ("iron-triangle", "option 3", "option 1", "The highest number tells."),
]


def posed(table: PlayedTable, ruleset: str, ada: str, bo: str) -> None:
    """All numbers of a problem are in."""
    setup = {"problem": "The bridge is down", "characters": {"ada": {}, "bo": {}}}
    table.tell(
        i.Request(i.StartScene(), scene=("The ravine", SceneSetup(f"{ruleset}-problem", setup)))
    )
    for seat in table.settings.seats:
        table.lay(seat)
    table.lay("north", ada)
    table.lay("south", bo)


async def test_a_problem_is_shown_cue_by_cue(pages: Pages, filmed: Looker) -> None:
    table = pages.table
    posed(table, "unroll", "option 3", "option 1")
    await filmed.open(pages.url("display?near"))
    await filmed.until_says("All cards are in")
    await filmed.run(LISTEN)
    await drawn(filmed)
    table.tell(i.Tick(), table.settings.reveal_delay_ms)
    took, called = await reached(filmed, table.state.seq)
    held(took, called, ["turn", "turn", "verdict"], table.state.seq)
    assert "The highest number tells." in await filmed.text(".headline")
    assert count(took.frames[-1], "H2|verdict") == 1


async def test_a_problem_says_who_narrates_and_why(pages: Pages, looker: Looker) -> None:
    for ruleset, ada, bo, why in PROBLEMS:
        posed(pages.table, ruleset, ada, bo)
        pages.table.reveal()
        await looker.open(pages.url("display?near"))
        await looker.until_says(why, ".headline")
        pages.table.tell(i.EndScene())


async def test_a_family_without_pages_follows_the_same_clock(
    open_pages: OpenPages, filmed: Looker, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(registry, "FAMILIES", (*registry.FAMILIES, BARE))
    pages = await open_pages()
    table = pages.table
    setup = {"number": 13, "players": {"ada": {"tokens": 9}, "bo": {}}}
    table.tell(i.Request(i.StartScene(), scene=("The river", SceneSetup("toy-dice", setup))))
    for seat in table.settings.seats:
        table.lay(seat)
    table.lay("north", "approach bold")
    table.lay("south", "approach careful")
    await filmed.open(pages.url("display?near"))
    await filmed.until_says("All cards are in")
    await filmed.run(LISTEN)
    await drawn(filmed)
    table.tell(i.Tick(), table.settings.reveal_delay_ms)
    await filmed.until_says("Dice")
    took, called = await reached(filmed, table.state.seq)
    held(took, called, ["turn"], table.state.seq)
    told = [any("Dice" in each for each in frame.all) for frame in took.frames]
    assert told[-1]
    came = took.arrived[str(table.state.seq)]
    assert took.frames[told.index(True)].at >= came + 1500 - 1


async def test_a_page_that_joins_late_sees_only_the_rest(
    pages: Pages, filmed: Looker, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It learns that the cards are already turning over; the verdict is still to come."""
    table = pages.table
    locked(table, "unroll")
    before = view_of(table)
    monkeypatch.setattr(feeds, "LONGEST_MS", 4000)
    table.tell(i.Tick(), table.settings.reveal_delay_ms)
    shown = pages.server._live._showing
    then_s = shown._clock() + 0.5
    monkeypatch.setattr(shown, "_clock", lambda: then_s)
    await filmed.open(pages.url("display?near"))
    await filmed.until("document.querySelectorAll('.slot.move .card.up').length === 2")
    await filmed.run(LISTEN)
    took, called = await reached(filmed, table.state.seq)
    wanted = cues_of(before, view_of(table))
    heard = [each.cue for each in called]
    left = iter(wanted)
    assert all(cue in left for cue in heard), (heard, wanted)
    verdicts = [count(frame, "H2|verdict") for frame in took.frames if frame.cards]
    assert verdicts[0] == 0
    assert verdicts[-1] == 1
