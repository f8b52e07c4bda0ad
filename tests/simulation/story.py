"""The story of an outcome: as lines for a terminal, and as a page that needs nothing else.

On the page, each seat, the hub, its disk, the broker and the table has a lane along the time.
"""

import json
from collections.abc import Iterable, Iterator
from html import escape
from itertools import pairwise
from pathlib import Path

from msgspec import Struct

from tests.simulation.outcome import Happened, Outcome, Span
from tests.simulation.plan import FLAGS, KINDS, SEATS, drawn

_PAGE = Path(__file__).with_name("story.html")
_STEPS_S = (1, 2, 5, 10, 20, 30, 60, 120, 300, 600)
_MOST_MARKS = 12


def replay(outcome: Outcome) -> str:
    """The command that lives through the same plan again."""
    plan = outcome.plan
    if plan == drawn(plan.seed):
        return f'make sim ARGS="--seed {plan.seed}"'
    return f"make sim ARGS=\"--replay '{plan.write()}'\""


def happened(outcome: Outcome) -> list[Happened]:
    """All that happened, in order, with what the room was told."""
    return sorted((*outcome.story, *outcome.told), key=lambda each: each.at_s)


def lines(outcome: Outcome, most: int | None = None) -> list[str]:
    """The story as lines; with ``most``, the last of them."""
    found = happened(outcome)
    shown = found if most is None else found[-most:]
    left_out = [f"{'…':>9}  ({len(found) - len(shown)} lines before)"] * (len(shown) < len(found))
    return left_out + [f"{each.at_s:9.3f}  {each.who:8} {each.what}" for each in shown]


class _Bar(Struct, frozen=True):
    from_s: float
    to_s: float
    what: str
    style: str
    label: str = ""


class _Tick(Struct, frozen=True):
    at_s: float
    what: str
    style: str


class _Lane(Struct, frozen=True):
    name: str
    rows: list[list[_Bar]]
    ticks: list[_Tick]


def page(outcome: Outcome) -> str:
    """The story as an HTML page."""
    whole_s = max(0.001, outcome.virtual_s, *(each.at_s for each in happened(outcome)))
    found = next((each for each in outcome.story if each.who == "finding"), None)
    plan = outcome.plan
    facts = [
        f"seed {plan.seed}",
        f"order {plan.order}",
        *(f"with {each}" for each in FLAGS if getattr(plan, each)),
        f"{plan.turns} turns at most",
        f"{len(plan.decisions)} decisions",
        f"{outcome.virtual_s:.1f} s",
        f"{outcome.steps} steps",
    ]
    filled = {
        "TITLE": f"Seed {plan.seed}",
        "FINDING": escape(outcome.finding or "No finding."),
        "FOUND": "found" if outcome.finding else "calm",
        "COMMAND": escape(replay(outcome)),
        "FACTS": escape(" · ".join(facts)),
        "DECISIONS": "".join(f"<li>{escape(str(each))}</li>" for each in plan.decisions),
        "AXIS": "".join(_axis(whole_s)),
        "LANES": "".join(_lane(each, whole_s, found) for each in _lanes(outcome, whole_s)),
        "STORY": "".join(map(_line, happened(outcome))),
        "WHOLE": json.dumps(whole_s),
    }
    text = _PAGE.read_text(encoding="utf-8")
    for name, value in filled.items():
        text = text.replace("{" + name + "}", value)
    return text


# The lanes


def _lanes(outcome: Outcome, whole_s: float) -> Iterator[_Lane]:
    yield _table(outcome, whole_s)
    for seat in SEATS:
        cards = outcome.cards.get(seat, [])
        yield _Lane(seat, [list(_cards(cards, whole_s)), *_faults(outcome, seat)], [])
    logged = [
        _Tick(each.at_s, each.what, "log")
        for each in outcome.story
        if each.who in ("hub", "log", "machine")
    ]
    up = [_Bar(s.from_s, s.to_s, "the hub is up", "up", "up") for s in outcome.spans if _is_up(s)]
    yield _Lane("hub", [up, *_faults(outcome, "hub")], logged)
    yield _Lane("disk", _faults(outcome, "disk"), [])
    for lane, is_there in (("broker", outcome.plan.mqtt), ("phones", outcome.plan.pages)):
        if is_there:
            yield _Lane(lane, _faults(outcome, lane), [])


