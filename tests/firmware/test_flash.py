"""Flash wears with each write: what a board writes by itself, and how often."""

import json
from pathlib import Path

from tests.firmware.test_led_clock_setup import STANDS, beside, filled, ports
from tests.support import micropython
from tests.support.broker import free_port


def _failing(folder: Path) -> micropython.Board:
    """A seat board whose program fails at each start, because no chip is at its UART."""
    return micropython.board("seat_reader", folder=folder)


def test_a_lasting_fault_is_written_once(tmp_path: Path) -> None:
    fault = tmp_path / "fault.txt"
    with _failing(tmp_path) as board:
        assert board.wait_for(lambda: board.starts >= 2), board.said
        written = fault.stat()
        assert "no wire is at UART1" in fault.read_text()
        assert board.wait_for(lambda: board.starts >= 5), board.said
    now = fault.stat()
    assert (now.st_ino, now.st_mtime_ns) == (written.st_ino, written.st_mtime_ns)


def test_a_board_that_cannot_write_its_fault_restarts_all_the_same(tmp_path: Path) -> None:
    (tmp_path / "fault.txt").mkdir()
    with _failing(tmp_path) as board:
        assert board.wait_for(lambda: board.starts >= 3), board.said


_NOTE = """
import os, sys
from common import files
def fault(text):
    try:
        raise ValueError(text)
    except ValueError as error:
        files.note(sys.argv[1], error)
    return os.stat(sys.argv[1])[6]
print(fault("one") < fault("two") == fault("one") == fault("two"))
sizes = []
for number in range(500):
    sizes.append(fault("allocating %d bytes" % number))
print(len(set(sizes)) < 60, max(sizes) <= 4096, sizes[-1] == sizes[-100])
"""


def test_different_faults_are_kept_once_each_up_to_a_limit(tmp_path: Path) -> None:
    fault = tmp_path / "fault.txt"
    assert micropython.run(_NOTE, str(fault)).split() == ["True"] * 4
    said = fault.read_text()
    assert said.count("ValueError: one\n") == said.count("ValueError: two\n") == 1
    assert said.startswith("Traceback")


def test_unchanged_settings_are_not_written(tmp_path: Path) -> None:
    file = tmp_path / "clock.json"
    file.write_text(json.dumps(STANDS | {"display": "ws2812", "pin": 0, "pin2": 1}))
    before, http = file.stat(), free_port()
    board = micropython.board("led_clock", folder=tmp_path, environment=ports(http))
    for phone in beside(board, http):
        assert phone.ask(filled(phone.ask()[1]))[0] == 200
        phone.restarted()
    now = file.stat()
    assert (now.st_ino, now.st_mtime_ns) == (before.st_ino, before.st_mtime_ns)
