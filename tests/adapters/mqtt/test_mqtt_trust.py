"""The hub finds out what a broker lets others do, and what it fails to do."""

import asyncio
import json
import logging
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from hub.install.broker import MESSAGE_SIZE_LIMIT
from hub.mqtt import keeper as keeping
from hub.mqtt.outbox import Retained
from hub.mqtt.settings import MqttSettings, Protocol
from hub.ports import Announcement, Hindrance
from hub.table.acts import Pause
from hub.table.views import public_view, seat_views
from hub.wire.payloads import state_payload
from hub.wire.topics import Topics
from tests.adapters.mqtt.conftest import STATUS, TOPICS, Table
from tests.adapters.mqtt.test_mqtt_commands import COMMAND, LOGIN, ON, REPLY, encoded, passwords
from tests.support.broker import Mosquitto
from tests.support.hub import FACEDOWN
from tests.support.publisher import Publisher
from tests.support.subscriber import subscriber
from tests.support.tabletalk import TableTalk

KNOWN = ["user hub", "topic readwrite #"]


@contextmanager
def broker(folder: Path, lines: Sequence[str], acl: Sequence[str] = ()) -> Iterator[Mosquitto]:
    given = [*lines, passwords(folder)]
    if acl:
        file = folder / "acl"
        file.write_text("\n".join([*acl, ""]), encoding="utf-8")
        file.chmod(0o600)
        given.append(f"acl_file {file}")
    with Mosquitto(folder, given) as running:
        yield running


async def ask(table: Table, running: Mosquitto, protocol: Protocol) -> dict[str, Any]:
    """Return the answer to a command that the GM's dashboard sends with a login."""
    async with (
        subscriber(running.port, **LOGIN) as page,
        table.publisher(running.port, protocol=protocol, **ON) as hub,
    ):
        hub.announce(table.announcement())
        await hub.wait_connected()
        await page.client.publish(COMMAND, encoded(id="x", command="pause"), qos=1)
        await page.until(lambda: page.payloads(REPLY))
        assert not [m for m in page.payloads(REPLY) if b"malformed" in m]
        return json.loads(page.payloads(REPLY)[0])  # type: ignore[no-any-return]


@pytest.mark.parametrize(
    "acl", [(), ["topic readwrite facedown/#", *KNOWN]], ids=["no-acl", "acl-for-all"]
)
async def test_where_anyone_may_command_all_commands_are_refused(
    table: Table, tmp_path: Path, caplog: pytest.LogCaptureFixture, acl: Sequence[str]
) -> None:
    with broker(tmp_path, ["allow_anonymous true"], acl) as running:
        for protocol in Protocol:
            caplog.clear()
            answer = await ask(table, running, protocol)
            assert not answer["ok"] and "anyone" in answer["reason"], protocol
            (line,) = [r.getMessage() for r in caplog.records if r.levelno >= logging.ERROR]
            assert "commands over MQTT stay off" in line and "allow_anonymous" in line
    assert not table.commands


@pytest.mark.parametrize(
    ("lines", "acl"),
    [
        (["allow_anonymous false"], ()),
        (["allow_anonymous true"], ["topic read facedown/#", *KNOWN]),
        (["allow_anonymous true"], KNOWN),
    ],
    ids=["passwords", "strangers-read", "strangers-do-nothing"],
)
async def test_where_only_some_may_command_theirs_are_accepted(
    table: Table,
    tmp_path: Path,
    caplog: pytest.LogCaptureFixture,
    lines: Sequence[str],
    acl: Sequence[str],
) -> None:
    with broker(tmp_path, lines, acl) as running:
        for protocol in Protocol:
            answer = await ask(table, running, protocol)
            assert answer["ok"], (protocol, answer)
    assert table.commands == [Pause(id="x")] * len(Protocol)
    assert not [r for r in caplog.records if r.levelno >= logging.WARNING]


@pytest.mark.parametrize("anonymous", ["true", "false"])
async def test_the_check_of_a_configuration_asks_the_broker(
    table: Table, tmp_path: Path, anonymous: str
) -> None:
    config = tmp_path / "den" / "hub.toml"
    folder = await asyncio.to_thread(facedown, "init", config.parent, "--seats", "2")
    assert folder.returncode == 0
    text = config.read_text()
    with broker(tmp_path, [f"allow_anonymous {anonymous}"]) as running:
        login = "".join(f'{key} = "{value}"\n' for key, value in LOGIN.items())
        on = f"enabled = true\nport = {running.port}\ncommands = true\n{login}"
        config.write_text(text.replace("enabled = false", on, 1))
        async with (
            subscriber(running.port, **LOGIN) as page,
            table.publisher(running.port, **ON, table="den") as hub,
        ):
            hub.announce(table.announcement())
            await hub.wait_connected()
            done = await asyncio.to_thread(facedown, "check-config", config)
            assert hub.connected
            assert not page.payloads("facedown/den/reply")
        assert done.returncode == 0
        assert ("commands over MQTT would stay off" in done.stderr) is (anonymous == "true")
        assert "could not be asked" not in done.stderr
    gone = await asyncio.to_thread(facedown, "check-config", config)
    assert gone.returncode == 0
    assert "could not be asked whether it accepts commands from anyone" in gone.stderr


