"""``facedown witness`` and ``verify --witness``: recording heads, and checking logs by them."""

import asyncio
import json
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from msgspec.structs import replace
from typer.testing import CliRunner

from hub.audit.witness import Statement, signed, statement_hash
from hub.cli.main import app
from hub.wire.log import GENESIS, encode_record, line_hash
from hub.wire.payloads import events_payload, state_payload
from tests.support.broker import Mosquitto
from tests.support.hub import FACEDOWN
from tests.support.subscriber import subscriber
from tests.support.tabletalk import TableTalk

SECONDS = 90.0


def a_turn() -> TableTalk:
    talk = TableTalk()
    talk.begin_turn()
    talk.place("ada", "stance attack 2")
    talk.place("gm", "stance none")
    talk.reveal()
    return talk


TALK = a_turn()
LINES = [row.line for row in TALK.rows]
HEADS = [line_hash(line) for line in LINES]
KEY = Ed25519PrivateKey.from_private_bytes(bytes(32))


def heard(
    *heads: tuple[int, str], log: str = TALK.state.log, key: Ed25519PrivateKey = KEY
) -> list[bytes]:
    """A witness file with these heads: numbers and hashes of lines."""
    made, before = [], GENESIS
    public = key.public_key().public_bytes_raw().hex()
    for at, (seq, head) in enumerate(heads):
        said = Statement(
            table="test", log=log, seq=seq, head=head, at_ms=1000 + at, before=before, key=public
        )
        made.append(signed(said, key.sign))
        before = statement_hash(made[-1])
    return made


ALL = [(seq, head) for seq, head in enumerate(HEADS, 1)]


def verify(folder: Path, lines: list[bytes], statements: list[bytes]) -> tuple[int, str]:
    log, file = folder / "log", folder / "heard"
    log.write_bytes(b"".join(line + b"\n" for line in lines))
    file.write_bytes(b"".join(line + b"\n" for line in statements))
    done = CliRunner().invoke(app, ["verify", str(log), "--witness", str(file)])
    assert "Traceback" not in done.output
    return done.exit_code, done.output


def test_a_witnessed_log_is_confirmed(tmp_path: Path) -> None:
    status, told = verify(tmp_path, LINES, heard(*ALL))
    assert status == 0
    assert f": {len(ALL)} heads from 1970-01-01T00:00:01.000Z to " in told
    assert "each in this log" in told
    assert verify(tmp_path, LINES, heard(*ALL[2:5]))[0] == 0, "a witness may come and go"


def another_card() -> list[bytes]:
    """The same evening forged: another card, its digest, and all hashes adapted."""
    talk = TableTalk()
    talk.begin_turn()
    talk.place("ada", "stance attack 3")
    talk.place("gm", "stance none")
    talk.reveal()
    head, made = GENESIS, []
    for record in talk.records:
        made.append(encode_record(record, head).line)
        head = line_hash(made[-1])
    return made


def test_a_forged_story_is_found(tmp_path: Path) -> None:
    forged = another_card()
    assert verify(tmp_path, forged, heard(ALL[0]))[0] == 0, "it is sound by itself"
    status, told = verify(tmp_path, forged, heard(*ALL))
    assert status == 1 and "is not the one that the witness heard" in told


def test_a_truncated_log_another_log_and_two_stories_are_found(tmp_path: Path) -> None:
    status, told = verify(tmp_path, LINES[:-1], heard(*ALL))
    assert status == 1 and f"this log ends with record {len(LINES) - 1}" in told
    status, told = verify(tmp_path, LINES, heard(*ALL, log="cd" * 32))
    assert status == 1 and "of another log" in told
    status, told = verify(tmp_path, LINES, heard(ALL[0], ALL[1], (2, "00" * 32)))
    assert status == 1 and "it was told twice" in told


def forged(change: str) -> list[bytes]:
    made = heard(*ALL)
    match change:
        case "changed":
            made[2] = made[2].replace(b'"seq":3', b'"seq":4')
        case "left out":
            made.pop(2)
        case "another hand":
            made[-1] = heard(*ALL, key=Ed25519PrivateKey.generate())[-1]
        case "spaces":
            made[1] = made[1].replace(b",", b", ", 1)
        case "unsigned":
            made = [signed(Statement(**(json.loads(made[0]) | {"sig": ""})), lambda _: bytes(64))]
        case "nonsense":
            made.append(b"\xff{")
    return made


@pytest.mark.parametrize(
    "change", ["changed", "left out", "another hand", "spaces", "unsigned", "nonsense"]
)
def test_a_changed_witness_file_is_rejected(tmp_path: Path, change: str) -> None:
    status, told = verify(tmp_path, LINES, forged(change))
    assert status == 2 and "statement" in told


@contextmanager
def listening(folder: Path, broker: Mosquitto) -> Iterator[Path]:
    """``facedown witness`` as a process; yields its file."""
    file = folder / "heard"
    words = [FACEDOWN, "witness", "test", "--out", file, "--broker", f"127.0.0.1:{broker.port}"]
    with subprocess.Popen([str(w) for w in words], stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            assert process.stdout.readline().startswith("public key ")
            assert process.stdout.readline().startswith("listening to test")
            yield file
        finally:
            process.terminate()


def told(*lines: bytes) -> bytes:
    return events_payload(lines)


async def until_heard(file: Path, count: int) -> list[bytes]:
    async with asyncio.timeout(SECONDS):
        while len(lines := file.read_bytes().splitlines()) < count:
            await asyncio.sleep(0.02)  # nothing notifies of a growing file
    return lines


async def test_a_witness_records_a_table_and_goes_on_after_a_pause(tmp_path: Path) -> None:
    half = len(LINES) // 2
    state = state_payload(replace(TALK.view, seq=half, head=HEADS[half - 1]))
    with Mosquitto(tmp_path, ["allow_anonymous true"]) as broker:
        async with subscriber(broker.port, "facedown/test/#") as table:
            await table.client.publish("facedown/test/state", state, qos=1, retain=True)
            with listening(tmp_path, broker) as file:
                await until_heard(file, 1)
                await table.client.publish("facedown/test/event", b"{}", qos=1)
                for line in LINES[half : half + 2]:
                    await table.client.publish("facedown/test/event", told(line), qos=1)
                    await table.client.publish("facedown/test/event", told(line), qos=1)
                await until_heard(file, 3)
            with listening(tmp_path, broker) as file:
                await table.client.publish("facedown/test/event", told(*LINES[half + 2 :]), qos=1)
                lines = await until_heard(file, len(LINES) - half + 1)
    said = [json.loads(line)["seq"] for line in lines]
    assert said == list(range(half, len(LINES) + 1)), "each once, from what was kept there on"
    assert (tmp_path / "heard.key").stat().st_mode & 0o777 == 0o600
    assert verify(tmp_path, LINES, lines)[0] == 0
    assert verify(tmp_path, LINES[: half + 1], lines)[0] == 1
