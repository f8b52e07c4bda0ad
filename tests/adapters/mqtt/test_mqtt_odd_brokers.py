"""Every fault of a broker, and the one line that the hub logs for it. The table plays on."""

import asyncio
import logging
import re
from pathlib import Path

import pytest
from msgspec import Struct

from hub.mqtt import echo
from hub.mqtt.settings import Protocol
from tests.adapters.mqtt.conftest import STATUS, TOPICS, Table
from tests.support.odd_broker import (
    CONNACK,
    CONNECT,
    DISCONNECT,
    PINGREQ,
    PUBACK,
    PUBCOMP,
    PUBLISH,
    PUBREC,
    PUBREL,
    SUBACK,
    SUBSCRIBE,
    OddBroker,
    Seen,
    Wrong,
    packet,
    published,
    text,
)

GUIDE = (Path(__file__).parents[3] / "docs/connect/broker.md").read_text(encoding="utf-8")
V3, V5 = Protocol.V311, Protocol.V5
BOTH = (V3, V5)
AUTH, UNSUBACK, NOTHING = 15, 11, 0
HUNG_UP = "it hung up without an answer; it may want TLS, or not speak MQTT {protocol}"
NOT_MQTT = "what answers there does not speak MQTT"
SAYS = "it says: "
REFUSES = "it refuses the connection: "
FAULTY = (
    "it sends what MQTT {{protocol}} does not allow there ({}); it may be faulty, or something "
    "between changes what it sends"
)
AT_ONCE = "it hung up as soon as it had let the hub in"
BROKE = "the connection broke"


class Row(Struct, frozen=True):
    """``says``: the text after *no connection to the broker …*; ``guide``: its name in
    docs/connect/broker.md."""

    does: str
    wrong: Wrong
    says: str
    protocols: tuple[Protocol, ...] = BOTH


def connack(body: bytes, *, hangs_up: bool = False) -> Wrong:
    return Wrong(CONNECT, packet(CONNACK, body), hangs_up)


def later(says: bytes) -> Wrong:
    """A fault after the broker has accepted the hub's first message."""
    return Wrong(PUBLISH, says, topic="/status", beside=True)


def numbered(kind: int, behind: bytes) -> Wrong:
    """A fault: the first message is answered with its packet id and these bytes."""
    return Wrong(PUBLISH, lambda seen: packet(kind, seen.number + behind), topic="/status")


