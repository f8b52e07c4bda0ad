"""A seat board as a reader: it looks at its field as the hub does with a chip on a cable.

The hub asks for each look and decides what it means. A board that has restarted says so. The hub
then greets it and sets it up again, and looks at its cards as after any disturbance.

Ref: firmware/PROTOCOL.md.
"""

import errno
import logging
from collections.abc import Callable

from hub.readers.address import BusAddress, SeatAddress
from hub.readers.board_reports import BoardHealth, identify
from hub.readers.cable import Cable, Cables, failed
from hub.readers.causes import Told
from hub.readers.driver import Driver
from hub.readers.lamp import Lamp
from hub.readers.presence import Care, Look
from hub.readers.radio import Antenna, RadioDead
from hub.readers.wakeup import Heard
from hub.wire import link
from hub.world import MACHINE, World

_log = logging.getLogger(__name__)

_CARE = {Care.GLANCE: 0, Care.QUICK: 1, Care.USUAL: 2, Care.THOROUGH: 3}
_ANTENNA = tuple(Antenna)

_ANSWER_S = (0.03, 0.04, 0.06, 0.1, 0.2)
"""How long each attempt waits for its answer, on top of the wait that the question allows."""
_SLOTS_S = 0.12  # the slots in which boards that share an address answer, one after the other
_HELD_S = 0.2  # how long a board that is alone on its cable may hold a question
_POLLS_S, _POLLS_SOON_S = 0.04, 0.003
"""The pauses between two questions on a bus: while waiting for a card, and when a look is about to
end.
"""
_HEARD_S = 0.001  # until a board acts on a command
_LONG_LOOK_S = 0.1  # a look that took longer was disturbed
_SET_UP_S, _MEND_S, _LOOK_S = 2.5, 1.5, 1.5
_HEALTH_S = 10.0  # between two questions
_PRESS_S = 0.5
_US = 1e-6
_ANEW = {
    "power": "its power dipped, or somebody pressed its reset",
    "watchdog": "its program hung or failed (fault.txt on the board may say why)",
}


class Restarted(Exception):
    """The board has restarted since it was greeted."""


