"""Records in words: the meaning of each event of the log, for people who were not there.

The sentences are in the catalogue ``log``, by the event's type and, after a dot, the case.
"""

from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

from msgspec.structs import asdict

from hub.games.family import Words
from hub.games.game import GM, Choice
from hub.kernel.catalogues import ENGLISH, catalogue
from hub.table.acts.decide import Decided, Declared
from hub.table.acts.overrule import Overruled
from hub.table.records import Event, tag_of
from hub.table.state import LeftOpen


def story(event: Event, words: Words) -> str:
    """One sentence without a full stop. It covers public events, which hold nothing sealed.

    ``words``: those of the scene's family.
    """
    match event:
        case Decided():
            return _chosen(event, words.decided)
        case Declared():
            return _chosen(event, words.declared)
        case Overruled():
            return _overruled(event, words)
    fields = _Fields(asdict(event), page=getattr(event, "page", False))
    tag, sentences = tag_of(event), _sentences()
    told = next(
        (
            each
            for case, fits in _CASES.items()
            if (each := f"{tag}.{case}") in sentences and fits(fields)
        ),
        tag,
    )
    return sentences[told].format_map(fields)


@cache
def _sentences() -> dict[str, str]:
    return catalogue("log", ENGLISH)


_CASES: dict[str, Callable[[dict[str, Any]], bool]] = {
    "on": lambda event: event["on"],
    "off": lambda event: not event["on"],
    "none": lambda event: event["seconds"] is None,
    "zero": lambda event: event["seconds"] == 0,
    "joins": lambda event: event["joins"] is True,
    "left": lambda event: isinstance(event["left"], LeftOpen),
    "page": lambda event: event["page"],
}
"""The cases of a sentence, and when each fits an event's fields."""


class _Fields(dict[str, Any]):
    """An event's fields, and what a sentence says of them in other words."""

    def __missing__(self, name: str) -> str:
        return _IN_WORDS[name](self)


def _playing(event: dict[str, Any]) -> str:
    return "; ".join(f"{seat}: {', '.join(who)}" for seat, who in event["seats"].items())


def _left_open(event: dict[str, Any]) -> str:
    left = event["left"]
    return f"{left.step} (asked: {', '.join(left.waits)})" if left.waits else str(left.step)


def _shown(event: dict[str, Any]) -> str:
    several = ((actor, opened) for actor, lay in event["beside"].items() for opened in lay)
    openings = (*event["openings"].items(), *several)
    return "; ".join(f"{actor}: {opened.choice}" for actor, opened in openings)


def _so_far(event: dict[str, Any]) -> str:
    points = event["points"]
    kinds = (f"{each} {points.count(each)}" for each in dict.fromkeys(points))
    return f": {', '.join(kinds)}" if points else ""


_IN_WORDS: dict[str, Callable[[dict[str, Any]], str]] = {
    "by_span": lambda event: _span(event["by_ms"]),
    "count": lambda event: str(len(event["points"])),
    "entered_at": lambda event: _by(event["actor"], event["by"]),
    "left_open": _left_open,
    "playing": _playing,
    "shown": _shown,
    "so_far": _so_far,
    "titled": lambda event: f" “{event['title']}”" if event["title"] else "",
    "told": lambda event: _deed(event["deed"]),
    "who": lambda event: _who(event["actor"]),
}


def _chosen(event: Decided | Declared, tell: Callable[[str, Choice], str]) -> str:
    kind, _, value = event.choice.partition(" ")
    return f"{tell(_who(event.actor), Choice(kind, value))}{_by(event.actor, event.by)}"


def _overruled(event: Overruled, words: Words) -> str:
    holds, because = event.holds, event.because
    if told := words.held(holds):
        return f"the GM overrules: {told}, because {because}"
    first = {key: holds[key] for key in ("what", "name") if key in holds} | holds
    said = {key: "nobody" if each is None else each for key, each in first.items()}
    return f"the GM overrules: {', '.join(_said(said))}, because {because}"


def clock_set(by_ms: int) -> str:
    """The correction of the hub's clock, in words."""
    return _sentences()["clock-set"].format(by_span=_span(by_ms))


def _span(by_ms: int) -> str:
    seconds = abs(by_ms) // 1000
    span = next(
        (f"{seconds // size} {unit}" for unit, size in _SPANS if seconds >= 2 * size), "1 second"
    )
    return f"{'back' if by_ms < 0 else 'forward'} by {span}"


_SPANS = (("days", 86_400), ("hours", 3600), ("minutes", 60), ("seconds", 1))
_MAIN = ("do", "name", "words")


def _deed(deed: dict[str, Any]) -> str:
    """A deed in its own words: the action, its target, then its other fields."""
    main = " ".join(str(deed[key]) for key in _MAIN if deed.get(key))
    more = {key: each for key, each in deed.items() if key not in _MAIN}
    return ", ".join((main, *_said(more)))


def _said(given: Any, name: str = "") -> Iterator[str]:
    if isinstance(given, dict):
        for key, each in given.items():
            yield from _said(each, key)
    elif isinstance(given, list):
        for each in given:
            yield from _said(each, name)
    elif given not in ("", None):
        yield f"{name} {given}"


def _by(actor: str, by: str) -> str:
    return "" if actor == by else f" (entered at {by})"


def _who(actor: str) -> str:
    return "the GM" if actor == GM else actor
