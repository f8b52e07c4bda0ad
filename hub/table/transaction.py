"""A step in progress: the records it has written, and the resulting state so far."""

from collections.abc import Callable, Mapping
from hashlib import sha256

import msgspec
from msgspec.structs import replace

from hub.games.game import GM
from hub.kernel.reasons import Reason
from hub.table.desk import SeatSignal, forget, matters
from hub.table.fold import fold
from hub.table.records import Document, Event, Record, Secret, tag_of
from hub.table.sealed import Sealed, secret_digest
from hub.table.signals import Signal
from hub.table.spots import Desk, Spot
from hub.table.state import HubMisuse, Phase, Scene, Settings, TableState, phase_of


class Transaction:
    """One input being judged: each record is folded immediately, and the next builds on it."""

    def __init__(
        self,
        state: TableState,
        desk: Desk,
        settings: Settings,
        *,
        now_ms: int,
        entropy: bytes,
        written: Callable[[Record], Record],
        begun: Callable[["Transaction"], None],
    ) -> None:
        """``written``: see :func:`hub.table.step.step`; ``begun`` is called when a phase begins."""
        self.state = state
        self.desk = dict(desk)
        self.settings = settings
        self.now_ms = max(now_ms, state.at_ms)  # the log's times never run backwards
        self.records: list[Record] = []
        self.tells: list[SeatSignal] = []
        self._entropy = entropy
        self._written = written
        self._begun = begun

    @property
    def scene(self) -> Scene:
        """The current scene. Raises :class:`HubMisuse` without one."""
        if self.state.scene is None:
            raise HubMisuse(Reason("no-scene"))
        return self.state.scene

    @property
    def phase(self) -> Phase:
        """The phase that the table has reached in this step so far."""
        return phase_of(self.state)

    def emit(self, event: Event, secret: Secret | None = None) -> None:
        """Write a record, and fold it as written. ``secret`` goes to the journal only. A new phase
        begins with :meth:`unbind`."""
        before = self.state.scene
        seq = self.state.seq + 1
        if isinstance(secret, Document):
            secret = replace(secret, salt=self.nonce())
            log, table, written = self.state.log, self.state.table, msgspec.json.encode(secret)
            event = replace(event, digest=secret_digest(log, table, seq, tag_of(event), written))
        sealed = None if secret is None else Sealed(secret)
        record = self._written(Record(seq, self.now_ms, event, sealed))
        self.state = fold(self.state, record)
        self.records.append(record)
        after = self.state.scene
        if after and (before is None or before.phase_no != after.phase_no):
            early = before.pending.early if before else ()
            self.unbind(waiting=bool(early) and event.keeps_early_cards)
            self._begun(self)

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
        """Signal something to one seat; ``why`` goes to the seat's own page only."""
        self.tells.append(SeatSignal(seat, signal, Sealed(why)))

    def refuse(self, seat: str, why: Reason | None) -> None:
        """Refuse the card just read at this seat; ``why`` goes to the seat's own page only."""
        self.desk[seat] = replace(self.spot(seat), notice=Signal.REFUSED)
        self.tell(seat, Signal.REFUSED, why)

    def nonce(self) -> str:
        """The next nonce of this step: 32 bytes in hex, unpredictable without the entropy."""
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
