"""Checks on open choices in a log: decisions, declarations, and the commit timer."""

from collections.abc import Callable
from typing import Any

from msgspec import UNSET

from hub.audit.scene import Scene
from hub.audit.seals import show_chance
from hub.audit.told import Told
from hub.games.game import GM
from hub.table import acts as r


def close(told: Told, scene: Scene, event: r.SceneEnded) -> None:
    """Check the choices that a scene's end leaves undecided."""
    if event.left is UNSET:
        return
    waits = event.left.waits
    if len({*waits}) < len(waits):
        told.blame("it names somebody twice among those who had still to choose")
    players = {GM, *(actor for playing in scene.seats.values() for actor in playing)}
    # Something said beside the step may have ended it, and made void what was chosen there.
    void = scene.followed.is_new if scene.followed else scene.declared
    for actor in waits:
        if actor not in players:
            told.blame(f"it leaves something undecided to {actor}, who is not in the scene")
        elif not void and (actor in scene.seals or actor in scene.decided):
            told.blame(f"it leaves undecided what {actor} has chosen")


def decide(told: Told, scene: Scene, event: r.Decided) -> None:
    """Check an open choice, and which actors it leaves awaited."""
    scene.at_phase(told, event.phase)
    scene.speaks_for(told, event.actor, event.by)
    if scene.lying():
        told.blame(f"{event.actor} decides where cards are sealed")
    if scene.decided.get(event.actor) == event.choice:
        told.blame(f"{event.actor} decides the same twice")
    scene.decided[event.actor] = event.choice
    scene.counted.pop(event.actor, None)
    waits = set(event.waits_for)
    if event.actor not in event.awaited or event.actor in waits or waits - set(event.awaited):
        told.blame(f"{event.actor} decides and was not awaited")
    if scene.awaited not in {(), event.awaited} and not scene.declared:
        told.blame("others are awaited than before")
    spared = _spared(told, scene, event)
    for actor in set(event.awaited) - waits - scene.decided.keys() - spared:
        told.blame(f"{actor} was awaited and has not decided")
    again = waits & scene.decided.keys()
    if again and not scene.declared:
        told.blame(f"{min(again)} has decided and is awaited again")
    scene.awaited = event.awaited
    scene.decided = {a: choice for a, choice in scene.decided.items() if a not in waits}
    if waits:
        if event.chance or event.fell is not UNSET:
            told.blame("chance is shown before everybody has decided")
        return
    scene.went_on = True
    show_chance(told, scene, event.chance, scene.decided, event.fell)
    scene.go_on(told, scene.low + 1, scene.high + 1)
    scene.steps = [*scene.steps, (told.now.seq, scene.low)]
    scene.spoke = False


def _spared(told: Told, scene: Scene, event: r.Decided) -> set[str]:
    """The actors for which another one of their group has decided."""
    spared: set[str] = set()
    grouped: set[str] = set()
    for group in event.one_of or ():
        decided = {*group} & scene.decided.keys()
        if not {*group} <= {*event.awaited} - grouped:
            told.blame("a group decides that is none of those who are awaited")
        if len(decided) > 1:
            told.blame(f"{' and '.join(sorted(decided))} decide, and one was to")
        grouped |= {*group}
        spared |= {*group} - decided if decided else set()
    if waits := spared & {*event.waits_for}:
        told.blame(f"{min(waits)} is awaited, and another has decided for all")
    return spared


def count(told: Told, scene: Scene, event: r.Counted) -> None:
    """Check a count of points: some were added, or the last one was taken back."""
    scene.at_phase(told, event.phase)
    scene.speaks_for(told, event.actor, event.by)
    before = () if scene.declared else scene.counted.get(event.actor, ())
    more = len(event.points) > len(before) and event.points[: len(before)] == before
    less = bool(before) and event.points == before[:-1]
    if not more and not less and not scene.declared:
        told.blame(f"{event.actor} counts other points than before")
    if event.actor in scene.decided and not scene.declared:
        told.blame(f"{event.actor} counts and has decided")
    if scene.lying() or not 0 <= len(event.points) < event.total:
        told.blame(f"{event.actor} counts where nothing is counted")
    scene.counted = {a: points for a, points in scene.counted.items() if a != event.actor}
    if event.points:
        scene.counted[event.actor] = event.points


def declare(told: Told, scene: Scene, event: r.Declared) -> None:
    """Check a declaration beside the step, which may have ended the phase."""
    scene.at_phase(told, event.phase)
    scene.speaks_for(told, event.actor, event.by)
    if event.actor in scene.seals:
        told.blame(f"{event.actor} declares something beside a sealed card")
    scene.declared = scene.went_on = scene.spoke = True
    scene.high += 1


def overrule(told: Told, scene: Scene, event: r.Overruled) -> None:
    """Check an overrule by the GM, which may have ended the phase."""
    scene.at_phase(told, event.phase)
    scene.declared = scene.went_on = scene.spoke = True
    scene.high += 1


def stop(told: Told, scene: Scene, event: r.StopMade) -> None:
    """Check a stop, which the rules make between two steps."""
    scene.at_phase(told, event.phase)
    if not scene.went_on or scene.lying() or scene.decided or scene.counted or scene.chance:
        told.blame("a stop is made where no step has just ended")
    scene.went_on = scene.spoke = False
    scene.steps = []
    scene.checkpoints.append((told.now.seq, scene.low))


def sit_out(told: Told, scene: Scene, event: r.SatOut | r.CameBack) -> None:
    """Check a character that sits out, because its player has left, or comes back."""
    scene.at_phase(told, event.phase)
    if scene.seat_of(event.actor) is None:
        told.blame(f"{event.actor} is played by nobody")
    if event.actor in scene.seals or event.actor in scene.beside:
        told.blame(f"{event.actor} sits out or comes back with a card that is sealed")
    scene.declared = scene.went_on = scene.spoke = True
    scene.high += 1


def deadline(told: Told, scene: Scene, event: r.DeadlineSet | r.DeadlinePassed) -> None:
    """Check a start or an end of the commit timer."""
    if isinstance(event, r.DeadlineSet):
        scene.deadline_ms = event.deadline_ms
        if event.deadline_ms != told.now.at_ms + round(event.seconds * 1000):
            told.blame("the commit timer does not end when it says")
        return
    if scene.deadline_ms is None:
        told.blame("a commit timer ends that does not run")
    elif told.now.at_ms < scene.deadline_ms:
        told.blame("the commit timer ends before its time")
    scene.deadline_ms = None


JUDGES: dict[type[r.Event], Callable[[Told, Scene, Any], None]] = {
    r.Decided: decide,
    r.Counted: count,
    r.Declared: declare,
    r.Overruled: overrule,
    r.SatOut: sit_out,
    r.CameBack: sit_out,
    r.StopMade: stop,
    r.DeadlineSet: deadline,
    r.DeadlinePassed: deadline,
}
