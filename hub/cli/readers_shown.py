"""The output of ``facedown readers``: a table on a terminal, plain lines elsewhere, or JSON."""

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from time import monotonic
from typing import Any, Protocol

from msgspec import to_builtins
from rich.console import Console
from rich.live import Live
from rich.table import Table
from rich.text import Text

from hub.cards.deck import Deck
from hub.kernel.reasons import Reason
from hub.readers.address import Address
from hub.readers.board_reports import BoardFigures
from hub.readers.causes import text
from hub.readers.figures import Measured
from hub.readers.verdicts import Level, Verdict
from hub.wire.strangers import Strange

_COLOURS = {Level.OK: "green", Level.NOTE: "yellow", Level.WRONG: "red"}
_STATE_CHARS = 19  # the length of "a card of this deck"
_TAGS = frozenset(Strange)


class Shown(Protocol):
    """A form of output for ``facedown readers``. ``readers``: a reader's name → its
    measurements."""

    def show(self, readers: Mapping[str, Measured]) -> None:
        """Show the present state of the readers. Called after each change, and regularly without
        one."""

    def judge(self, told: Sequence[Verdict], readers: Mapping[str, Measured]) -> None:
        """Show the verdicts at the end. ``told`` is empty if this was no test."""


class Naming:
    """Describes the card on a reader. ``names``: whether the description may name a card of
    ``deck``."""

    def __init__(self, deck: Deck | None, language: str, *, names: bool) -> None:
        self._deck = deck
        self._names = names
        self.say = partial(text, language)
        self.language = language

    def __call__(self, tag: str) -> str:
        """Describe a tag. ``tag``: the tag's id, or the value of a :class:`Strange`."""
        if tag in _TAGS:
            return self.say(f"lies.{tag.removeprefix('?')}")
        if self._deck is None:
            return self.say("lies.card")
        card = self._deck.card(tag)
        if card is None:
            return self.say("lies.other-deck")
        if not self._names:
            return self.say("lies.this-deck")
        return f"{card.choice}{f' ({card.group})' if card.group else ''}"


@contextmanager
def shown(
    readers: Mapping[str, Address],
    deck: Deck | None,
    *,
    names: bool,
    as_json: bool,
    seconds: float | None,
    test: bool,
    language: str,
) -> Iterator[Shown]:
    """Yield the output in the form that the options ask for and the terminal can show.

    ``names``: cards may be named. ``seconds``: how long the readers are watched; None: until
    Ctrl-C.
    """
    naming = Naming(deck, language, names=names)
    if as_json:
        yield _Json(readers, naming)
        return
    console = Console(highlight=False, markup=False)
    if not console.is_terminal:
        if test:
            print(naming.say("test"), flush=True)
        yield _Lines(naming)
        return
    with Live(console=console, refresh_per_second=4, transient=False) as live:
        yield _Screen(live, naming, seconds, test=test)


def state_of(it: Measured, naming: Naming) -> str:
    """A reader's present state, in a few words."""
    if it.up:
        lies = ", ".join(map(naming, it.lies)) or naming.say("lies.nothing")
        anew = [naming.say(f"board.{why}") for why in it.board.restarts] if it.board else []
        return "; ".join((lies, *anew))
    return naming.say(f"lost.{it.cause}" if it.cause else "starting")


class _Lines:
    """Prints a line for each change of a reader's state, and the verdicts at the end."""

    def __init__(self, naming: Naming) -> None:
        self._naming = naming
        self._told: dict[str, str] = {}

    def show(self, readers: Mapping[str, Measured]) -> None:
        for name, it in readers.items():
            state = state_of(it, self._naming)
            if it.chip and it.up:
                state = f"{it.chip}: {state}"
            if self._told.get(name) != state and (it.up or it.cause):
                self._told[name] = state
                print(f"{name}: {state}", flush=True)

    def judge(self, told: Sequence[Verdict], readers: Mapping[str, Measured]) -> None:
        for verdict in told:
            what, do = verdict.told(self._naming.language)
            said = self._naming.say("do", what=what, do=do) if do else what
            level = self._naming.say(f"level.{verdict.level}")
            print(f"{verdict.reader}: {level}: {said}")
        if not told:
            for name, it in readers.items():
                print(f"{name}: {_numbers(it, self._naming)}")
        for name, it in readers.items():
            if it.board is not None:
                print(f"{name}: {_of_board(it.board, self._naming)}")


