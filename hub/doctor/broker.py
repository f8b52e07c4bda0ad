"""Checks the broker: connection, write access, a large message, and retained messages."""

import asyncio
from collections.abc import Iterator, Mapping
from contextlib import suppress

from hub.config.settings import Config
from hub.daemon.broker import mqtt_settings
from hub.daemon.clocks import clocks_of
from hub.daemon.running import playing
from hub.daemon.status import NotAnswered, ask
from hub.doctor.findings import Finding, fine, note, wrong
from hub.mqtt.failures import BrokerLacks, ConnectionFailed, LoginRefused, NotTrusted
from hub.mqtt.probe import ENOUGH_BYTES, LEAST_BYTES, Tried, try_out
from hub.mqtt.settings import MqttSettingsError
from hub.ports import Hindrance
from hub.readers.verdicts import Level
from hub.wire.payloads import ONLINE
from hub.wire.topics import Topics
from hub.wire.wled import status_topic

_MOST_TOPICS = 5
_FAILURES: Mapping[type[Exception], str] = {
    MqttSettingsError: "broker-settings",
    NotTrusted: "broker-strange",
    BrokerLacks: "broker-lacks",
    LoginRefused: "broker-login",
}


def broker(config: Config) -> Iterator[Finding]:
    """Check the broker, unless it is off or embedded."""
    mqtt = config.mqtt
    where = f"{mqtt.host}:{mqtt.broker_port}"
    if not mqtt.enabled:
        yield fine("broker", "broker-off")
        return
    if mqtt.embedded:
        yield fine("broker", "broker-embedded", where)
        return
    try:
        lamps = [status_topic(clock.topic) for clock in clocks_of(config)]
        alone = playing(config) is None
        tried = asyncio.run(try_out(mqtt_settings(config), lamps, events=alone))
    except (MqttSettingsError, ConnectionFailed) as error:
        codes = (code for kind, code in _FAILURES.items() if isinstance(error, kind))
        code = next(codes, "broker-unreachable")
        yield wrong("broker", code, where, fault=str(error))
        return
    found = [each for check in (_of, _denied, _kept) for each in check(tried, config, where)]
    yield from found or [fine("broker", "broker", where)]


def _of(tried: Tried, config: Config, where: str) -> Iterator[Finding]:
    if tried.open_to_anybody:
        wanted = config.mqtt.commands
        code = "broker-commands-open" if wanted else "broker-open"
        yield Finding("broker", code, Level.WRONG if wanted else Level.NOTE, where)
    if not tried.heard:
        yield note("broker", "broker-deaf", where)
    elif tried.largest < LEAST_BYTES:
        yield wrong("broker", "broker-small", where, size_kb=LEAST_BYTES // 1024)
    elif tried.largest < ENOUGH_BYTES:
        yield note("broker", "broker-limit", where, size_kb=ENOUGH_BYTES // 1024)


def _denied(tried: Tried, config: Config, where: str) -> Iterator[Finding]:
    for topic, why in tried.refused.items():
        if why:
            yield wrong("broker", "broker-denies", where, fault=f"{topic}: {why}")
        else:
            yield note("broker", "broker-events", where, topic=topic)
    if tried.refused:
        return
    with suppress(NotAnswered):
        health = ask(config.table.journal).broker
        if health and health.hindrance == Hindrance.BROKER_DENIES:
            yield wrong("broker", "broker-denies", where, fault=health.reason)


def _kept(tried: Tried, config: Config, where: str) -> Iterator[Finding]:
    topics = Topics(config.table.name)
    seats = {topics.seat(seat.name) for seat in config.seats}
    old = [t for t in sorted(tried.kept) if t.startswith(topics.seat("x")[:-1]) and t not in seats]
    if old:
        shown = ", ".join(old[:_MOST_TOPICS]) + (" and more" if len(old) > _MOST_TOPICS else "")
        yield note("broker", "broker-stale", where, topics=shown)
    if tried.kept.get(topics.status) == ONLINE and playing(config) is None:
        yield note("broker", "broker-ghost", where)
    for clock in clocks_of(config):
        if tried.kept.get(status_topic(clock.topic)) != ONLINE:
            yield note("broker", "clock-away", clock.topic)
