"""A step in the making: the records it writes, and the state that they lead to so far."""

from hashlib import sha256

from hub.rules.game import Choice
from hub.table import records as r
from hub.table.desk import Signal, Tell, forget
from hub.table.fold import fold
from hub.table.sealed import Opening, Sealed, seal_digest
from hub.table.state import Desk, HubMisuse, Phase, Scene, Settings, Spot, TableState, phase_of


class Work:
    """A step in the making: every record is folded at once, so that the next one sees it."""

    def __init__(
        self, state: TableState, desk: Desk, settings: Settings, now_ms: int, entropy: bytes
    ) -> None:
        self.state = state
        self.desk = dict(desk)
        self.settings = settings
        self.now_ms = now_ms
        self.records: list[r.Record] = []
        self.tells: list[Tell] = []
        self._entropy = entropy

    @property
    def scene(self) -> Scene:
        """The scene being played. Raises :class:`HubMisuse` without one."""
        if self.state.scene is None:
            raise HubMisuse("no scene is being played")
        return self.state.scene

    @property
    def phase(self) -> Phase:
        """The phase reached so far."""
        return phase_of(self.state)

    def emit(self, event: r.AnyEvent, secret: r.Secret | None = None) -> None:
        """Write a record. A new phase begins with bare readers and its own commit timer."""
        before = self.state.scene
        sealed = None if secret is None else Sealed(secret)
        record = r.Record(self.state.seq + 1, self.now_ms, event, sealed)
        self.state = fold(self.state, record)
        self.records.append(record)
        after = self.state.scene
        if after and (before is None or before.phase_no != after.phase_no):
            self.unbind()
            self.start_timer()

    def start_timer(self) -> None:
        """Begin the commit timer, if there is one and cards are being sealed."""
        seconds = self.settings.commit_s
        if self.phase is Phase.SEALED and seconds:
            self.emit(
                r.DeadlineSet(
                    deadline_ms=self.now_ms + round(seconds * 1000),
                    seconds=seconds,
                    warnings=self.settings.warnings_s,
                )
            )

    def unbind(self) -> None:
        """Whatever lies on the readers has to be lifted before it can mean something again."""
        for seat in self.desk:
            self.forget(seat)

    def forget(self, seat: str) -> None:
        """What lies at this seat has been dealt with; it must be lifted to mean more."""
        self.desk[seat] = forget(self.spot(seat))

    def spot(self, seat: str) -> Spot:
        """What lies at this seat."""
        return self.desk.get(seat) or Spot()

    def tell(self, seat: str, signal: Signal, why: str = "") -> None:
        """Signal something to one seat; ``why`` is for its own page alone."""
        self.tells.append(Tell(seat, signal, Sealed(why)))

    def nonce(self) -> str:
        """The next nonce of this step: 32 bytes that only the entropy's holder can foretell."""
        count = len(self.records).to_bytes(4, "big")
        return sha256(b"facedown/nonce/1" + self._entropy + count).hexdigest()

    def seal(self, actor: str, seat: str, choice: Choice) -> None:
        """Seal a choice that was found legal; lock when it was the last one awaited."""
        scene = self.scene
        opening = Opening(self.nonce(), str(choice))
        self.emit(
            r.Committed(
                actor=actor,
                seat=seat,
                scene=scene.number,
                turn=scene.turn,
                phase=scene.phase_no,
                digest=seal_digest(scene.place(self.state.table, seat), opening),
            ),
            opening,
        )
        self.tell(seat, Signal.SEALED)

    def lock_if_complete(self) -> None:
        """Lock all seals when the last one awaited is in."""
        scene = self.scene
        if self.phase is Phase.SEALED and all(a in scene.seals for a in scene.pending.must):
            self.emit(r.Locked(reveal_at_ms=self.now_ms + self.settings.reveal_delay_ms))
            self.reveal_if_due()

    def reveal_if_due(self) -> None:
        """Open all seals at once when their moment has come."""
        due = self.scene.reveal_at_ms
        # A clock that was set back while the hub was down must not postpone the reveal for hours.
        if due is None or self.now_ms < due <= self.now_ms + self.settings.reveal_delay_ms:
            return
        seals = self.scene.seals
        self.emit(
            r.Revealed(openings={a: seals[a].opening.unseal() for a in self.scene.pending.must})
        )
