"""Asking a broker beforehand whether it would let anybody command the table."""

import asyncio
import secrets

from msgspec.structs import replace

from hub.mqtt.connection import Link, connect
from hub.mqtt.failures import ConnectionFailed
from hub.mqtt.probe import Probe
from hub.mqtt.settings import MqttSettings, tls_context
from hub.wire.topics import Topics

_ANSWER_S = 3.0


async def open_to_anybody(settings: MqttSettings) -> bool:
    """Whether a stranger's command would reach the hub. Raises :class:`ConnectionFailed` when the
    broker cannot be asked, and :class:`MqttSettingsError`.

    A hub that plays there is not disturbed: this connection has a name of its own, and what is said
    is no command to any hub.
    """
    topic = Topics(settings.table).command
    name = f"check-{secrets.token_hex(6)}"
    asking = replace(settings, client_id=name, timeout_s=min(settings.timeout_s, _ANSWER_S))
    tls = tls_context(settings.tls) if settings.tls else None
    async with connect(asking, tls, None) as link:
        if not await link.subscribe(topic):
            raise ConnectionFailed(f"it does not let the hub read {topic}")
        probe = Probe(asking, topic)
        listening = asyncio.create_task(_listen(link, probe))
        try:
            return await probe.anybody_is_heard(link)
        finally:
            listening.cancel()
            await asyncio.gather(listening, return_exceptions=True)


async def _listen(link: Link, probe: Probe) -> None:
    async for message in link.received():
        probe.takes(message.payload)
