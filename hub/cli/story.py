"""Records in words: the meaning of each event of the log, for people who were not there."""

from collections.abc import Callable, Iterator
from typing import Any

from msgspec.structs import asdict

from hub.games.family import Words
from hub.games.game import GM, Choice
from hub.table import records as r

_SENTENCES: dict[type[r.Event], str] = {
    r.LogBegun: "the log of table {table} begins",
    r.TakenBack: "{actor} takes the sealed card back",
    r.SealDropped: "the GM drops {actor}'s sealed card",
    r.SetBeside: "{actor} seals a card beside the step at seat {seat}",
    r.Withdrawn: "{actor} withdraws a card that lay beside",
    r.ChanceSealed: "the hub draws what chance will say, and seals it",
    r.Locked: "everybody has chosen",
    r.ReaderLost: "the reader of seat {seat} is lost",
    r.ReaderReturned: "the reader of seat {seat} is back",
    r.ReaderUnreliable: "the reader of seat {seat} is unreliable: in five minutes it was lost "
    "{losses} times and disturbed {disturbances} times",
    r.ReaderReliable: "the reader of seat {seat} is reliable again",
    r.DeadlineSet: "{seconds:g} seconds to choose",
    r.DeadlinePassed: "the time to choose is over",
    r.Paused: "the table pauses",
    r.Resumed: "the table goes on",
    r.StopMade: "an undo goes back to here",
    r.SceneCalledOff: "the GM calls the scene off",
    r.SceneReopened: "the GM brings the scene back",
    r.StoryBegun: "a story of {ruleset} begins",
    r.StoryUndone: "the GM takes the last deed back",
    r.CharacterLeft: "{name} leaves the story",
    r.EveningNamed: "the evening is called “{title}”",
    r.SatOut: "the scene goes on without {actor}",
    r.CameBack: "{actor} takes part again",
    r.Portrayed: "{name} is shown otherwise",
}
"""Events whose fields complete the sentence."""


_ON_OFF: dict[type[r.Event], tuple[str, str]] = {
    r.PlayedByGm: ("the GM plays for {actor}", "{actor} is played at its seat again"),
    r.EveningEnded: ("the evening ends", "the evening goes on after all"),
    r.StaysAway: ("scenes begin without {actor}", "{actor} is back for scenes to come"),
}
"""The sentences of events that switch something on or off."""


def story(event: r.AnyEvent, words: Words) -> str:
    """One sentence without a full stop. It covers public events, which hold nothing sealed.

    ``words``: those of the scene's family.
    """
    match event:
        case r.Decided():
            return _chosen(event, words.decided)
        case r.Declared():
            return _chosen(event, words.declared)
        case r.Overruled():
            return _overruled(event, words)
    kind, fields = type(event), asdict(event)
    if kind in _TELLERS:
        return _TELLERS[kind](event)
    if kind in _ON_OFF:
        on, off = _ON_OFF[kind]
        return (on if fields["on"] else off).format_map(fields)
    return _SENTENCES[kind].format_map(fields)


def _scene_started(event: r.SceneStarted) -> str:
    playing = "; ".join(f"{seat}: {', '.join(who)}" for seat, who in event.seats.items())
    named = f" “{event.title}”" if event.title else ""
    return f"scene {event.scene}{named} begins ({event.ruleset}; {playing})"


def _scene_ended(event: r.SceneEnded) -> str:
    left = event.left
    if not isinstance(left, r.LeftOpen):
        return "the scene is closed"
    asked = f" (asked: {', '.join(left.waits)})" if left.waits else ""
    return f"the scene is closed; left undecided: {left.step}{asked}"


def _committed(event: r.Committed) -> str:
    return f"{event.actor} seals a card at seat {event.seat}{', from a page' if event.page else ''}"


def _timer_set(event: r.TimerSet) -> str:
    if event.seconds is None:
        return "the time to choose is the configured one again"
    if not event.seconds:
        return "from now on nobody chooses against the clock"
    return f"from now on there are {event.seconds:g} seconds to choose"


def _played_by_hub(event: r.PlayedByHub) -> str:
    who = _who(event.actor)
    return f"the hub plays for {who}" if event.on else f"{who} is played by people again"


def _passed(event: r.Passed) -> str:
    return f"{event.actor} sets nothing against it{_by(event.actor, event.by)}"


def _revealed(event: r.Revealed) -> str:
    several = ((actor, opened) for actor, lay in event.beside.items() for opened in lay)
    shown = (*event.openings.items(), *several)
    return "revealed: " + "; ".join(f"{actor}: {opened.choice}" for actor, opened in shown)


def _counted(event: r.Counted) -> str:
    actor, points = event.actor, event.points
    kinds = (f"{each} {points.count(each)}" for each in dict.fromkeys(points))
    so_far = f": {', '.join(kinds)}" if points else ""
    return f"{actor} has counted {len(points)} of {event.total}{so_far}{_by(actor, event.by)}"


def _undone(event: r.Undone) -> str:
    return f"the GM goes back to how it stood after record {event.to_seq}"


def _character_joined(event: r.CharacterJoined) -> str:
    if event.joins:
        return f"{event.name} joins the party"
    return f"the GM brings {event.name} into the story"


_TELLERS: dict[type[r.Event], Callable[[Any], str]] = {
    r.SceneStarted: _scene_started,
    r.SceneEnded: _scene_ended,
    r.Committed: _committed,
    r.TimerSet: _timer_set,
    r.ClockSet: lambda event: clock_set(event.by_ms),
    r.PlayedByHub: _played_by_hub,
    r.Passed: _passed,
    r.Revealed: _revealed,
    r.Counted: _counted,
    r.Undone: _undone,
    r.CharacterJoined: _character_joined,
    r.StoryTold: lambda event: f"the GM: {_deed(event.deed)}",
}
"""What tells the other events."""


def _chosen(event: r.Decided | r.Declared, tell: Callable[[str, Choice], str]) -> str:
    kind, _, value = event.choice.partition(" ")
    return f"{tell(_who(event.actor), Choice(kind, value))}{_by(event.actor, event.by)}"


def _overruled(event: r.Overruled, words: Words) -> str:
    holds, because = event.holds, event.because
    if told := words.held(holds):
        return f"the GM overrules: {told}, because {because}"
    first = {key: holds[key] for key in ("what", "name") if key in holds} | holds
    said = {key: "nobody" if each is None else each for key, each in first.items()}
    return f"the GM overrules: {', '.join(_said(said))}, because {because}"


def clock_set(by_ms: int) -> str:
    """The correction of the hub's clock, in words."""
    seconds = abs(by_ms) // 1000
    span = next(
        (f"{seconds // size} {unit}" for unit, size in _SPANS if seconds >= 2 * size), "1 second"
    )
    return f"the clock was wrong: it is set {'back' if by_ms < 0 else 'forward'} by {span}"


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
