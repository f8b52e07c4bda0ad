"""Wiring of the output to a broker."""

from collections.abc import Callable
from contextlib import AsyncExitStack
from functools import partial
from typing import TYPE_CHECKING

from hub.config.mqtt import Mqtt
from hub.config.settings import Config
from hub.daemon.output import Opened, Output, Stage, StartError
from hub.ports import Hindrance
from hub.wire.health import health_payload

if TYPE_CHECKING:
    from hub.daemon.runner import Runner
    from hub.mqtt.homeassistant import HomeAssistant

_OUTBOX = "mqtt"


_TOLD_TO_GM = {Hindrance.BROKER_DENIES, Hindrance.BROKER_LACKS}
"""The hindrances of a companion that the GM is told. The table's own connection reports any other.
"""


def fares_of(runner: "Runner", name: str) -> Callable[[bool, Hindrance | None, str], None]:
    """A callback that notes a companion's health (:attr:`hub.wire.health.Health.companions`)."""

    def fares(connected: bool, hindrance: Hindrance | None, why: str) -> None:
        runner.counters.note_companion(name, connected, hindrance, why)
        runner.hinder(name, hindrance if hindrance in _TOLD_TO_GM else None)

    runner.counters.note_companion(name, False)
    return fares


async def open_mqtt(stage: Stage, mqtt: Mqtt, stack: AsyncExitStack) -> Opened:
    """Connect to the broker until ``stack`` is left; start the embedded one first, if configured.
    The result's ``shown``: the broker's ``host:port``."""
    from hub.daemon.broker import mqtt_settings
    from hub.mqtt.publisher import MqttPublisher
    from hub.mqtt.settings import MqttSettingsError

    runner, journal = stage.runner, stage.journal
    if mqtt.embedded:
        from hub.mqtt.embedded import EmbeddedBrokerError, embedded_broker

        try:
            broker = embedded_broker(mqtt.broker_port, stage.held.get(_OUTBOX))
            await stack.enter_async_context(broker)
        except EmbeddedBrokerError as error:
            raise StartError(str(error)) from None

    def hinder(hindrance: Hindrance | None, why: str) -> None:
        runner.counters.note_broker_hindrance(hindrance, why)
        runner.hinder(_OUTBOX, hindrance)

    companion = _companion(stage.config)
    on = mqtt.homeassistant is not None and mqtt.homeassistant.enabled
    try:
        publisher = MqttPublisher(
            mqtt_settings(stage.config, stage.world),
            runner.lines_after,
            partial(journal.save_cursor, _OUTBOX),
            journal.cursor(_OUTBOX),
            runner.inbox.ask,
            now_ms=runner.now_ms,
            hinder=hinder,
            health=lambda: health_payload(runner.health()),
            linked=runner.counters.note_broker,
            companion=companion,
            companion_fares=fares_of(runner, "homeassistant") if on else lambda *_: None,
        )
    except MqttSettingsError as error:
        raise StartError(str(error)) from None
    runner.counters.note_broker(False)
    await stack.enter_async_context(publisher)
    runner.add_log_listener(publisher.stored)
    return Opened(publisher, f"{mqtt.host}:{mqtt.broker_port}")


def _companion(config: Config) -> "HomeAssistant | None":
    """Home Assistant's discovery, which shares the table's connection to the broker; None if it is
    not configured."""
    from hub.mqtt.homeassistant import HomeAssistant

    said = config.mqtt.homeassistant
    if said is None:
        return None
    return HomeAssistant(
        config.table.name,
        said.prefix,
        said.language,
        commands=config.mqtt.commands,
        enabled=said.enabled,
    )


MQTT = Output("mqtt", Mqtt, open_mqtt)
