"""Records in words: the meaning of each event of the log, for people who were not there."""

from collections.abc import Iterator
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
    r.SceneEnded: "the scene is closed",
    r.SceneCalledOff: "the GM calls the scene off",
    r.SceneReopened: "the GM brings the scene back",
    r.StoryBegun: "a story of {ruleset} begins",
    r.StoryUndone: "the GM takes the last deed back",
    r.CharacterLeft: "{name} leaves the story",
    r.EveningNamed: "the evening is called “{title}”",
    r.SatOut: "the scene goes on without {actor}",
    r.CameBack: "{actor} takes part again",
}
"""Events whose fields complete the sentence."""


def story(event: r.AnyEvent, words: Words) -> str:  # noqa: PLR0912  (one case for each)
    """One sentence without a full stop. It covers public events, which hold nothing sealed.

    ``words``: those of the scene's family.
    """
    match event:
        case r.SceneStarted(scene=number, ruleset=ruleset, title=title, seats=seats):
            playing = "; ".join(f"{seat}: {', '.join(who)}" for seat, who in seats.items())
            named = f" “{title}”" if title else ""
            return f"scene {number}{named} begins ({ruleset}; {playing})"
        case r.SceneEnded(left=r.LeftOpen(step=step, waits=waits)):
            asked = f" (asked: {', '.join(waits)})" if waits else ""
            return f"the scene is closed; left undecided: {step}{asked}"
        case r.Committed(actor=actor, seat=seat, page=page):
            return f"{actor} seals a card at seat {seat}{', from a page' if page else ''}"
        case r.PlayedByGm(actor=actor, on=on):
            return f"the GM plays for {actor}" if on else f"{actor} is played at its seat again"
        case r.EveningEnded(on=on):
            return "the evening ends" if on else "the evening goes on after all"
        case r.TimerSet(seconds=seconds):
            if seconds is None:
                return "the time to choose is the configured one again"
            return (
                f"from now on there are {seconds:g} seconds to choose"
                if seconds
                else "from now on nobody chooses against the clock"
            )
        case r.ClockSet(by_ms=by_ms):
            return clock_set(by_ms)
        case r.StaysAway(actor=actor, on=on):
            return f"scenes begin without {actor}" if on else f"{actor} is back for scenes to come"
        case r.PlayedByHub(actor=actor, on=on):
            who = "the GM" if actor == GM else actor
            return f"the hub plays for {who}" if on else f"{who} is played by people again"
        case r.Portrayed(name=name):
            return f"{name} is shown otherwise"
        case r.Passed(actor=actor, by=by):
            return f"{actor} sets nothing against it{_by(actor, by)}"
        case r.Revealed(openings=openings, beside=beside):
            several = ((actor, opened) for actor, lay in beside.items() for opened in lay)
            shown = (*openings.items(), *several)
            return "revealed: " + "; ".join(f"{a}: {o.choice}" for a, o in shown)
        case r.Decided(actor=actor, choice=choice, by=by):
            who = "the GM" if actor == GM else actor
            kind, _, value = choice.partition(" ")
            return f"{words.decided(who, Choice(kind, value))}{_by(actor, by)}"
        case r.Counted(actor=actor, points=points, total=total, by=by):
            kinds = (f"{each} {points.count(each)}" for each in dict.fromkeys(points))
            so_far = f": {', '.join(kinds)}" if points else ""
            return f"{actor} has counted {len(points)} of {total}{so_far}{_by(actor, by)}"
        case r.Declared(actor=actor, choice=choice, by=by):
            who = "the GM" if actor == GM else actor
            kind, _, value = choice.partition(" ")
            return f"{words.declared(who, Choice(kind, value))}{_by(actor, by)}"
        case r.Overruled(holds=holds, because=because):
            if told := words.held(holds):
                return f"the GM overrules: {told}, because {because}"
            first = {key: holds[key] for key in ("what", "name") if key in holds} | holds
            said = {key: "nobody" if each is None else each for key, each in first.items()}
            return f"the GM overrules: {', '.join(_said(said))}, because {because}"
        case r.Undone(to_phase=phase, to_seq=seq):
            after = f"how it stood after record {seq}" if seq else f"phase {phase}"
            return f"the GM goes back to {after}"
        case r.CharacterJoined(name=name, joins=joins):
            return f"{name} joins the party" if joins else f"the GM brings {name} into the story"
        case r.StoryTold(deed=deed):
            return f"the GM: {_deed(deed)}"
    return _SENTENCES[type(event)].format_map(asdict(event))


def clock_set(by_ms: int) -> str:
    """The correction of the hub's clock, in words."""
    seconds = abs(by_ms) // 1000
    span = next(
        (f"{seconds // size} {unit}" for unit, size in _SPANS if seconds >= 2 * size), "1 second"
    )
    return f"the clock was wrong: it is set {'back' if by_ms < 0 else 'forward'} by {span}"


_SPANS = (("days", 86_400), ("hours", 3600), ("minutes", 60), ("seconds", 1))
_MAIN = ("do", "name", "words")


def _deed(deed: dict[str, Any] | str) -> str:
    """A deed in its own words: the action, its target, then its other fields."""
    if isinstance(deed, str):
        return deed
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