def facedown(*words: object) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [FACEDOWN, *map(str, words)], capture_output=True, text=True, timeout=60, check=False
    )


async def test_the_reason_for_refusing_commands_is_reported_and_cleared(
    table: Table, tmp_path: Path
) -> None:
    for anonymous, expected in (("true", Hindrance.OPEN_BROKER), ("false", None)):
        with broker(tmp_path, [f"allow_anonymous {anonymous}"]) as running:
            async with table.publisher(running.port, **ON) as hub:
                await hub.wait_connected()
        assert table.hindrances[-1] is expected


async def test_a_broker_that_comes_back_open_is_noticed(table: Table, tmp_path: Path) -> None:
    with broker(tmp_path, ["allow_anonymous false"]) as running:
        async with table.publisher(running.port, **ON) as hub:
            await hub.wait_connected()
            running.kill()
            config = tmp_path / f"mosquitto-{running.port}.conf"
            text = config.read_text(encoding="utf-8")
            config.write_text(text.replace("anonymous false", "anonymous true"), encoding="utf-8")
            running.start()
            async with subscriber(running.port) as page:
                await page.until_payload(STATUS, b"online")
                await page.client.publish(COMMAND, encoded(id="x", command="pause"), qos=1)
                await page.until(lambda: page.payloads(REPLY))
    assert not table.commands


@pytest.mark.parametrize("protocol", list(Protocol))
async def test_a_size_limit_below_the_state_is_detected(
    table: Table, tmp_path: Path, caplog: pytest.LogCaptureFixture, protocol: Protocol
) -> None:
    with Mosquitto(tmp_path, ["allow_anonymous true", "message_size_limit 600"]) as running:
        async with (
            subscriber(running.port) as display,
            table.publisher(running.port, protocol=protocol) as hub,
        ):
            hub.announce(table.announcement())
            await display.until(lambda: b"offline" in display.payloads(STATUS))
        assert b"online" not in display.payloads(STATUS)
        assert TOPICS[0] not in display.newest()
    (line,) = {r.getMessage() for r in caplog.records if r.levelno >= logging.ERROR}
    assert line.startswith(f"the broker does not take {TOPICS[0]}") and "message_size_limit" in line


async def test_a_state_over_the_limit_takes_the_table_offline_until_it_fits(
    table: Table, tmp_path: Path
) -> None:
    fits = table.announcement()
    large = replace(fits, view=replace(fits.view, title="x" * 80, seq=fits.view.seq + 1))
    state = Retained(Topics("test")).changed(fits)[0]
    limit = len(state.payload) + 40
    with Mosquitto(tmp_path, ["allow_anonymous true", f"message_size_limit {limit}"]) as running:
        async with subscriber(running.port) as display, table.publisher(running.port) as hub:
            hub.announce(fits)
            await display.until_payload(STATUS, b"online")
            hub.announce(large)
            await display.until_payload(STATUS, b"offline")
            hub.announce(fits)
            await display.until_payload(STATUS, b"online")


@pytest.mark.parametrize("protocol", list(Protocol))
async def test_foreign_retained_messages_are_corrected(
    table: Table, tmp_path: Path, caplog: pytest.LogCaptureFixture, protocol: Protocol
) -> None:
    ghost = "facedown/test/seat/ghost"
    with Mosquitto(tmp_path) as running:
        async with subscriber(running.port) as forger:
            await forger.client.publish("facedown/test/countdown/old", b"{}", qos=1, retain=True)
            async with table.publisher(running.port, protocol=protocol) as hub:
                hub.announce(table.announcement())
                await forger.until_payload(STATUS, b"online")
                right = {topic: forger.newest()[topic] for topic in (*TOPICS, STATUS)}
                for topic in (*TOPICS, STATUS, ghost):
                    for forged in (b"forged", b"") if topic in right else (b"forged",):
                        await forger.client.publish(topic, forged, qos=1, retain=True)
                        await forger.until_payload(topic, right.get(topic, b""))
                await forger.until_payload("facedown/test/countdown/old", b"")
                async with subscriber(running.port) as late:
                    await late.until(lambda: set(right) - {TOPICS[-1]} <= set(late.newest()))
                    kept = {m.topic: m.payload for m in late.heard if m.retain}
                assert kept == {topic: payload for topic, payload in right.items() if payload}
    said = [r.getMessage() for r in caplog.records if r.levelno == logging.WARNING]
    assert any(f"somebody else published to {TOPICS[0]}" in line for line in said)
    assert len(said) == len(set(said))