ROWS = [
    Row("hangs up at once", Wrong(hangs_up=True), HUNG_UP),
    Row("says nothing", Wrong(), "no answer"),
    Row("is a web server", Wrong(says=b"HTTP/1.1 400 Bad Request\r\n" * 8), NOT_MQTT),
    Row("is a web server, and hangs up",
        Wrong(says=b"HTTP/1.1 400 Bad Request\r\n\r\n", hangs_up=True), NOT_MQTT),
    Row("is an SSH server", Wrong(says=b"SSH-2.0-OpenSSH_9.2\r\n"), NOT_MQTT),
    Row("wants TLS", Wrong(says=b"\x15\x03\x03\x00\x02\x02\x28", hangs_up=True), NOT_MQTT),
    Row("sends zeros", Wrong(says=bytes(64)), NOT_MQTT),
    Row("sends ones", Wrong(says=b"\xff" * 64), NOT_MQTT),
    Row("begins with a message", Wrong(says=published("a", b"b", v5=False)), NOT_MQTT),
    Row("begins with an answer to a subscription", Wrong(says=packet(SUBACK, b"\0\1\1")), NOT_MQTT),
    Row("sends half of an answer", Wrong(says=b"\x20\x02\x00"), NOT_MQTT),
    Row("does not know the version", connack(b"\0\1"),
        'it does not speak MQTT 3.1.1: set protocol = "5" under [mqtt]', (V3,)),
    Row("does not know the version", connack(b"\0\1", hangs_up=True),
        'it does not speak MQTT 5: set protocol = "3.1.1" under [mqtt]', (V5,)),
    Row("does not know the version, as MQTT 5 says it", connack(b"\0\x84\0", hangs_up=True),
        'it does not speak MQTT 5: set protocol = "3.1.1" under [mqtt]', (V5,)),
    Row("does not take the client id", connack(b"\0\2"), REFUSES + "Client identifier not valid",
        (V3,)),
    Row("is not available", connack(b"\0\3"), REFUSES + "Server unavailable", (V3,)),
    Row("refuses the password", connack(b"\0\4"),
        "it refuses the login (Bad user name or password): check username, password, tls", (V3,)),
    Row("refuses the user", connack(b"\0\5", hangs_up=True),
        "it refuses the login (Not authorized): check username, password, tls", (V3,)),
    Row("refuses for no reason that there is", connack(b"\0\x63"), REFUSES + "Unspecified error",
        (V3,)),
    Row("does not take the client id", connack(b"\0\x85\0"),
        REFUSES + "Client identifier not valid", (V5,)),
    Row("refuses the password", connack(b"\0\x86\0"),
        "it refuses the login (Bad user name or password): check username, password, tls", (V5,)),
    Row("refuses the user", connack(b"\0\x87\0", hangs_up=True),
        "it refuses the login (Not authorized): check username, password, tls", (V5,)),
    Row("is busy", connack(b"\0\x89\0"), REFUSES + "Server busy", (V5,)),
    Row("has banned the hub", connack(b"\0\x8a\0"), REFUSES + "Banned", (V5,)),
    Row("has moved", connack(b"\0\x9d\0"), REFUSES + "Server moved", (V5,)),
    Row("is asked too often", connack(b"\0\x9f\0"), REFUSES + "Connection rate exceeded", (V5,)),
    Row("keeps nothing", connack(b"\0\x9a\0"),
        "it keeps no messages (mosquitto: retain_available)", (V5,)),
    Row("takes no QoS 1", connack(b"\0\x9b\0"),
        "it takes no messages of QoS 1 (mosquitto: max_qos)", (V5,)),
    Row("keeps nothing, and says so late", later(packet(DISCONNECT, b"\x9a")),
        "it keeps no messages (mosquitto: retain_available)", (V5,)),
    Row("has used up its quota", connack(b"\0\x97\0"), REFUSES + "Quota exceeded", (V5,)),
    Row("refuses for no reason that there is", connack(b"\0\xee\0"), FAULTY.format("CONNACK"),
        (V5,)),
    Row("lets in with too short an answer", connack(b"\0"), FAULTY.format("CONNACK")),
    Row("lets in with too long an answer", connack(b"\0\0\0\0"), FAULTY.format("CONNACK"), (V3,)),
    Row("lets in with properties that there are not", connack(b"\0\0\2\xfe\1"),
        FAULTY.format("CONNACK"), (V5,)),
    Row("asks for another authentication", Wrong(says=packet(AUTH, b"\x18\0")),
        FAULTY.format("AUTH"), (V5,)),
    Row("ends it before it has begun", Wrong(says=packet(DISCONNECT, b"\x8b\0")),
        SAYS + "Server shutting down", (V5,)),
    Row("hangs up as soon as it has let in", Wrong(CONNECT, b"", hangs_up=True, beside=True),
        AT_ONCE),
    Row("lets in twice", Wrong(CONNECT, packet(CONNACK, b"\0\0\0"), beside=True),
        FAULTY.format("CONNACK"), (V5,)),
    Row("lets in twice", Wrong(CONNECT, packet(CONNACK, b"\0\0"), beside=True),
        FAULTY.format("CONNACK"), (V3,)),
    Row("says nothing to a subscription", Wrong(SUBSCRIBE), "it does not answer any more"),
    Row("hangs up at a subscription", Wrong(SUBSCRIBE, hangs_up=True),
        AT_ONCE),
    Row("answers a subscription with another number",
        Wrong(SUBSCRIBE, lambda seen: packet(SUBACK, b"\xff\xff\0\1"[: 4 if seen.v5 else 3])),
        "it does not answer any more"),
    Row("answers a subscription with a byte", Wrong(SUBSCRIBE, packet(SUBACK, b"\1")),
        FAULTY.format("SUBACK")),
    Row("grants a QoS that there is not",
        Wrong(SUBSCRIBE, lambda seen: packet(SUBACK, seen.number + b"\0\7"[0 if seen.v5 else 1 :])),
        FAULTY.format("SUBACK")),
    Row("says nothing to a message", Wrong(PUBLISH, topic="/status"),
        "it does not answer any more"),
    Row("hangs up at a message", Wrong(PUBLISH, hangs_up=True, topic="/status"), BROKE),
    Row("answers a message with another number", Wrong(PUBLISH, packet(PUBACK, b"\xee\xee"),
        topic="/status"), "it does not answer any more"),
    Row("answers a message with a byte", Wrong(PUBLISH, packet(PUBACK, b"\1"), topic="/status"),
        FAULTY.format("PUBACK")),
    Row("answers a message with too much", numbered(PUBACK, b"\0\0"), FAULTY.format("PUBACK"),
        (V3,)),
    Row("answers a message with half a property", numbered(PUBACK, b"\0\5\x1f"),
        FAULTY.format("PUBACK"), (V5,)),
    Row("ends with nothing", later(packet(DISCONNECT)), "it ended the connection", (V5,)),
    Row("ends with a reason", later(packet(DISCONNECT, b"\0")), "it ended the connection", (V5,)),
    Row("shuts down", later(packet(DISCONNECT, b"\x8b")), SAYS + "Server shutting down", (V5,)),
    Row("lets another one in its place", later(packet(DISCONNECT, b"\x8e")),
        SAYS + "Session taken over", (V5,)),
    Row("finds the hub too fast", later(packet(DISCONNECT, b"\x96")),
        SAYS + "Message rate too high", (V5,)),
    Row("lets the hub stay no longer", later(packet(DISCONNECT, b"\x87")),
        SAYS + "Not authorized", (V5,)),
    Row("ends for no reason that there is", later(packet(DISCONNECT, b"\xee")),
        FAULTY.format("DISCONNECT"), (V5,)),
    Row("ends as only MQTT 5 does", later(packet(DISCONNECT)), FAULTY.format("DISCONNECT"), (V3,)),
    Row("sends what only a client sends", later(packet(SUBSCRIBE, b"\0\1\0\1a\1", 2)),
        FAULTY.format("SUBSCRIBE")),
    Row("connects, as only a client does", later(packet(CONNECT, text("MQTT") + b"\4\2\0\0\0\0")),
        FAULTY.format("CONNECT")),
    Row("sends a packet of no kind", later(packet(NOTHING)), FAULTY.format("packet of no kind")),
    Row("sends a length of five bytes", later(b"\x30\xff\xff\xff\xff\x7f"),
        FAULTY.format("packet of no kind")),
    Row("sends a message without a topic", later(packet(PUBLISH, b"")), FAULTY.format("PUBLISH")),
    Row("sends a message with half a topic", later(packet(PUBLISH, b"\0\x20abc")),
        FAULTY.format("PUBLISH")),
    Row("sends a message with an empty topic", later(packet(PUBLISH, b"\0\0\0x")),
        FAULTY.format("PUBLISH")),
    Row("sends a message to a filter", later(packet(PUBLISH, text("a/#") + b"\0x")),
        FAULTY.format("PUBLISH")),
    Row("sends a message to a topic that is no text", later(packet(PUBLISH, b"\0\2\xff\xfe\0x")),
        FAULTY.format("PUBLISH")),
    Row("sends a message of QoS 3", later(packet(PUBLISH, text("a") + b"\0\1\0x", 6)),
        FAULTY.format("PUBLISH")),
    Row("sends a message of QoS 1 without a number", later(packet(PUBLISH, text("a"), 2)),
        FAULTY.format("PUBLISH")),
    Row("sends a message with properties that there are not",
        later(packet(PUBLISH, text("a") + b"\2\xfe\1x")), FAULTY.format("PUBLISH"), (V5,)),
    Row("sends a message with too many properties",
        later(packet(PUBLISH, text("a") + b"\x7f\1\1x")), FAULTY.format("PUBLISH"), (V5,)),
    Row("sends a ping that holds something", later(packet(PINGREQ, b"x")),
        FAULTY.format("PINGREQ")),
    Row("answers a ping with something", later(packet(13, b"x")), FAULTY.format("PINGRESP")),
    Row("releases without a number", later(packet(PUBREL, b"", 2)), FAULTY.format("PUBREL")),
    Row("receives without a number", later(packet(PUBREC)), FAULTY.format("PUBREC")),
    Row("completes without a number", later(packet(PUBCOMP)), FAULTY.format("PUBCOMP")),
    Row("ends a subscription with a byte", later(packet(UNSUBACK, b"\1")),
        FAULTY.format("UNSUBACK")),
]  # fmt: skip
CASES = [
    pytest.param(row, protocol, id=f"{row.does}-{protocol}")
    for row in ROWS
    for protocol in row.protocols
]

