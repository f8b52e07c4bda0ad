"""A step in progress: the records it has written, and the resulting state so far."""

from collections.abc import Callable, Mapping, Sequence
from hashlib import sha256

import msgspec
from msgspec import UNSET, UnsetType
from msgspec.structs import replace

from hub.games.game import GM, Choice, Fall, IllegalChoice, Word
from hub.kernel.reasons import Reason
from hub.table import records as r
from hub.table.desk import SeatSignal, forget, matters
from hub.table.fold import fold
from hub.table.sealed import (
    CHANCE,
    NONCE_BYTES,
    Kept,
    Opening,
    Sealed,
    from_reader,
    seal_digest,
    secret_digest,
)
from hub.table.signals import Signal
from hub.table.spots import Desk, Spot
from hub.table.state import (
    HubMisuse,
    Phase,
    Scene,
    Seal,
    Settings,
    TableState,
    commit_s,
    phase_of,
)
from hub.table.views import refusal

MOST_BESIDE = 4
"""Cards of one actor that may be set beside a step; more than any book allows."""


NO_LONGER = Reason("no-longer-beside")
_NO_CHANCE = bytes(NONCE_BYTES)
_GOES_ON = (r.Decided, r.Declared, r.Overruled, r.SatOut, r.CameBack)
"""Events after which a card that was laid early remains valid in the next step."""


