"""``python -m tests.firmware.soak [LOOKS]``: an hour of play on a seat board, to watch its memory.

An hour of turns is some 15,000 looks at cards that come and go. They run as fast as the board can,
on a bus that is occasionally noisy and flooded with questions.
"""

import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from hub.readers.address import BusAddress
from hub.readers.board import Restarted, SeatBoard
from hub.readers.causes import Told
from hub.readers.presence import Care
from hub.sim.readers import SimulatedReader
from hub.wire import link
from hub.wire.tags import tag_id
from tests.support.boards import seat_boards

HOUR_LOOKS = 15_000
_NUMBER = 5
_EACH = 25
_FLOOD = 1000


def play(looks: int, floods: int) -> list[link.Health]:
    """Take this many looks; return the board's health after every tenth of them."""
    found: list[link.Health] = []
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        chip = SimulatedReader("chip", folder, time_scale=0, misses=0)
        with chip, seat_boards(folder, {"north": chip}, {"north": _NUMBER}) as (_, named, bus):
            board = SeatBoard(BusAddress(named["north"].partition(":")[2][:-2], _NUMBER))
            try:
                _again(board.start)
                for at in range(looks):
                    if at % _EACH == 0:
                        chip.lift()
                        chip.place(tag_id(at.to_bytes(16, "big")))
                    if at % 97 == 0:
                        bus.noise(bytes(range(1, 200)) + b"\0\x03\x04\0")
                    if floods and at and at % (looks // (floods + 1)) == 0:
                        _flood(bus.noise)
                    if at % (looks // 10) == looks // 10 - 1:
                        found.append(board.ask_health())
                    try:
                        tags = board.observe(0, Care.THOROUGH if at % 5 else Care.USUAL).tags
                    except (OSError, Restarted):  # as the supervisor does
                        _again(board.mend)
                        continue
                    assert tags in ((), (tag_id((at - at % _EACH).to_bytes(16, "big")),))
            finally:
                board.close()
    return found


def _again(make_it_answer: Callable[[], None]) -> None:
    """Retry as the supervisor does: a flooded board is unreachable for a while."""
    for _ in range(30):
        try:
            return make_it_answer()
        except (OSError, Restarted, Told):
            time.sleep(0.1)
    raise AssertionError("it does not come back")


def _flood(say: object) -> None:
    """Send a thousand questions, faster than a board can answer."""
    for seq in range(0, _FLOOD, 50):
        burst = b"".join(
            link.encode(link.Frame(_NUMBER, link.Ask.LAMP, (seq + n) & 0xFF, link.lamp(2, 9)))
            for n in range(50)
        )
        say(burst)  # type: ignore[operator]
        time.sleep(0.002)


if __name__ == "__main__":
    count = int(sys.argv[1]) if sys.argv[1:] else HOUR_LOOKS
    for health in play(count, floods=20):
        print(health)
