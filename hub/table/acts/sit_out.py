"""Players who leave: the scene goes on without their character, or with it again."""

from typing import ClassVar

from msgspec.structs import replace

from hub.games.game import GM, IllegalChoice
from hub.games.telling import Words
from hub.kernel.reasons import Reason
from hub.kernel.texts import Said, name, said
from hub.table.acts import commit, reveal
from hub.table.fold import beside_step
from hub.table.inputs import PHASE, SCENE, Command, Request
from hub.table.records import Event, Record, TableEvent
from hub.table.seating import home_of
from hub.table.state import ASKING, HubMisuse, Scene, SeatFault, TableState
from hub.table.transaction import Transaction


class SitOut(Command, frozen=True, tag="sit-out"):
    """Let the scene go on without a character whose player has left, or (``out`` false) with it
    again."""

    actor: str
    out: bool
    lasting: bool = False
    """Whether later scenes leave the character out, too, until it is back. Such a command is
    possible between scenes."""

    stale_by: ClassVar[tuple[str, ...]] = (SCENE, PHASE)

    def judge(self, transaction: Transaction, request: Request) -> None:
        """Take the character out of the scene, or bring it back; with ``lasting``, out of later
        scenes too. Its seals are dropped first and never shown. Raises :class:`SeatFault`."""
        actor, stays = self.actor, self.actor in transaction.state.away
        if self.lasting or (stays and not self.out):
            seat = home_of(transaction.settings, transaction.state, actor)
            if seat in {GM, transaction.settings.gm_seat}:
                raise SeatFault(Reason("gm-plays-anyway", who=actor))
        scene = self._scene(transaction)
        if scene and self.out != (actor in scene.sits_out):
            try:
                _sit_out_now(transaction, actor, out=self.out)
            except SeatFault:
                if self.out or not stays:
                    raise
        elif reason := self._why_no_change(transaction):
            raise SeatFault(reason)
        if stays != self.out and (self.lasting or stays):
            transaction.emit(StaysAway(actor=actor, on=self.out))

    def _scene(self, transaction: Transaction) -> Scene | None:
        """The scene, if it asks for choices and the character plays in it."""
        scene = transaction.state.scene
        if scene is None or transaction.phase not in ASKING or scene.seat_of(self.actor) is None:
            return None
        return scene

    def _why_no_change(self, transaction: Transaction) -> Reason | None:
        """Why the command changes nothing, for a character whose place in the scene stays as it is;
        None if its place in later scenes changes."""
        actor, state = self.actor, transaction.state
        stays = actor in state.away
        if (self.lasting or stays) and self.out != stays:
            return None
        if not (self.lasting or stays) and not self._scene(transaction):
            asked = state.scene is not None and transaction.phase in ASKING
            return Reason("nobody-plays", who=actor) if asked else Reason("no-scene")
        if self.out:
            return Reason("sits-out-already", who=actor)
        return Reason("sits-out-not", who=actor)


class PresenceChanged(Event, frozen=True, kw_only=True):
    """A character left the scene, or came back to it."""

    actor: str
    phase: int

    keeps_early_cards: ClassVar[bool] = True
    named: ClassVar[tuple[str, ...]] = ("actor",)
    out: ClassVar[bool]

    def fold(self, state: TableState, record: Record) -> TableState:
        """The table after the change. If the step remains the same, the seals of the other actors
        remain."""
        scene, actor = state.scene, self.actor
        if scene is None:
            raise HubMisuse("nobody sits out where no scene is played")
        game = scene.rules.sit_out(scene.game, actor, out=self.out)
        away = scene.sits_out | {actor} if self.out else scene.sits_out - {actor}
        pending = scene.rules.pending(game)
        same = (scene.pending.step, scene.pending.kind) == (pending.step, pending.kind)
        scene = replace(scene, sits_out=away, absences=scene.absences + 1)
        if same and scene.seals.keys() <= {*pending.must}:
            answers = scene.answers - {actor}
            after = replace(scene, game=game, pending=pending, answers=answers)
            return replace(state, scene=after)
        return beside_step(replace(state, scene=scene), game)


class SatOut(PresenceChanged, frozen=True, kw_only=True, tag="sat-out"):
    """The scene goes on without a character, as far as its rules allow."""

    out: ClassVar[bool] = True


class CameBack(PresenceChanged, frozen=True, kw_only=True, tag="came-back"):
    """A character that sat out takes part in the scene again."""

    out: ClassVar[bool] = False


class StaysAway(TableEvent, frozen=True, kw_only=True, tag="stays-away"):
    """Later scenes start without this character, whose player has left, or (``on`` false) with it
    again."""

    actor: str
    on: bool

    def fold(self, state: TableState, record: Record) -> TableState:
        others = state.away - {self.actor}
        return replace(state, away=others | {self.actor} if self.on else others)

    def told(self, words: Words) -> list[Said]:
        return [said(f"gm.log.stays-away.{'on' if self.on else 'off'}", name=name(self.actor))]


def sitting(state: TableState, gm_seat: str | None) -> dict[str, Reason | None]:
    """Player's character in the current scene → why the scene cannot go on without it or, if it
    sits out, why it cannot come back; None if that is possible."""
    scene = state.scene
    if scene is None:
        return {}
    found: dict[str, Reason | None] = {}
    for actor in scene.rules.actors(scene.game):
        if scene.seat_of(actor) in {None, gm_seat, GM}:
            continue
        try:
            scene.rules.sit_out(scene.game, actor, out=actor not in scene.sits_out)
            found[actor] = None
        except IllegalChoice as error:
            found[actor] = error.reason
    return found


def _sit_out_now(transaction: Transaction, actor: str, *, out: bool) -> None:
    scene = transaction.scene
    try:
        scene.rules.sit_out(scene.game, actor, out=out)
    except IllegalChoice as error:
        raise SeatFault(error.reason) from None
    commit.drop_seal(transaction, actor)
    for lies in scene.beside.get(actor, ()):
        commit.withdraw(transaction, lies, None)
    phase = transaction.scene.phase_no
    transaction.emit((SatOut if out else CameBack)(actor=actor, phase=phase))
    reveal.lock_if_complete(transaction)
