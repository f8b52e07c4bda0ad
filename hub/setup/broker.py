"""Checks whether a broker accepts the hub, by connecting to it."""

import asyncio
import secrets
import ssl
from tempfile import NamedTemporaryFile

from hub.config.starter import Broker
from hub.kernel.reasons import Reason
from hub.mqtt.connection import connect
from hub.mqtt.failures import ConnectionFailed, NotTrusted
from hub.mqtt.settings import MqttSettings, MqttSettingsError, Tls, tls_context
from hub.setup.questions import SetupReason


async def broker_fault(broker: Broker) -> Reason | None:
    """Connect once, as the hub will. Returns why that failed, or None if it succeeded. Takes at
    most about 5 s."""
    try:
        settings = MqttSettings(
            table="check",
            host=broker.host,
            port=broker.port,
            username=broker.username,
            password=broker.password.unseal() if broker.password else "",
            client_id=f"check-{secrets.token_hex(6)}",
        )
        async with connect(settings, _tls(broker), None):
            return None
    except (ConnectionFailed, MqttSettingsError) as error:
        why = "broker-no-tls" if broker.tls else "broker-silent"
        if isinstance(error, NotTrusted):
            why = "broker-strange"
        return SetupReason(why, host=f"{broker.host}:{broker.port}", fault=str(error))


def _tls(broker: Broker) -> ssl.SSLContext | None:
    if not broker.tls or not broker.ca:
        return tls_context(Tls()) if broker.tls else None
    with NamedTemporaryFile("w", prefix="facedown-", suffix=".pem", encoding="ascii") as file:
        file.write(broker.ca)
        file.flush()
        return tls_context(Tls(ca=file.name))


def broker_answers(broker: Broker) -> Reason | None:
    """Do as :func:`broker_fault`, for callers without an event loop."""
    return asyncio.run(broker_fault(broker))
