"""Log lines: always one line, and never anything sealed."""

import io
import logging
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hub.daemon import logs
from hub.games.game import Choice
from hub.table.sealed import Opening, Sealed

CARD = "move attack-high"


@pytest.fixture
def log() -> Iterator[logging.Logger]:
    """A logger of this test alone."""
    logger = logging.Logger("hub.test", logging.DEBUG)
    yield logger
    for handler in logger.handlers:
        handler.close()


def event(log: logging.Logger, level: int, name: str, **fields: object) -> None:
    log.log(level, "%s", name, extra=fields)


def written(log: logging.Logger, formatter: logging.Formatter) -> io.StringIO:
    stream = io.StringIO()
    handler = logging.StreamHandler(stream)
    handler.setFormatter(formatter)
    log.addHandler(handler)
    return stream


class Clock:
    def __init__(self) -> None:
        self.now_s = 100.0

    def __call__(self) -> float:
        return self.now_s


@pytest.fixture
def limited(log: logging.Logger) -> tuple[io.StringIO, Clock]:
    """Return the output of ``log`` behind the hub's limit, and the clock that the limit uses."""
    clock = Clock()
    out = written(log, logs.PlainFormatter())
    log.handlers[0].addFilter(logs.Repeats(clock))
    return out, clock


def test_a_repeated_line_is_left_out_and_counted(
    log: logging.Logger, limited: tuple[io.StringIO, Clock]
) -> None:
    out, clock = limited
    for _ in range(46 * 60):  # a minute of a board that babbles
        log.info("%s: disturbed (%r)", "ada", OSError(71, "Protocol error"), extra={"seat": "ada"})
        log.info("something else")
        clock.now_s += 1 / 46
    lines = [line for line in out.getvalue().splitlines() if "disturbed" in line]
    assert logs.MOST_AT_ONCE <= len(lines) <= logs.MOST_AT_ONCE + 60 / logs.AGAIN_S
    assert "left out" not in lines[0]
    assert "more like it are left out" in lines[logs.MOST_AT_ONCE - 1]
    left = [int(found[1]) for each in lines if (found := re.search(r"(\d+) like it were", each))]
    assert 0 <= 46 * 60 - len(lines) - sum(left) <= 46 * logs.AGAIN_S, "those since the last line"


def test_after_a_quiet_while_it_is_written_again(
    log: logging.Logger, limited: tuple[io.StringIO, Clock]
) -> None:
    out, clock = limited
    for _ in range(100):
        log.warning("again")
    clock.now_s += logs.AGAIN_S * logs.MOST_AT_ONCE
    out.truncate(0)
    for _ in range(logs.MOST_AT_ONCE):
        log.warning("again")
    assert out.getvalue().count("again") == logs.MOST_AT_ONCE


def test_different_lines_are_all_written(
    log: logging.Logger, limited: tuple[io.StringIO, Clock]
) -> None:
    out, _ = limited
    for seq in range(1000):
        event(log, logging.INFO, "committed", seq=seq)
        event(log, logging.DEBUG, "for developers")
    for seat in ("ada", "bo"):
        for _ in range(logs.MOST_AT_ONCE):
            event(log, logging.WARNING, "reader is lost", seat=seat)
    assert out.getvalue().count("committed") == out.getvalue().count("for developers") == 1000
    assert out.getvalue().count("reader is lost") == 2 * logs.MOST_AT_ONCE


def test_the_memory_of_lines_is_bounded(log: logging.Logger) -> None:
    limit = logs.Repeats(Clock())
    for seq in range(10_000):
        limit.filter(log.makeRecord("hub", logging.INFO, "", 0, "%d", (seq,), None))
    assert len(limit._lines) <= logs.MOST_REMEMBERED


def test_an_event_with_its_fields(log: logging.Logger) -> None:
    out = written(log, logs.KeysFormatter(to_journald=True))
    event(log, logging.INFO, "sealed", seat="north", seq=7, late=False, why=None)
    event(log, logging.WARNING, 'a "quoted" \\ text', path=Path("/tmp/a=b"), empty="")
    assert out.getvalue().splitlines() == [
        "<6>level=info logger=hub.test msg=sealed seat=north seq=7 late=False why=None",
        '<4>level=warning logger=hub.test msg="a \\"quoted\\" \\\\ text" path="/tmp/a=b" empty=""',
    ]


def test_priorities_are_systemds(log: logging.Logger) -> None:
    out = written(log, logs.KeysFormatter(to_journald=True))
    for level in (logging.DEBUG, logging.INFO, logging.WARNING, logging.ERROR, logging.CRITICAL):
        log.log(level, "x")
    assert [line[:3] for line in out.getvalue().splitlines()] == ["<7>", "<6>", "<4>", "<3>", "<2>"]


def test_the_plain_format(log: logging.Logger) -> None:
    out = written(log, logs.PlainFormatter())
    log.warning("reader is lost: %s", "unplugged?", extra={"seat": "north"})
    assert out.getvalue()[8:] == " warning  reader is lost: unplugged? (seat north)\n"


