"""Checks the broker: connection, write access, a large message, and retained messages."""

import asyncio
from collections.abc import Iterator
from contextlib import suppress

from hub.config.settings import Config
from hub.daemon.broker import mqtt_settings
from hub.daemon.clocks import clocks_of
from hub.daemon.running import playing
from hub.daemon.status import NotAnswered, ask
from hub.doctor.findings import Finding
from hub.mqtt.failures import BrokerLacks, ConnectionFailed, LoginRefused, NotTrusted
from hub.mqtt.probe import ENOUGH_BYTES, LEAST_BYTES, Tried, try_out
from hub.mqtt.settings import MqttSettingsError
from hub.ports import Hindrance
from hub.readers.verdicts import Level
from hub.wire.payloads import ONLINE
from hub.wire.topics import Topics
from hub.wire.wled import status_topic

_MOST_TOPICS = 5


def broker(config: Config) -> Iterator[Finding]:
    """The findings about the broker."""
    mqtt = config.mqtt
    where = f"{mqtt.host}:{mqtt.broker_port}"
    if not mqtt.enabled:
        yield Finding("broker", "broker-off", Level.OK)
        return
    if mqtt.embedded:
        yield Finding("broker", "broker-embedded", Level.OK, where)
        return
    try:
        lamps = [status_topic(clock.topic) for clock in clocks_of(config)]
        alone = playing(config) is None
        tried = asyncio.run(try_out(mqtt_settings(config), lamps, events=alone))
    except MqttSettingsError as error:
        yield Finding("broker", "broker-settings", Level.WRONG, where, {"fault": str(error)})
        return
    except NotTrusted as error:
        yield Finding("broker", "broker-strange", Level.WRONG, where, {"fault": str(error)})
        return
    except BrokerLacks as error:
        yield Finding("broker", "broker-lacks", Level.WRONG, where, {"fault": str(error)})
        return
    except ConnectionFailed as error:
        code = "broker-login" if isinstance(error, LoginRefused) else "broker-unreachable"
        yield Finding("broker", code, Level.WRONG, where, {"fault": str(error)})
        return
    denied = _denied(tried, config, where)
    found = [*_of(tried, config, where), *denied, *_kept(tried, config, where)]
    yield from found or [Finding("broker", "broker", Level.OK, where)]


def _of(tried: Tried, config: Config, where: str) -> Iterator[Finding]:
    if tried.open_to_anybody:
        wanted = config.mqtt.commands
        code = "broker-commands-open" if wanted else "broker-open"
        yield Finding("broker", code, Level.WRONG if wanted else Level.NOTE, where)
    if not tried.heard:
        yield Finding("broker", "broker-deaf", Level.NOTE, where)
    elif tried.largest < LEAST_BYTES:
        values = {"size_kb": LEAST_BYTES // 1024}
        yield Finding("broker", "broker-small", Level.WRONG, where, values)
    elif tried.largest < ENOUGH_BYTES:
        values = {"size_kb": ENOUGH_BYTES // 1024}
        yield Finding("broker", "broker-limit", Level.NOTE, where, values)


def _denied(tried: Tried, config: Config, where: str) -> Iterator[Finding]:
    for topic, why in tried.refused.items():
        if why:
            values = {"fault": f"{topic}: {why}"}
            yield Finding("broker", "broker-denies", Level.WRONG, where, values)
        else:
            yield Finding("broker", "broker-events", Level.NOTE, where, {"topic": topic})
    if tried.refused:
        return
    with suppress(NotAnswered):
        health = ask(config.table.journal).broker
        if health and health.hindrance == Hindrance.BROKER_DENIES:
            yield Finding("broker", "broker-denies", Level.WRONG, where, {"fault": health.reason})


def _kept(tried: Tried, config: Config, where: str) -> Iterator[Finding]:
    topics = Topics(config.table.name)
    seats = {topics.seat(seat.name) for seat in config.seats}
    old = [t for t in sorted(tried.kept) if t.startswith(topics.seat("x")[:-1]) and t not in seats]
    if old:
        shown = ", ".join(old[:_MOST_TOPICS]) + (" and more" if len(old) > _MOST_TOPICS else "")
        yield Finding("broker", "broker-stale", Level.NOTE, where, {"topics": shown})
    if tried.kept.get(topics.status) == ONLINE and playing(config) is None:
        yield Finding("broker", "broker-ghost", Level.NOTE, where)
    for clock in clocks_of(config):
        if tried.kept.get(status_topic(clock.topic)) != ONLINE:
            yield Finding("broker", "clock-away", Level.NOTE, clock.topic)