def _is_up(span: Span) -> bool:
    return span.lane == "hub" and span.what == "up"


def _table(outcome: Outcome, whole_s: float) -> _Lane:
    phases = [each for each in outcome.told if each.who == "phase"]
    ends = [span.to_s for span in outcome.spans if _is_up(span)]
    bars = []
    for each, after in pairwise([*phases, Happened(whole_s, "phase", "")]):
        to_s = min([after.at_s, *(end for end in ends if end > each.at_s)])
        bars.append(_Bar(each.at_s, to_s, each.what, f"phase {each.what}", each.what))
    ticks = [_Tick(e.at_s, f"record {e.what}", "record") for e in outcome.told if e.who == "record"]
    return _Lane("table", [bars], ticks)


def _cards(cards: list[tuple[float, tuple[str, ...]]], whole_s: float) -> Iterator[_Bar]:
    for (from_s, lying), (to_s, _) in pairwise([*cards, (whole_s, ())]):
        if lying:
            what = ", ".join(lying)
            yield _Bar(from_s, to_s, f"{what} on the reader", "card", what)


def _faults(outcome: Outcome, lane: str) -> list[list[_Bar]]:
    """The plan's decisions in a lane, in enough rows that none overlap."""
    rows: list[list[_Bar]] = []
    spans = [s for s in outcome.spans if s.lane == lane and not _is_up(s)]
    for span in sorted(spans, key=lambda each: each.from_s):
        kind = span.what.partition(" ")[0]
        style = "hands" if kind in KINDS["hands"] else "fault"
        bar = _Bar(span.from_s, span.to_s, span.what, style, kind)
        row = next((row for row in rows if row[-1].to_s + 0.5 <= bar.from_s), None)
        if row is None:
            rows.append([bar])
        else:
            row.append(bar)
    return rows


# HTML


def _axis(whole_s: float) -> Iterable[str]:
    step_s = next((each for each in _STEPS_S if whole_s / each <= _MOST_MARKS), _STEPS_S[-1])
    for number in range(int(whole_s / step_s) + 1):
        yield f'<span style="left:{_part(number * step_s, whole_s)}">{number * step_s}</span>'


def _part(at_s: float, whole_s: float) -> str:
    return f"{100 * at_s / whole_s:.3f}%"


def _lane(lane: _Lane, whole_s: float, found: Happened | None) -> str:
    rows = "".join(f'<div class="row">{_bars(row, whole_s)}</div>' for row in lane.rows)
    ticks = "".join(
        f'<button class="tick {each.style}" style="left:{_part(each.at_s, whole_s)}"'
        f' data-at="{each.at_s}" aria-label="{_detail(each.at_s, None, each.what)}"></button>'
        for each in lane.ticks
    )
    if ticks:
        rows += f'<div class="row ticks">{ticks}</div>'
    line = (
        f'<i class="finding-line" style="left:{_part(found.at_s, whole_s)}"></i>' if found else ""
    )
    return (
        f'<div class="lane"><div class="name">{escape(lane.name)}</div>'
        f'<div class="track">{rows or "<div class=row></div>"}{line}</div></div>'
    )


def _bars(bars: list[_Bar], whole_s: float) -> str:
    return "".join(
        f'<button class="bar {escape(each.style)}" data-at="{each.from_s}" style="left:'
        f"{_part(each.from_s, whole_s)};width:{_part(each.to_s - each.from_s, whole_s)}"
        f'" aria-label="{_detail(each.from_s, each.to_s, each.what)}">'
        f"<span>{escape(each.label)}</span></button>"
        for each in bars
    )


def _detail(from_s: float, to_s: float | None, what: str) -> str:
    when = f"{from_s:.3f} s" if to_s is None else f"{from_s:.3f} to {to_s:.3f} s"
    return escape(f"{when}: {what}", quote=True)


def _line(each: Happened) -> str:
    style = "told" if each.who in ("record", "phase") else escape(each.who)
    return (
        f'<tr class="{style}" data-at="{each.at_s}"><td>{each.at_s:.3f}</td>'
        f"<td>{escape(each.who)}</td><td>{escape(each.what)}</td></tr>"
    )
