"""What an event says, as texts of the catalogues: the one source of the chronicle on the pages, of
``facedown replay`` and of the hub's log.

Only public events are told, which hold nothing sealed.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from hub.games.game import GM, Choice, Consequence
from hub.games.telling import Words, because
from hub.kernel.texts import Said, name, names, said
from hub.table import acts as r
from hub.table.state import LeftOpen, TableState

_PLAIN = (
    r.LogBegun, r.ChanceSealed, r.Locked, r.DeadlinePassed, r.Paused, r.Resumed, r.StopMade,
    r.SceneCalledOff, r.SceneReopened, r.StoryUndone, r.Undone,
)  # fmt: skip
"""Events that need no name."""
_OF_ACTOR = (
    r.Committed, r.SetBeside, r.Withdrawn, r.Passed, r.TakenBack, r.SealDropped, r.SatOut,
    r.CameBack,
)  # fmt: skip
_OF_SEAT = (r.ReaderLost, r.ReaderReturned, r.ReaderReliable)
_SWITCHED = {
    r.PlayedByGm: ("gm.log.played-by-gm", "gm.log.played-by-gm.over"),
    r.PlayedByHub: ("gm.log.hub.on", "gm.log.hub.off"),
    r.StaysAway: ("gm.log.stays-away.on", "gm.log.stays-away.off"),
    r.EveningEnded: ("gm.log.evening-ended", "gm.log.evening-ended.over"),
}
"""Events that switch something on or off."""
_SPANS = (("days", 86_400), ("hours", 3600), ("minutes", 60), ("seconds", 1))


def event_told(event: r.Event, words: Words) -> list[Said]:
    """An event as sentences, at least one. ``words``: those of the scene's family, or of the
    story's between scenes."""
    key = f"gm.log.{r.tag_of(event)}"
    match event:
        case r.Decided() | r.Declared():
            return [words.chosen(event.actor, choice_of(event.choice))]
        case r.Revealed():
            return [*_revealed(event, words)]
        case r.Overruled(holds=holds, because=why):
            word = because(words, {"holds": holds, "because": why})
            return [said("gm.log.overrule", text=word)]
        case r.StoryTold(deed=deed):
            return [words.deed(deed)]
        case r.SceneEnded(left=LeftOpen() as left):
            return [said("gm.log.scene-ended.left", left=_left(left, words))]
        case _ if isinstance(event, _PLAIN):
            return [Said(key)]
        case _ if isinstance(event, _OF_ACTOR):
            return [said(key, actor=name(event.actor))]
        case _ if isinstance(event, _OF_SEAT):
            return [said(key, seat=name(event.seat))]
        case r.PlayedByGm() | r.PlayedByHub() | r.StaysAway():
            on, off = _SWITCHED[type(event)]
            who = "actor" if isinstance(event, r.PlayedByHub) else "name"
            return [said(on if event.on else off, **{who: name(event.actor)})]
        case r.ClockSet(by_ms=by_ms):
            return [Said(key), clock_told(by_ms)]
    return [_TELLERS[type(event)](event, words)]


def ruleset_told(before: TableState, after: TableState) -> str:
    """The ruleset whose words tell a record: that of the scene that is played or ends here, else
    of the story; empty for neither."""
    played = after.scene or before.scene or after.story or before.story
    return played.rules.ruleset if played else ""


def command_told(command: r.Command, words: Words) -> Said | None:
    """What the log would say of a command; None if its button says enough."""
    match command:
        case r.Overrule(holds=holds, because=why):
            return said("gm.log.overrule", text=because(words, {"holds": holds, "because": why}))
        case r.TellStory(deed=dict(deed)):
            return words.deed(deed)
        case r.Decide(actor=actor, choice=choice):
            return words.chosen(actor, choice_of(choice))
    return None


def came_told(came: Consequence, event: r.Event, words: Words) -> list[Said]:
    """A consequence of an event as sentences."""
    return [*words.followed(came, shown_by(event))]