class SeatBoard(Driver):
    """The seat board at ``address``. Every method except :meth:`cancel` must be called in one
    thread.
    """

    blind = True
    antenna = Antenna.UNTRIED
    unheard = 0

    def __init__(
        self,
        address: SeatAddress | BusAddress,
        health: BoardHealth | None = None,
        world: World = MACHINE,
    ) -> None:
        """``health``: what is already known of this board, from before it was reopened."""
        self._world, self._now = world, world.monotonic
        self._health = health or BoardHealth()
        self.pressed: Callable[[], None] = lambda: None
        """Called in this reader's thread when the seat's button is pressed."""
        self._path = address.path
        bus = address.bus
        self._shares = bus is not None
        self._number = bus.number if bus else link.ALONE
        self._baud = bus.baud if bus else link.BAUD
        self.cables = Cables()
        """The cables of the table, shared with its other boards."""
        self.lamp = Lamp()
        """The pattern and brightness that the board's lamps should show."""
        self.learnt: Callable[[bytes], str | None] = lambda uid: None
        """Returns the id of the card that a tag with this UID stands for, or None."""
        self._cable: Cable | None = None
        self._broken = self._cancelled = False
        self._waker = world.waker()
        self._open = True
        self._seq = self._world.entropy(1)[0]
        self._lit: tuple[int, int] | None = None
        self._took_s: dict[Care, float] = {}
        self._chip = ""
        self._presses = 0
        self._deaf_until = 0.0
        self._health_at = 0.0
        self.welcome: link.Welcome | None = None

    @property
    def chip(self) -> str:
        """The chip, the board's program, and that program's hash as in ``facedown firmware list``;
        empty until the chip has answered.
        """
        if not (self._chip and self.welcome):
            return self._chip
        return f"{self._chip}, {self.welcome.program} ({self.welcome.files[:12]})"

    @property
    def health(self) -> BoardHealth:
        """What the board has reported about itself so far."""
        return self._health

    @property
    def damaged(self) -> int:
        """How many broken frames were received over the board's cable."""
        return self._cable.damaged if self._cable else 0

    def start(self) -> None:
        """Greet the board and let it set its chip up. Raises :exc:`Told`, :exc:`OSError`,
        :exc:`Restarted`, :exc:`RadioDead`.
        """
        self._cable = self._cable or self.cables.take(self._path, self._baud)
        self.lamp.wake = self._waker.wake
        self._set_up(link.Job.SET_UP, _SET_UP_S)

    def mend(self) -> None:
        """Greet the board again and let it revive its chip. Raises as :meth:`start` does."""
        self._set_up(link.Job.MEND, _MEND_S)

    def _set_up(self, job: link.Job, patience_s: float) -> None:
        self._greet()
        self._presses = self.ask_health().presses
        self._tell_lamp()
        answer = self._carry_out(link.do(job, wait_ms=self._wait_ms()), patience_s)[0]
        if answer.kind != link.Say.READY:
            raise failed(errno.EPROTO)
        version, revision, antenna = link.ready(answer.payload)
        self._chip = f"PN532 {version}.{revision}"
        self.antenna = _ANTENNA[min(antenna, len(_ANTENNA) - 1)]

    def observe(self, patience_s: float, care: Care = Care.USUAL) -> Look:
        """Have the board look at its field once; see :meth:`hub.readers.driver.Driver.observe`."""
        patience_ms = round(1000 * patience_s)
        question = link.do(link.Job.LOOK, _CARE[care], patience_ms, self._wait_ms())
        ready_s = None if patience_s else self._took_s.get(care, 0.0)
        answer, sent, came = self._carry_out(question, patience_s + _LOOK_S, ready_s)
        if answer.kind != link.Say.LOOKED:
            raise failed(errno.EPROTO)
        seen = link.looked(answer.payload)
        self._press(seen.presses)
        if (care is Care.THOROUGH or not seen.tags) and self._now() >= self._health_at:
            self.ask_health()
        self.blind = seen.blind
        if not patience_s:
            took_s = (seen.began_us - seen.listed_us) * _US
            self._took_s[care] = min(took_s, _LONG_LOOK_S)
        tags = tuple(sorted(identify(each, self.learnt) for each in seen.tags))
        # Both bounds hold, however long the cable and repetitions took: see PROTOCOL.md.
        if self._shares:  # the answer's bytes arrived one by one
            came -= 0.9 * 10 * len(answer.payload) / self._baud
        since = came - seen.listed_us * _US
        until = min(came, sent + (seen.held_us - seen.began_us) * _US)
        return Look(tags, since, until)

    def probe(self) -> Heard:
        """Not supported: only seat boards are looked for on a board's cable. Raises
        :exc:`OSError`.
        """
        raise failed(errno.ENOTSUP)

    def ask_health(self) -> link.Health:
        """Ask the board for its health report. Raises :exc:`OSError`, or :exc:`Restarted` if the
        board was not greeted since its start.
        """
        answer = link.Frame(self._number, link.Say.STILL, self._seq)
        while answer.kind == link.Say.STILL and not answer.payload:  # this reader was woken
            answer = self._checked(self._ask(link.Ask.HEALTH, b"")[0])
        health = link.health(answer.payload)
        self._health_at = self._now() + _HEALTH_S
        if why := self._health.note(health, self._now()):
            _log.info("the seat board at %s was started anew: %s", self._place, _ANEW[why])
        return health

    def cancel(self) -> None:
        """Make the running call and every later one fail at once. Safe from any thread."""
        self._cancelled = True
        self._waker.wake()

    def close(self) -> None:
        """Give the cable back. Idempotent."""
        if not self._open:
            return
        self._open = False
        self.lamp.wake = lambda: None
        if self._cable is not None:
            self.cables.give_back(self._cable, broken=self._broken)
        self._waker.close()

    # Questions

    def _wait_ms(self) -> int:
        return 0 if self._shares else round(1000 * _HELD_S)

    def _carry_out(
        self, question: bytes, patience_s: float, ready_s: float | None = None
    ) -> tuple[link.Frame, float, float]:
        """Have the board do a job, and ask until it is done. Returns the answer, when the last
        question was first sent, and when the answer came (monotonic, s).

        ``ready_s``: how long the job is likely to take; on a bus the hub does not ask again sooner.
        """
        until = self._now() + patience_s
        ready_at = 0.0
        kind = link.Ask.DO
        while True:
            self._tell_lamp()
            answer, sent, came = self._ask(kind, question, self._wait_ms())
            if answer.kind != link.Say.STILL:
                return self._checked(answer), sent, came
            if self._now() > until:
                raise failed(errno.ETIMEDOUT)
            if not answer.payload:  # this reader was woken: the question may not have arrived
                continue
            self._press(answer.payload[0])
            if kind is link.Ask.DO and ready_s is not None:
                ready_at = sent + ready_s + _HEARD_S
            kind, question = link.Ask.FETCH, link.fetch(self._wait_ms())
            if self._shares:
                pause_s = _POLLS_S
                if ready_s is not None:
                    pause_s = max(_POLLS_SOON_S, ready_at - self._now())
                self._waker.wait(pause_s)

    def _checked(self, answer: link.Frame) -> link.Frame:
        match answer.kind:
            case link.Say.REFUSED if link.refusal(answer.payload) is link.Refusal.NOT_GREETED:
                raise Restarted
            case link.Say.REFUSED:
                raise failed(errno.EPROTO)
            case link.Say.FAILED:
                raise self._why(link.failure(answer.payload))
        return answer

    def _why(self, failure: link.Failure) -> Exception:
        if failure is link.Failure.RADIO_DEAD:
            return RadioDead()
        if failure is link.Failure.NO_CHIP:
            return Told(
                f"the seat board at {self._place} answers, but no PN532 answers the board: check "
                "the reader's power, its two wires, and that its switches select UART (HSU), or "
                "I2C where its seat.json says so"
            )
        return failed(errno.EIO)

    @property
    def _place(self) -> str:
        return f"{self._path}#{self._number}" if self._shares else self._path

    def _tell_lamp(self) -> None:
        lit = (int(self.lamp.pattern), self.lamp.brightness)
        if lit != self._lit:
            answer = self._ask(link.Ask.LAMP, link.lamp(*lit))[0]
            if self._checked(answer).kind == link.Say.DONE:
                self._lit = lit

    def _ask(
        self, kind: link.Ask, payload: bytes, wait_ms: int = 0
    ) -> tuple[link.Frame, float, float]:
        """Ask until the board answers. Returns the answer, when the question was first sent, and
        when the answer came (monotonic, s). If this reader was woken instead, the answer is an
        empty STILL.
        """
        cable = self._cable
        if cable is None:
            raise failed(errno.ENXIO)
        self._seq = (self._seq + 1) & 0xFF
        frame = link.Frame(self._number, kind, self._seq, payload)
        on_the_wire_s = 10 * (len(payload) + link.MOST_PAYLOAD) / self._baud
        sent = 0.0
        for patience_s in _ANSWER_S:
            self._drain()
            with cable.turn:
                now = self._now()
                self.unheard += bool(sent)
                sent = sent or now
                self._sending(cable, frame)
                answer, woken = self._answer(
                    cable, frame, now + wait_ms / 1000 + on_the_wire_s + patience_s
                )
                if answer is not None:
                    return answer, sent, self._now()
                if woken:
                    break
        if self._cancelled:
            raise failed(errno.ECANCELED)
        if woken:  # there is something to send first
            return link.Frame(self._number, link.Say.STILL, self._seq), sent, self._now()
        raise failed(errno.ETIMEDOUT)

    def _drain(self) -> None:
        if self._cancelled:
            raise failed(errno.ECANCELED)
        self._waker.clear()

    def _sending(self, cable: Cable, frame: link.Frame) -> None:
        try:
            cable.send(frame)
        except OSError:
            self._broken = True
            raise

    def _answer(
        self, cable: Cable, frame: link.Frame, until: float
    ) -> tuple[link.Frame | None, bool]:
        """The answer to ``frame`` and False. Without an answer, None and whether the reader was
        woken before ``until``.
        """
        while True:
            try:
                heard, woken = cable.hear(self._waker, until)
            except OSError:
                self._broken = True
                raise
            if heard is None:
                return None, woken
            if (heard.address, heard.seq) == (frame.address, frame.seq) and heard.kind & 0x80:
                return heard, False

    def _greet(self) -> None:
        cable = self._cable
        if cable is None:
            raise failed(errno.ENXIO)
        session = int.from_bytes(self._world.entropy(2), "big")
        self._lit = None
        for patience_s in _ANSWER_S[-3:]:
            self._drain()
            self._seq = (self._seq + 1) & 0xFF
            frame = link.Frame(self._number, link.Ask.HELLO, self._seq, link.hello(session))
            with cable.turn:
                self._sending(cable, frame)
                found = self._welcomes(cable, frame, session, patience_s)
            if found:
                break
        else:
            raise Told(
                f"no seat board answers at {self._place}: check its power, its cable, and the "
                f"address {'and the baud ' * self._shares}in its seat.json; without a hub its "
                "lamps blink twice and pause"
            )
        if len({each.board for each in found}) > 1:
            ids = " and ".join(sorted(each.board for each in found))
            raise Told(
                f"two seat boards answer at {self._place} ({ids}): give one of them another "
                "address in its seat.json"
            )
        self.welcome = found[0]
        if self.welcome.level != link.LEVEL:
            older = "board" if self.welcome.level < link.LEVEL else "hub"
            raise Told(
                f"the seat board at {self._place} speaks level {self.welcome.level} of the link, "
                f"this hub level {link.LEVEL}: update the {older}"
            )

    def _welcomes(
        self, cable: Cable, frame: link.Frame, session: int, patience_s: float
    ) -> list[link.Welcome]:
        found: list[link.Welcome] = []
        until = self._now() + patience_s + (_SLOTS_S if self._shares else 0.0)
        while True:
            answer, woken = self._answer(cable, frame, until)
            if answer is None:
                if woken:
                    self._drain()
                    continue
                return found
            if answer.kind == link.Say.WELCOME:
                try:
                    said = link.welcome(answer.payload)
                except link.LinkError:
                    continue
                if said.session == session:
                    found.append(said)
                    if not self._shares:
                        return found

    def _press(self, presses: int) -> None:
        """Call :attr:`pressed` if the count of ``presses`` has changed. Rapid pressing, or a
        bouncing button, counts as one press.
        """
        before, self._presses = self._presses, presses
        if presses != before and self._now() >= self._deaf_until:
            self._deaf_until = self._now() + _PRESS_S
            self.pressed()
