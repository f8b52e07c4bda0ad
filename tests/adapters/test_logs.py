"""Log lines: always one, never with anything sealed in it."""

import io
import logging
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hub.daemon import logs
from hub.rules.game import Choice
from hub.table.sealed import Opening, Sealed

CARD = "move attack-high"


@pytest.fixture
def log() -> Iterator[logging.Logger]:
    """A logger that is nobody else's."""
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


def test_for_people(log: logging.Logger) -> None:
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
def test_what_is_sealed_stays_sealed(log: logging.Logger, formatter: logging.Formatter) -> None:
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


def test_a_line_has_an_end(log: logging.Logger) -> None:
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
