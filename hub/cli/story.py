"""Records in words: what each event of the log means to somebody who was not there."""

from collections.abc import Iterator
from typing import Any

from hub.rules.game import GM, Consequence
from hub.rules.triangle import consequences as q
from hub.rules.triangle.problem.consequences import ProblemOver
from hub.rules.triangle.problem.state import Because
from hub.rules.triangle.problem.views import ProblemView
from hub.table import records as r


def story(event: r.AnyEvent) -> str:  # noqa: PLR0912  (one case for each event)
    """One sentence without a full stop. Public events alone: what is sealed is not in them."""
    match event:
        case r.LogBegun(table=table):
            return f"the log of table {table} begins"
        case r.SceneStarted(scene=number, ruleset=ruleset, title=title, seats=seats):
            playing = "; ".join(f"{seat}: {', '.join(who)}" for seat, who in seats.items())
            named = f" “{title}”" if title else ""
            return f"scene {number}{named} begins ({ruleset}; {playing})"
        case r.Committed(actor=actor, seat=seat, page=page):
            return f"{actor} seals a card at seat {seat}{', from a page' if page else ''}"
        case r.TakenBack(actor=actor):
            return f"{actor} takes the sealed card back"
        case r.SealDropped(actor=actor):
            return f"the GM drops {actor}'s sealed card"
        case r.SetBeside(actor=actor, seat=seat):
            return f"{actor} seals a card beside the step at seat {seat}"
        case r.Withdrawn(actor=actor):
            return f"{actor} withdraws a card that lay beside"
        case r.Passed(actor=actor, by=by):
            return f"{actor} sets nothing against it{_by(actor, by)}"
        case r.ChanceSealed():
            return "the hub draws what chance will say, and seals it"
        case r.Locked():
            return "everybody has chosen"
        case r.Revealed(openings=openings, beside=beside):
            several = ((actor, opened) for actor, lay in beside.items() for opened in lay)
            shown = (*openings.items(), *several)
            return "revealed: " + "; ".join(f"{a}: {o.choice}" for a, o in shown)
        case r.Decided(actor=actor, choice=choice, by=by):
            return f"{_decided(actor, choice)}{_by(actor, by)}"
        case r.Declared(actor=actor, choice=choice, by=by):
            return f"{actor} declares: {choice}{_by(actor, by)}"
        case r.Overruled(holds=holds, because=because):
            said = {key: "nobody" if each is None else each for key, each in holds.items()}
            return f"the GM overrules: {', '.join(_said(said))}, because {because}"
        case r.ReaderLost(seat=seat):
            return f"the reader of seat {seat} is lost"
        case r.ReaderReturned(seat=seat):
            return f"the reader of seat {seat} is back"
        case r.ReaderUnreliable(seat=seat, losses=losses, disturbances=disturbances):
            return (
                f"the reader of seat {seat} is unreliable: in five minutes it was lost {losses} "
                f"times and disturbed {disturbances} times"
            )
        case r.ReaderReliable(seat=seat):
            return f"the reader of seat {seat} is reliable again"
        case r.DeadlineSet(seconds=seconds):
            return f"{seconds:g} seconds to choose"
        case r.DeadlinePassed():
            return "the time to choose is over"
        case r.Paused():
            return "the GM pauses the table"
        case r.Resumed():
            return "the table goes on"
        case r.Undone(to_phase=phase, to_seq=seq):
            after = f"how it stood after record {seq}" if seq else f"phase {phase}"
            return f"the GM goes back to {after}"
        case r.SceneEnded():
            return "the scene is closed"
        case r.SceneCalledOff():
            return "the GM calls the scene off"
        case r.SceneReopened():
            return "the GM brings the scene back"
        case r.StoryBegun(ruleset=ruleset):
            return f"a story of {ruleset} begins"
        case r.StoryTold(deed=deed):
            return f"the GM: {_deed(deed)}"
        case r.StoryUndone():
            return "the GM takes the last deed back"
        case r.CharacterJoined(name=name):
            return f"the GM brings {name} into the story"
        case r.CharacterLeft(name=name):
            return f"{name} leaves the story"


_MAIN = ("do", "name", "words")


def _deed(deed: dict[str, Any] | str) -> str:
    """A deed in its own words: what is done, to whom, and then what more it says."""
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


_DECIDED = {
    "active": "{value} takes the turn",
    "opponent": "{actor} faces {value}",
    "target": "{actor} names {value}",
    "split": "{actor} gives up {value}",
    "aim": "{actor} takes {value}",
    "gain": "{actor} takes back {value}",
    "describe": "{actor} tells how it goes, with {value}",
    "substitute": "{actor} tells it otherwise, with {value}",
    "decider": "{actor} names {value} to tell how it goes",
    "outcome": "{actor} decides: a {value}",
    "winner": "{value} win, as {actor} decides",
}
"""What a decision of each kind means; every other is given in its own words."""


def _decided(actor: str, choice: str) -> str:
    kind, _, value = choice.partition(" ")
    template = _DECIDED.get(kind, "") if value else ""
    who = "the GM" if actor == GM else actor
    if not template:
        return f"{who} decides: {choice}"
    return template.format(actor=who, value=value)


_BECAUSE = {
    Because.HIGHEST: "the highest number tells how it goes",
    Because.ONES_AND_FOURS: "there are only 1s and 4s, and then a 1 tells",
    Because.LONGEST_AGO: "the numbers are level, and who told longest ago tells",
    Because.TIED: "the numbers are level, and the GM names who tells",
    Because.NAMED: "the numbers are level, and the GM has named who tells",
    Because.PASSED_ON: "it was passed on",
    Because.RULED: "by the GM's word, whatever the numbers",
    Because.NOBODY: "nobody is left to tell, so the GM does",
}


def because(view: ProblemView) -> str:
    """Who tells how a problem goes, and why."""
    reasons = "; ".join(_BECAUSE[each] for each in view.because)
    return f"{view.decider} tells how it goes: {reasons}" if view.decider else reasons


def _by(actor: str, by: str) -> str:
    return "" if actor == by else f" (entered at {by})"


def sentence(came: Consequence) -> str:
    """What followed by the rules, in words."""
    match came:
        case q.Replaced(name=name, first=first, move=move):
            return f"{name}'s {first} is replaced by {move}"
        case q.TurnWon(winner=winner, why=why, losses=losses):
            return _with_losses(f"{winner} wins by {why}", losses)
        case q.TurnTied(losses=losses):
            return _with_losses("a tie", losses)
        case q.TurnSurrendered(winner=winner, loser=loser, losses=losses):
            who = f"{loser} surrenders to {winner}" if winner else "both surrender"
            return _with_losses(who, losses)
        case q.Out(name=name):
            return f"{name} is out"
        case q.Dead(name=name):
            return f"{name} is dead"
        case q.ConflictOver(undecided=True, reason=reason):
            return f"the conflict is over ({reason}); the GM names the winner"
        case q.ConflictOver(winner=winner, reason=reason):
            who = f"{winner} win" if winner else "nobody wins"
            return f"the conflict is over ({reason}): {who}"
        case ProblemOver(decider=decider, success=success):
            return f"the problem is {'solved' if success else 'not solved'}, as {decider} tells it"
    return str(came.__struct_config__.tag)


def _with_losses(who: str, losses: dict[str, int]) -> str:
    lost = "; ".join(f"{name} loses {points}" for name, points in losses.items())
    return f"{who}; {lost}" if lost else who
