"""The configured broker: how to reach it, and whether it is safe to accept commands from."""

import asyncio
from pathlib import Path

from hub.config.settings import Config
from hub.kernel.faults import Fault
from hub.kernel.reasons import Reason
from hub.mqtt.failures import ConnectionFailed
from hub.mqtt.probe import open_to_anybody
from hub.mqtt.settings import MqttSettings, MqttSettingsError, Protocol, Tls
from hub.world import MACHINE, World


def mqtt_settings(config: Config, world: World = MACHINE) -> MqttSettings:
    """The broker settings of the configuration, for a hub on the machine ``world``.
    Raises :class:`MqttSettingsError`."""
    mqtt, tls = config.mqtt, None
    if mqtt.password_credential and mqtt.password is None:
        raise MqttSettingsError(
            f"the broker's password is the credential {mqtt.password_credential}, which systemd "
            "hands to its service alone: systemctl start facedown, or as root; or name a "
            "password_file under [mqtt]"
        )
    if mqtt.tls is not None:
        paths = {name: getattr(mqtt.tls, name) for name in ("ca", "cert", "key")}
        tls = Tls(**{name: str(path) for name, path in paths.items() if path})
    return MqttSettings(
        table=config.table.name,
        host=mqtt.host,
        port=mqtt.broker_port,
        username=mqtt.username,
        password=mqtt.password.unseal() if mqtt.password else "",
        tls=tls,
        protocol=Protocol(mqtt.protocol),
        commands=mqtt.commands,
        world=world,
    )


def broker_remarks(file: Path, config: Config) -> tuple[Fault, ...]:
    """Warnings: why commands over MQTT would stay off; empty if they would not. Connects to the
    broker if commands are enabled."""
    mqtt = config.mqtt
    if not (mqtt.enabled and mqtt.commands):
        return ()
    host = f"{mqtt.host}:{mqtt.broker_port}"
    try:
        if not asyncio.run(open_to_anybody(mqtt_settings(config))):
            return ()
        why = Reason("commands-stay-off", host=host)
    except (ConnectionFailed, MqttSettingsError) as error:
        why = Reason("broker-unasked", host=host, fault=str(error))
    return (Fault((), why, str(file)),)