async def test_a_broker_that_does_not_let_the_hub_read_still_works(
    table: Table, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    acl = ["user hub", "topic write facedown/#", "topic read facedown/+/cmd"]
    with broker(tmp_path, ["allow_anonymous true"], ["topic read facedown/#", *acl]) as running:
        async with subscriber(running.port) as display, table.publisher(running.port, **ON) as hub:
            hub.announce(table.announcement())
            await display.until_payload(STATUS, b"online")
            table.flicker()
            hub.announce(table.announcement())
            await display.until(lambda: len(table.rows) in display.events())
    assert not [r for r in caplog.records if r.levelno >= logging.WARNING]


async def test_two_clients_that_fight_for_a_topic_do_not_flood_the_broker(
    table: Table, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(keeping, "CORRECTIONS", 4)
    with Mosquitto(tmp_path) as running:
        async with (
            subscriber(running.port, TOPICS[0]) as forger,
            table.publisher(running.port) as hub,
        ):
            hub.announce(table.announcement())
            await hub.wait_connected()
            for number in range(300):
                await forger.client.publish(TOPICS[0], str(number).encode(), qos=1, retain=True)
            right = forger.payloads(TOPICS[0])[0]
            await forger.until_payload(TOPICS[0], right)
            assert forger.payloads(TOPICS[0]).count(right) < 20


@pytest.mark.parametrize("protocol", list(Protocol))
async def test_a_broker_with_later_records_of_this_log_is_reported(
    table: Table, tmp_path: Path, caplog: pytest.LogCaptureFixture, protocol: Protocol
) -> None:
    """The case of a journal that has lost its end together with its mark."""
    told = table.announcement()
    further = state_payload(replace(told.view, seq=told.view.seq + 7))
    another = state_payload(replace(told.view, seq=99, log="cd" * 32))
    for kept, words in ((further, [f"record {told.view.seq + 7} of this log"]), (another, [])):
        caplog.clear()
        with Mosquitto(tmp_path) as running:
            async with subscriber(running.port) as page:
                await page.client.publish("facedown/test/state", kept, qos=1, retain=True)
            async with table.publisher(running.port, protocol=protocol) as hub:
                hub.announce(told)
                await hub.wait_connected()
        said = [r.getMessage() for r in caplog.records if "of this log" in r.getMessage()]
        assert len(said) == len(words) and all(w in s for w, s in zip(words, said, strict=True))


def crowd(players: int) -> dict[str, Any]:
    """A conflict of this many players, with long names and every move and special."""
    names = [f"{'Margarethe von der Wasserkante the ':.<60}{n:04}" for n in range(players + 16)]
    moves = [f"{a}-{e}" for a in ("attack", "defend", "grapple") for e in ("high", "mid", "low")]
    sheet = {
        "energy": {"attack": 9, "defend": 9, "grapple": 9},
        "moves": moves,
        "combos": {move: [other for other in moves if other != move] for move in moves},
    }
    return {
        "ruleset": "unroll",
        "sides": {"players": names[:players], "gm-side": names[players:]},
        "characters": dict.fromkeys(names, sheet),
    }


async def test_the_brokers_limit_suits_sixteen_seats(tmp_path: Path) -> None:
    limit = MESSAGE_SIZE_LIMIT
    game = crowd(16)
    talk = TableTalk(game)
    seats = {f"seat-{n}": (name,) for n, name in enumerate(game["sides"]["players"])}
    talk.settings = replace(
        talk.settings, seats={**seats, "gm": tuple(game["sides"]["gm-side"])}, gm_seat="gm"
    )
    talk.desk = {}
    talk.start()
    talk.decide("gm", f"active {game['sides']['players'][0]}")
    view = public_view(talk.state, seat_views(talk.state, talk.settings), "0" * 64)
    full = Announcement(view)
    largest = max(len(m.payload) for m in Retained(Topics("test")).changed(full))
    assert largest < limit / 10
    with Mosquitto(tmp_path, ["allow_anonymous true", f"message_size_limit {limit}"]) as running:
        async with subscriber(running.port) as display:
            for protocol in Protocol:
                settings = MqttSettings(table="test", port=running.port, protocol=protocol)
                async with Publisher(settings, lambda *_: (), lambda _: None) as hub:
                    hub.announce(replace(full, view=replace(view, seq=0)))
                    await hub.wait_connected()
                    await display.until_payload(STATUS, b"online")
                await display.until_payload(STATUS, b"offline")
    assert len([t for t in display.newest() if "/seat/seat-" in t]) == 16
