"""Checks on seals in a log: making, taking back, locking and opening them."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from msgspec import UnsetType

from hub.audit.falls import work_out
from hub.audit.scene import Scene
from hub.audit.told import Told, who
from hub.games.game import GM, Fall
from hub.table import acts as r
from hub.table.sealed import CHANCE, Opening, from_hub, from_page, from_reader, seal_digest


def _placed(told: Told, scene: Scene, event: r.SealMade) -> None:
    if event.scene != scene.number:
        told.blame(f"{who(event)} in another scene: {event.scene}")
    scene.at_phase(told, event.phase)
    scene.at_turn(told, event.phase, event.turn)
    if event.digest in told.digests:
        told.blame(f"{who(event)} under a digest that was used before")
    told.digests.add(event.digest)


def seal(told: Told, scene: Scene, event: r.CardSealed) -> None:
    """Check a card that is sealed, for the step or beside it."""
    _placed(told, scene, event)
    if event.actor not in scene.seats.get(event.seat, ()):
        told.blame(f"{event.actor} is not played at seat {event.seat}")
    if scene.decided:
        told.blame(f"{event.actor} commits where words are awaited")
    origins = {from_reader(event.seat), from_page(event.seat), from_page(GM)}
    if told.hub_may_play(event.actor):
        origins.add(from_hub(event.seat))
    if event.origin not in origins:
        told.blame(f"{event.actor}'s card comes from nowhere: {event.origin}")
    if isinstance(event, r.SetBeside):
        lie = scene.beside.setdefault(event.actor, [])
        lie.append(event)
        if len(lie) > r.MOST_BESIDE:
            told.blame(f"{len(lie)} cards of {event.actor} lie beside")
        return
    if event.actor in scene.seals:
        told.blame(f"{event.actor} commits twice")
        told.unopened += 1
    scene.seals[event.actor] = event


def take_back(told: Told, scene: Scene, event: r.TakenBack | r.SealDropped) -> None:
    """Check a seal that is taken back or dropped."""
    actor, seat = event.actor, event.seat
    sealed = scene.seals.pop(actor, None)
    if sealed is None:
        told.blame(f"{actor} had no seal to undo")
        return
    told.unopened += 1
    told.taken_back += 1
    if sealed.seat != seat:
        told.blame(f"{actor}'s seal is undone at another seat: {seat}")


def withdraw(told: Told, scene: Scene, event: r.Withdrawn) -> None:
    """Check a card beside the step that is withdrawn."""
    lie = scene.beside.get(event.actor, [])
    scene.withdrew.add(event.actor)
    stay = [sealed for sealed in lie if sealed.digest != event.digest]
    if len(stay) == len(lie):
        told.blame(f"{event.actor} had no seal to undo")
        return
    told.unopened += 1
    told.taken_back += 1
    if stay:
        scene.beside[event.actor] = stay
    else:
        del scene.beside[event.actor]


def draw(told: Told, scene: Scene, event: r.ChanceSealed) -> None:
    """Check random bytes that are drawn: once in a phase, and before any choice."""
    _placed(told, scene, event)
    if scene.chance is not None:
        told.blame("chance is drawn a second time")
    if scene.lying() or scene.decided:
        told.blame("chance is drawn after a choice that it meets")
    scene.chance = event


def lock(told: Told, scene: Scene, event: r.Locked) -> None:
    """Check a lock, after which no seal can be taken back."""
    if scene.locked:
        told.blame("locked twice")
    scene.at_phase(told, event.phase)
    scene.at_turn(told, event.phase, event.turn)
    if event.scene != scene.number:
        told.blame(f"locked in another scene: {event.scene}")
    if event.reveal_at_ms < told.now.at_ms:
        told.blame("the reveal is due before the lock")
    for actor in event.awaited:
        if actor not in scene.seals:
            told.blame(f"locked without a card of {actor}, who was awaited")
    for actor in scene.seals.keys() - set(event.awaited):
        told.blame(f"a card of {actor} is locked, who was not awaited")
    if len(set(event.awaited)) != len(event.awaited) or not event.awaited:
        told.blame("locked, and nobody was awaited, or somebody twice")
    if list(event.digests) != _locked_digests(scene, event.awaited):
        told.blame("what is locked is not what was sealed")
    _one_of_each(told, scene, event)
    scene.locked = event


def reveal(told: Told, scene: Scene, event: r.Revealed) -> None:
    """Check a reveal, which opens all seals."""
    if not scene.locked:
        told.blame("a reveal before everybody was locked")
    elif told.now.at_ms < scene.locked.reveal_at_ms:
        told.blame(f"a reveal {scene.locked.reveal_at_ms - told.now.at_ms} ms before its time")
    scene.at_phase(told, event.phase)
    sealed = {actor: (each,) for actor, each in scene.seals.items()}
    opened = {actor: (opening,) for actor, opening in event.openings.items()}
    _open_all(told, sealed, opened)
    _open_all(told, scene.beside, event.beside)
    if scene.locked and event.one_of != scene.locked.one_of:
        told.blame("a reveal with other groups than at the lock")
    chosen = {actor: opening.choice for actor, opening in event.openings.items()}
    show_chance(told, scene, event.chance, chosen, event.fell)
    scene.seals, scene.beside = {}, {}
    scene.go_on(told, scene.low + 1, scene.high + 1)
    scene.went_on = scene.spoke = False
    scene.steps = []
    scene.checkpoints.append((told.now.seq, scene.low))


def _open_all(
    told: Told, sealed: Mapping[str, Sequence[r.SealMade]], opened: Mapping[str, Sequence[Opening]]
) -> None:
    if {a: len(x) for a, x in sealed.items()} != {a: len(x) for a, x in opened.items()}:
        told.blame("the reveal does not open exactly what was sealed")
    for actor, openings in opened.items():
        for seal, opening in zip(sealed.get(actor, ()), openings, strict=False):
            told.opened += 1
            _open(told, seal, opening, actor)


def _open(told: Told, seal: r.SealMade, opening: Opening, actor: str) -> bool:
    """Whether the opening matches the seal; if not, a fault is recorded."""
    what = f"{actor}'s card" if actor else "chance"
    try:
        digest = seal_digest(seal.place(told.log, told.table), opening)
    except ValueError as error:
        told.blame(f"{what}: its opening is malformed: {error}")
        return False
    if digest != seal.digest:
        told.blame(f"{what} is not the one that was {'sealed' if actor else 'drawn'}")
        return False
    return True


def show_chance(
    told: Told, scene: Scene, shown: str, chosen: Mapping[str, str], fell: Fall | UnsetType
) -> None:
    """Open the chance that was drawn, if any, by the bytes ``shown`` (hex), and check its outcome.
    ``chosen``, ``fell``: see :func:`hub.audit.falls.work_out`."""
    drawn, scene.chance = scene.chance, None
    if drawn is None and shown:
        told.blame("chance is shown that was never drawn")
    elif drawn is not None and not shown:
        told.blame("the chance that was drawn is not shown")
    elif drawn is None or _open(told, drawn, Opening(shown, CHANCE), ""):
        work_out(told, scene, shown, chosen, fell)


def _one_of_each(told: Told, scene: Scene, event: r.Locked) -> None:
    """Check that exactly one card is locked for each group in which one chooses for all."""
    grouped: set[str] = set()
    for group in event.one_of or ():
        chose = sorted({*group} & {*event.awaited})
        if grouped & {*group} or any(scene.seat_of(actor) is None for actor in group):
            told.blame("a group is locked that is none")
        if len(chose) != 1:
            cards = " and ".join(chose) or "nobody"
            told.blame(f"{cards} of {', '.join(group)} locked, and one was to choose")
        grouped |= {*group}


def _locked_digests(scene: Scene, awaited: Sequence[str]) -> list[str]:
    seals = [scene.seals[actor] for actor in awaited if actor in scene.seals]
    lying = [each for _, lie in sorted(scene.beside.items()) for each in lie]
    return [each.digest for each in (*seals, *lying)]


JUDGES: dict[type[r.Event], Callable[[Told, Scene, Any], None]] = {
    r.Committed: seal,
    r.SetBeside: seal,
    r.TakenBack: take_back,
    r.SealDropped: take_back,
    r.Withdrawn: withdraw,
    r.ChanceSealed: draw,
    r.Locked: lock,
    r.Revealed: reveal,
}
IN_PAUSE, IN_LOCK = (r.ChanceSealed,), (r.Revealed,)
"""Which of these events a log may have while the table is paused, and after the lock."""