def _numbers(it: Measured, naming: Naming) -> str:
    p50, p99, longest = it.look_ms
    numbers = {"missed": it.missed, "disturbances": it.disturbances, "losses": it.losses}
    if not it.looks:
        return naming.say("no-looks", **numbers)
    return naming.say("numbers", looks=it.looks, p50=p50, p99=p99, longest=longest, **numbers)


def _of_board(board: BoardFigures, naming: Naming) -> str:
    minutes, seconds = divmod(board.uptime_s, 60)
    volts = f"{board.supply_mv / 1000:.1f}"
    return naming.say(
        "board",
        time=f"{minutes // 60}:{minutes % 60:02}:{seconds:02}",
        kilobytes=board.free_bytes // 1000,
        volts=naming.say("board.volts", volts=volts) if board.supply_mv else "",
        damaged=board.damaged,
        repeated=board.repeated,
    )


class _Screen:
    def __init__(self, live: Live, naming: Naming, seconds: float | None, *, test: bool) -> None:
        self._live = live
        self._naming = naming
        self._test = test
        self._until = monotonic() + seconds if seconds else None

    def show(self, readers: Mapping[str, Measured]) -> None:
        self._live.update(self._table(readers))

    def judge(self, told: Sequence[Verdict], readers: Mapping[str, Measured]) -> None:
        self._live.update(self._table(readers))
        self._live.stop()
        for verdict in told:
            line = Text(f"{verdict.reader}: ", style="bold")
            what, do = verdict.told(self._naming.language)
            line.append(what, style=_COLOURS[verdict.level])
            if do:
                line.append(f"\n  → {do}", style="not bold")
            self._live.console.print(line)
        for name, it in readers.items():
            if it.board is not None:
                self._live.console.print(f"{name}: {_of_board(it.board, self._naming)}")

    def _table(self, readers: Mapping[str, Measured]) -> Table:
        say = self._naming.say
        title = say("test") if self._test else None
        if self._until is not None:
            left = round(max(0.0, self._until - monotonic()))
            title = f"{title or ''} {say('left', seconds=left)}".strip()
        table = Table(
            title=title, title_justify="left", title_style="bold", box=None, pad_edge=False
        )
        table.add_column(say("head.reader"), overflow="fold", min_width=6)
        table.add_column(say("head.chip"), no_wrap=True)
        table.add_column(say("head.lies"), min_width=_STATE_CHARS)
        for head in ("times", "missed", "failed", "lost"):
            table.add_column(say(f"head.{head}"), justify="right", no_wrap=True)
        for name, it in readers.items():
            times = " ".join(f"{ms:.0f}" for ms in it.look_ms) + " ms" if it.looks else ""
            state = Text(state_of(it, self._naming), style="" if it.up else "red")
            counts = (it.missed, it.disturbances, it.losses)
            bad = [Text(str(n), style="red" if n else "dim") for n in counts]
            table.add_row(Text(name), it.chip, state, times, *bad)
        return table


class _Json:
    """Prints JSON: a line for each reader at each change and at least once a second, then a line
    for each verdict."""

    def __init__(self, readers: Mapping[str, Address], naming: Naming) -> None:
        self._readers = readers
        self._naming = naming

    def show(self, readers: Mapping[str, Measured]) -> None:
        for name, it in readers.items():
            _say({"reader": name, "device": self._readers[name].path, **_values(it, self._naming)})

    def judge(self, told: Sequence[Verdict], readers: Mapping[str, Measured]) -> None:
        for verdict in told:
            _say(
                {
                    "reader": verdict.reader,
                    "code": verdict.code,
                    "level": verdict.level.value,
                    **dict(zip(("what", "do"), verdict.told(self._naming.language), strict=True)),
                    "values": {
                        key: str(value) if isinstance(value, Reason) else value
                        for key, value in verdict.values.items()
                    },
                }
            )


def _values(it: Measured, naming: Naming) -> dict[str, Any]:
    p50, p99, longest = it.look_ms
    return {
        "state": "up" if it.up else "lost" if it.cause else "starting",
        "cause": it.cause.value if it.cause and not it.up else None,
        "chip": it.chip,
        "antenna": it.antenna.value,
        "lies": [naming(tag) for tag in it.lies],
        "looks": it.looks,
        "look_ms": {"p50": p50, "p99": p99, "longest": longest},
        "misses": it.missed,
        "disturbances": it.disturbances,
        "losses": it.losses,
        "restarts": it.restarts,
        "damaged": it.damaged,
        "unheard": it.unheard,
        "board": to_builtins(it.board),
    }


def _say(values: Mapping[str, Any]) -> None:
    print(json.dumps(values, ensure_ascii=False), flush=True)