HARMLESS = [
    ("acknowledges what nobody has sent", later(packet(PUBACK, b"\xee\xee"))),
    ("receives what nobody has sent", later(packet(PUBREC, b"\xee\xee"))),
    ("completes what nobody has sent", later(packet(PUBCOMP, b"\xee\xee"))),
    ("releases what it has not sent", later(packet(PUBREL, b"\xee\xee", 2))),
    ("answers what nobody has asked", later(packet(SUBACK, b"\xee\xee\0\1"))),
    ("pings, as only a client does", later(packet(PINGREQ))),
    ("answers a ping that nobody has sent", later(packet(13))),
    ("acknowledges twice", Wrong(PUBLISH, lambda seen: packet(PUBACK, seen.number), topic="/status",
                                beside=True)),
    ("sends a message to a topic that nobody has asked for",
     Wrong(PUBLISH, lambda seen: published("a/b", b"x", v5=seen.v5), topic="/status", beside=True)),
]  # fmt: skip


def warnings(caplog: pytest.LogCaptureFixture) -> list[str]:
    return [r.getMessage() for r in caplog.records if r.levelno >= logging.WARNING]


async def told_whole(broker: OddBroker) -> None:
    await broker.until(lambda: broker.newest().get(STATUS) == b"online")
    assert {*TOPICS, STATUS} <= broker.newest().keys()