def shown_by(event: r.Event) -> Mapping[str, Choice]:
    """The cards that a reveal shows, by actor; none for another event."""
    if not isinstance(event, r.Revealed):
        return {}
    return {actor: choice_of(opened.choice) for actor, opened in event.openings.items()}


def aside(event: r.Event) -> Said | None:
    """What only a terminal adds: where a choice was made if not by its actor, or the record that
    an undo goes back to."""
    match event:
        case r.Decided() | r.Declared() | r.Counted() | r.Passed() if event.actor != event.by:
            by_gm = event.by == GM
            return Said("told.entered.gm") if by_gm else said("told.entered", seat=name(event.by))
        case r.Undone(to_seq=seq) if seq:
            return said("told.to-record", seq=seq)
    return None


def clock_told(by_ms: int) -> Said:
    """The correction of the hub's clock."""
    seconds = abs(by_ms) // 1000
    unit, size = next((each for each in _SPANS if seconds >= 2 * each[1]), _SPANS[-1])
    number = max(1, seconds // size)
    span = said(f"span.{unit}", count=number, number=number)
    return said(f"gm.log.clock-set.{'back' if by_ms < 0 else 'forward'}", span=span)


def choice_of(written: str) -> Choice:
    """A choice from its written form in an event."""
    kind, _, value = written.partition(" ")
    return Choice(kind, value)


def _revealed(event: r.Revealed, words: Words) -> Iterator[Said]:
    for actor, choice in shown_by(event).items():
        yield said("gm.log.shown", actor=name(actor), card=words.card(choice))
    for actor, lay in event.beside.items():
        for opened in lay:
            special = words.card(choice_of(opened.choice))
            yield said("gm.log.beside", actor=name(actor), special=special)


def _left(left: LeftOpen, words: Words) -> Said:
    what = words.left(left.step)
    if left.waits:
        return said("between.undecided", what=what, names=names(left.waits))
    return said("between.undecided.alone", what=what)


def _scene_started(event: r.SceneStarted, words: Words) -> Said:
    key = "gm.log.scene" if event.title else "gm.log.scene.untitled"
    playing = names(who for all_ in event.seats.values() for who in all_)
    title = {"title": event.title} if event.title else {}
    kind = words.scene(event.ruleset)
    return said(key, number=event.scene, kind=kind, names=playing, **title)


def _evening_named(event: r.EveningNamed, _: Words) -> Said:
    if not event.title:
        return Said("gm.log.evening.none")
    return said("gm.log.evening", title=event.title)


def _timer_set(event: r.TimerSet, _: Words) -> Said:
    if event.seconds is None:
        return Said("gm.log.timer-set.configured")
    if not event.seconds:
        return Said("gm.log.timer-set.none")
    return said("gm.log.timer-set", seconds=event.seconds)


def _unreliable(event: r.ReaderUnreliable, _: Words) -> Said:
    return said("gm.log.reader-unreliable", seat=name(event.seat))


def _counted(event: r.Counted, _: Words) -> Said:
    places = {"number": len(event.points), "total": event.total}
    return said("gm.log.counted", actor=name(event.actor), **places)


def _of_name(event: r.CharacterLeft | r.Portrayed, _: Words) -> Said:
    return said(f"gm.log.{r.tag_of(event)}", name=name(event.name))


_TELLERS: Mapping[type[r.Event], Callable[[Any, Words], Said]] = {
    r.SceneStarted: _scene_started,
    r.SceneEnded: lambda event, _: Said("gm.log.scene-ended"),
    r.StoryBegun: lambda event, _: Said("gm.log.story-begun"),
    r.EveningNamed: _evening_named,
    r.EveningEnded: lambda event, _: Said(_SWITCHED[r.EveningEnded][not event.on]),
    r.TimerSet: _timer_set,
    r.DeadlineSet: lambda event, _: said("gm.log.deadline-set", seconds=event.seconds),
    r.ReaderUnreliable: _unreliable,
    r.Counted: _counted,
    r.CharacterJoined: _of_name,
    r.CharacterLeft: _of_name,
    r.Portrayed: _of_name,
}
"""What tells the other events."""