def test_without_systemd_a_line_has_its_time(log: logging.Logger) -> None:
    out = written(log, logs.KeysFormatter(to_journald=False))
    log.info("x")
    time, _, rest = out.getvalue().partition(" ")
    assert time.startswith("time=2") and time.endswith("Z")
    assert rest == "level=info logger=hub.test msg=x\n"


@pytest.mark.parametrize(
    "formatter", [logs.PlainFormatter(), logs.KeysFormatter(to_journald=False)]
)
def test_sealed_values_stay_sealed(log: logging.Logger, formatter: logging.Formatter) -> None:
    out = written(log, formatter)
    opening = Opening("00" * 32, CARD)
    event(log, logging.INFO, "sealed", card=Sealed(opening))
    event(log, logging.INFO, "leaky", card=opening, more=[CARD], choice=Choice.parse(CARD))
    log.info("%s %r", Sealed(CARD), Sealed(opening), extra={"deep": {"card": CARD}})
    hidden = CARD
    try:
        raise ValueError(f"{Sealed(hidden)} does not fit")
    except ValueError:
        log.exception("failed")
    text = out.getvalue()
    assert "Sealed(…)" in text
    assert "<Opening>" in text
    assert "attack" not in text
    assert "00000" not in text


def test_an_exception_is_one_line_with_its_cause(log: logging.Logger) -> None:
    out = written(log, logs.KeysFormatter(to_journald=True))

    def fail() -> None:
        try:
            raise OSError("no\nsuch device")
        except OSError as error:
            raise RuntimeError("cannot go on") from error

    try:
        fail()
    except RuntimeError:
        log.exception("stopped")
    (line,) = out.getvalue().splitlines()
    assert "RuntimeError: cannot go on at test_logs.py:" in line
    assert "in fail < OSError: no\\\\nsuch device at test_logs.py:" in line


def test_an_exception_group_and_a_raise_from_none() -> None:
    group = ExceptionGroup("two", [ValueError("first"), ValueError("second")])
    assert logs.told(group) == "ExceptionGroup: two (2 sub-exceptions) < ValueError: first"
    try:
        try:
            raise KeyError("inner")
        except KeyError:
            raise ValueError("outer") from None
    except ValueError as error:
        assert "inner" not in logs.told(error)


def test_arguments_that_do_not_fit(log: logging.Logger) -> None:
    out = written(log, logs.KeysFormatter(to_journald=True))
    log.info("%d of %d", "x")  # noqa: PLE1206
    assert 'msg="%d of %d (its arguments do not fit)"' in out.getvalue()


@given(st.text(), st.text())
def test_always_one_line(text: str, field: str) -> None:
    log = logging.Logger("any")
    for formatter in (logs.PlainFormatter(), logs.KeysFormatter(to_journald=False)):
        out = written(log, formatter)
        event(log, logging.INFO, text, field=field)
        line = out.getvalue()
        assert line.endswith("\n")
        assert line[:-1].isprintable()
        line.encode()
        log.handlers.clear()


def test_a_line_has_a_maximum_length(log: logging.Logger) -> None:
    out = written(log, logs.PlainFormatter())
    log.info("x" * 100_000)
    assert len(out.getvalue()) <= logs.MAX_LINE_CHARS + 2


SCRIPT = """
import logging, os, sys
from hub.daemon import logs
if sys.argv[1] == "mine":
    found = os.fstat(2)
    os.environ["JOURNAL_STREAM"] = f"{found.st_dev}:{found.st_ino}"
logs.set_up("warning", sys.argv[2])
logging.getLogger("hub.x").info("not told")
logging.getLogger("hub.x").warning("told")
"""


@pytest.mark.parametrize(
    ("whose", "form", "start"),
    [
        ("mine", "auto", "<4>level=warning logger=hub.x msg=told"),
        ("other", "auto", "time="),
        ("mine", "plain", ""),
        ("other", "keys", "time="),
    ],
)
def test_systemds_journal_is_recognized_by_its_pipe(whose: str, form: str, start: str) -> None:
    child = subprocess.run(
        [sys.executable, "-c", SCRIPT, whose, form],
        stderr=subprocess.PIPE,
        check=True,
        text=True,
        cwd=Path(__file__).parents[2],
        env={**os.environ, "JOURNAL_STREAM": "1:2"},
    )
    (line,) = child.stderr.splitlines()
    assert line.startswith(start)
    assert line.endswith("told")


FLOOD = """
import logging
from hub.daemon import logs
logs.set_up("info", "keys")
for _ in range(5000):
    logging.getLogger("hub.x").info("%s: disturbed (%r)", "ada", OSError(71, "Protocol error"))
"""


def test_a_hub_that_is_flooded_writes_a_few_lines() -> None:
    child = subprocess.run(
        [sys.executable, "-c", FLOOD], stderr=subprocess.PIPE, check=True, text=True
    )
    assert child.stderr.count("disturbed") == logs.MOST_AT_ONCE
    assert "more like it are left out" in child.stderr.splitlines()[-1]