@pytest.mark.parametrize(("row", "protocol"), CASES)
async def test_each_fault_is_logged_in_one_line_and_the_table_plays_on(
    table: Table, caplog: pytest.LogCaptureFixture, row: Row, protocol: Protocol
) -> None:
    async with (
        OddBroker(row.wrong) as broker,
        table.publisher(broker.port, protocol=protocol, timeout_s=0.2) as hub,
    ):
        hub.announce(table.announcement())
        await broker.until(lambda: broker.done >= 3)
        where = f"no connection to the broker 127.0.0.1:{broker.port}: "
        expected = where + row.says.format(protocol=protocol)
        async with asyncio.timeout(60):
            while not warnings(caplog):
                await asyncio.sleep(0.005)
        assert warnings(caplog) == [expected]
        table.flicker()
        hub.announce(table.announcement())
        broker.seen.clear()
        broker.behave()
        await told_whole(broker)
        async with asyncio.timeout(60):
            while table.saved[-1:] != [len(table.rows)]:
                await asyncio.sleep(0.005)
    ours = (BROKE, HUNG_UP.format(protocol=protocol), AT_ONCE)  # the test itself has hung up
    assert set(warnings(caplog)) <= {expected, *(where + each for each in ours)}


@pytest.mark.parametrize("protocol", BOTH)
@pytest.mark.parametrize(("does", "wrong"), HARMLESS, ids=[does for does, _ in HARMLESS])
async def test_harmless_faults_are_ignored(
    table: Table, caplog: pytest.LogCaptureFixture, does: str, wrong: Wrong, protocol: Protocol
) -> None:
    async with OddBroker(wrong) as broker, table.publisher(broker.port, protocol=protocol) as hub:
        hub.announce(table.announcement())
        await told_whole(broker)
        table.flicker()
        hub.announce(table.announcement())
        async with asyncio.timeout(60):
            while table.saved[-1:] != [len(table.rows)]:
                await asyncio.sleep(0.005)
        assert broker.done == 1 and sum(each.kind == CONNECT for each in broker.seen) == 1
        assert "a/b" not in broker.newest(), "that topic is nobody's business here"
    assert warnings(caplog) == []


@pytest.mark.parametrize("protocol", BOTH)
async def test_a_thousand_foreign_topics_are_not_taken_for_a_limit(
    table: Table,
    caplog: pytest.LogCaptureFixture,
    monkeypatch: pytest.MonkeyPatch,
    protocol: Protocol,
) -> None:
    """They fill the broker's queue, so that it repeatedly drops messages for the hub."""
    monkeypatch.setattr(echo, "OVERDUE_S", 0.1)

    def thousand(seen: Seen) -> bytes:
        ghosts = (f"facedown/test/seat/x{number}" for number in range(1000))
        return b"".join(published(ghost, b"{}", v5=seen.v5, flags=1) for ghost in ghosts)

    wrong = Wrong(SUBSCRIBE, thousand, topic="seat/+", beside=True, swallows=30)
    async with OddBroker(wrong) as broker, table.publisher(broker.port, protocol=protocol) as hub:
        hub.announce(table.announcement())
        await told_whole(broker)
    (line,) = warnings(caplog)
    assert line.startswith("others have written to more than 64 of the table's topics")


def test_the_guide_explains_each_line() -> None:
    table = GUIDE.partition("## When it does not connect")[2]
    rows = [line.split("|")[1] for line in table.splitlines() if line.startswith("| `")]
    known = [re.split("…", words) for row in rows for words in re.findall("`([^`]+)`", row)]
    for row in ROWS:
        assert any(all(part in row.says for part in parts) for parts in known), row.says