class Transaction:
    """A step in progress: every record is folded at once, so that the next one builds on it."""

    def __init__(
        self,
        state: TableState,
        desk: Desk,
        settings: Settings,
        *,
        now_ms: int,
        entropy: bytes,
        written: Callable[[r.Record], r.Record],
    ) -> None:
        self.state = state
        self.desk = dict(desk)
        self.settings = settings
        self.now_ms = max(now_ms, state.at_ms)  # the log's times never run backwards
        self.records: list[r.Record] = []
        self.tells: list[SeatSignal] = []
        self._entropy = entropy
        self._written = written

    @property
    def scene(self) -> Scene:
        """The current scene. Raises :class:`HubMisuse` without one."""
        if self.state.scene is None:
            raise HubMisuse(Reason("no-scene"))
        return self.state.scene

    @property
    def phase(self) -> Phase:
        """The phase reached so far."""
        return phase_of(self.state)

    def emit(self, event: r.AnyEvent, secret: r.Secret | None = None) -> None:
        """Write a record, and fold it as written. A new phase begins with cleared readers and its
        own commit timer."""
        before = self.state.scene
        seq = self.state.seq + 1
        if isinstance(secret, r.Document):
            secret = replace(secret, salt=self.nonce())
            event = replace(event, digest=self._document_digest(seq, event, secret))
        sealed = None if secret is None else Sealed(secret)
        record = self._written(r.Record(seq, self.now_ms, event, sealed))
        self.state = fold(self.state, record)
        self.records.append(record)
        after = self.state.scene
        if after and (before is None or before.phase_no != after.phase_no):
            early = before.pending.early if before else ()
            self.unbind(waiting=bool(early) and isinstance(event, _GOES_ON))
            if after.checkpoint and after.pending.stops != after.checkpoint.pending.stops:
                self.emit(r.StopMade(phase=after.phase_no))
            self.start_timer()
            self._seal_chance()

    def _document_digest(self, seq: int, event: r.AnyEvent, document: r.Document) -> str:
        kind, written = r.tag_of(event), msgspec.json.encode(document)
        return secret_digest(self.state.log, self.state.table, seq, kind, written)

    def start_timer(self) -> None:
        """Begin the commit timer, if there is one and cards are being sealed."""
        seconds = commit_s(self.state, self.settings)
        if self.phase is Phase.SEALED and seconds:
            self.emit(
                r.DeadlineSet(
                    deadline_ms=self.now_ms + round(seconds * 1000),
                    seconds=float(seconds),
                    warnings=tuple(float(w) for w in self.settings.warnings_s if w < seconds),
                )
            )

    def unbind(self, *, waiting: bool = False) -> None:
        """Require all cards on the readers to be lifted before they can mean anything again; with
        ``waiting``, except cards that were laid early for this step."""
        for seat, spot in self.desk.items():
            if not (waiting and spot.fresh and spot.notice is Signal.WAITS):
                self.forget(seat, Signal.LEFT)

    def forget(self, seat: str, why: Signal) -> None:
        """Mark the seat's cards as handled: they must be lifted before they can mean anything
        again. No effect for a GM without a seat, who has no reader."""
        if seat in self.settings.seats or seat != GM:
            self.desk[seat] = forget(self.spot(seat), why)

    def leave_unread(self, seat: str, why: Signal = Signal.ENDED) -> None:
        """Ignore the seat's cards until they are lifted. If a sealed card is among them, lifting it
        still takes its seal back."""
        spot = self.spot(seat)
        self.desk[seat] = replace(forget(spot, why), bound=spot.bound)

    def spot(self, seat: str) -> Spot:
        """The seat's spot. Raises :class:`HubMisuse` if the table does not have the seat."""
        if seat not in self.settings.seats:
            raise HubMisuse(f"the table has no seat {seat}")
        return self.desk.get(seat) or Spot()

    def tell(self, seat: str, signal: Signal, why: Reason | None = None) -> None:
        """Signal something to one seat; ``why`` goes to its own page only."""
        self.tells.append(SeatSignal(seat, signal, Sealed(why)))

    def refuse(self, seat: str, why: Reason | None) -> None:
        """Refuse the card just read at this seat."""
        self.desk[seat] = replace(self.spot(seat), notice=Signal.REFUSED)
        self.tell(seat, Signal.REFUSED, why)

    def nonce(self) -> str:
        """The next nonce of this step: 32 bytes, unpredictable without the entropy."""
        count = len(self.records).to_bytes(4, "big")
        return sha256(b"facedown/nonce/1" + self._entropy + count).hexdigest()

    def tell_matters(self, before: Mapping[str, Signal]) -> None:
        """Signal to each seat what has gone wrong on its reader since ``before``, or that a problem
        is over, unless this step has already signalled it."""
        now = matters(self.state, self.desk)
        for seat in self.settings.seats:
            signal = now.get(seat)
            if signal == before.get(seat):
                continue
            said = [tell.signal for tell in self.tells if tell.seat == seat]
            if signal is not None and signal not in said:
                self.tell(seat, signal)
            elif signal is None and not said:
                self.tell(seat, Signal.CLEAR)

    def seal(
        self,
        actor: str,
        seat: str,
        choice: Choice,
        *,
        beside: bool = False,
        origin: str = "",
        tag: str = "",
        browser: str | None = None,
    ) -> None:
        """Seal a choice that was found legal, or a card ``beside`` the step. ``origin``: its
        source, unless it is the seat's reader; ``tag``: the card's, if read there; ``browser``:
        that of the page, None for a reader."""
        scene = self.scene
        sealed = (r.SetBeside if beside else r.Committed)(
            actor=actor,
            seat=seat,
            scene=scene.number,
            turn=scene.turn,
            phase=scene.phase_no,
            digest="",
            origin=origin or from_reader(seat),
        )
        kept = Kept(self.nonce(), str(choice), tag, browser)
        self._emit_sealed(sealed, kept.opening(), kept)
        self.tell(seat, Signal.SEALED, Reason("lies-beside") if beside else None)

    def why_not_beside(self, actor: str, choice: Choice) -> Reason | None:
        """Why ``actor`` may neither set this card beside the step nor withdraw it."""
        scene = self.scene
        lie = [seal.choice() for seal in scene.beside.get(actor, ())]
        if reason := refusal(self.state, actor, choice):
            return reason
        if choice in lie:
            return None
        reason = scene.rules.why_not(scene.game, actor, choice, lie)
        if len(lie) >= MOST_BESIDE:
            reason = Reason("beside-full", n=len(lie), who=actor)
        return reason and Reason("tap-to-withdraw", why=reason)

    def lying(self, actor: str, choice: Choice) -> Seal | None:
        """The seal of this choice beside the step, if there is one."""
        lie = self.scene.beside.get(actor, ())
        return next((seal for seal in lie if seal.choice() == choice), None)

    def withdraw(self, seal: Seal, why: Reason | None = NO_LONGER) -> None:
        """Take back a card beside the step."""
        self.emit(r.Withdrawn(actor=seal.actor, seat=seal.seat, digest=seal.digest))
        self.tell(seal.seat, Signal.TAKEN_BACK, why)

    def _emit_sealed(self, event: r.Seal, opening: Opening, secret: Kept | Opening) -> None:
        place = r.place_of(event, self.state.log, self.state.table)
        self.emit(replace(event, digest=seal_digest(place, opening)), secret)

    def _seal_chance(self) -> None:
        """Draw the random bytes of a step that has chance, and publish their digest."""
        scene = self.state.scene
        if scene is None or not scene.pending.chance:
            return
        drawn = r.ChanceSealed(scene=scene.number, turn=scene.turn, phase=scene.phase_no, digest="")
        opening = Opening(self.nonce(), CHANCE)
        self._emit_sealed(drawn, opening, opening)

    def declare(self, actor: str, choice: Choice, by: str) -> None:
        """Write a declaration, or a card laid openly beside the step, that was found legal."""
        phase = self.scene.phase_no
        self.emit(r.Declared(actor=actor, choice=str(choice), by=by, phase=phase))

    def overrule(self, word: Word) -> None:
        """Write the GM's ruling, which was found possible."""
        phase = self.scene.phase_no
        self.emit(r.Overruled(holds=word.holds, because=word.because, phase=phase))

    def why_not_together(self, actor: str, choice: Choice) -> Reason | None:
        """Why an open choice, possible on its own, does not fit the choices already made. Judged
        only for the last one, and never from sealed choices."""
        scene = self.scene
        decided = {**scene.decided, actor: choice}
        if not scene.decided or replace(scene, decided=decided).waits_for():
            return None
        try:
            scene.rules.advance(scene.game, decided, _NO_CHANCE)
        except IllegalChoice as illegal:
            return illegal.reason
        return None

    def decided(self, actor: str, choice: Choice, by: str) -> None:
        """Write an open choice. The last one of a step that has chance reveals the random bytes."""
        scene = self.scene
        waiting = replace(scene, decided={**scene.decided, actor: choice}).waits_for()
        self.emit(
            r.Decided(
                actor=actor,
                choice=str(choice),
                by=by,
                phase=scene.phase_no,
                awaited=scene.pending.must,
                waits_for=waiting,
                one_of=scene.pending.one_of or UNSET,
                chance="" if waiting else self._chance(),
                fell=UNSET if waiting else self._fell({**scene.decided, actor: choice}),
            )
        )

    def _chance(self) -> str:
        """The random bytes sealed when the step began, in hex; empty if it has no chance."""
        chance = self.scene.chance
        return chance.unseal().nonce if chance else ""

    def _fell(
        self, choices: Mapping[str, Choice], beside: Mapping[str, Sequence[Choice]] = {}
    ) -> Fall | UnsetType:
        """The outcome of the random bytes with these choices; unset if the rules do not tell it."""
        scene, chance = self.scene, self._chance()
        if not chance or not scene.rules.tells_falls:
            return UNSET
        on = scene.rules.falls_on(scene.game, choices, beside)
        came = scene.rules.fall(on, choices, bytes.fromhex(chance))
        return Fall(on={**on}, came={**came})

    def lock_if_complete(self) -> None:
        """Lock all seals when the last awaited one is in, and no sealed card is in doubt.

        A card that the reader's last look missed may have been lifted before the others had
        committed, so the lock waits for the few looks that decide it.
        """
        if self.phase is not Phase.SEALED:
            return
        scene = self.scene
        complete = not scene.waits_for() and not scene.answers
        doubtful = any(s.doubtful and s.bound in scene.seals for s in self.desk.values())
        if complete and not doubtful:
            cards = [scene.seals[actor] for actor in scene.awaited()]
            cards += [seal for _, lie in sorted(scene.beside.items()) for seal in lie]
            self.emit(
                r.Locked(
                    reveal_at_ms=self.now_ms + self.settings.reveal_delay_ms,
                    scene=scene.number,
                    turn=scene.turn,
                    phase=scene.phase_no,
                    awaited=scene.awaited(),
                    digests=tuple(seal.digest for seal in cards),
                    one_of=scene.pending.one_of or UNSET,
                )
            )
            self.reveal_if_due()

    def reveal_if_due(self) -> None:
        """Open all seals at once when the reveal is due."""
        due = self.scene.reveal_at_ms
        if due is None or self.now_ms < due:
            return
        scene = self.scene
        seals = {actor: scene.seals[actor] for actor in scene.awaited()}
        lie = scene.beside
        self.emit(
            r.Revealed(
                phase=scene.phase_no,
                openings={actor: seal.opening() for actor, seal in seals.items()},
                beside={a: tuple(seal.opening() for seal in each) for a, each in lie.items()},
                chance=self._chance(),
                one_of=scene.pending.one_of or UNSET,
                fell=self._fell(
                    {actor: seal.choice() for actor, seal in seals.items()},
                    {a: [seal.choice() for seal in each] for a, each in lie.items()},
                ),
            )
        )
