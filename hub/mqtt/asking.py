"""Questions to a broker: may a stranger command the table, does it accept the hub's last will?"""

import asyncio
import secrets
from contextlib import suppress

from msgspec.structs import replace

from hub.mqtt.connection import Link, connect
from hub.mqtt.failures import BrokerLacks, ConnectionFailed
from hub.mqtt.outbox import Outgoing
from hub.mqtt.probe import Probe
from hub.mqtt.settings import MqttSettings, tls_context
from hub.wire.topics import Topics

_ANSWER_S = 3.0


async def open_to_anybody(settings: MqttSettings) -> bool:
    """Whether a stranger's command would reach the hub.

    Raises :class:`ConnectionFailed` when the broker cannot be asked, and
    :class:`MqttSettingsError`. A running hub is not disturbed: this connection has its own client
    id, and no hub takes its messages for commands.
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


async def lacking(settings: MqttSettings, will: Outgoing) -> BrokerLacks | None:
    """Why a broker with MQTT 3.1.1 hangs up on ``will``; None if that is not the reason.

    That version has no reason codes, so a plainer will is tried.
    """
    qos = min(will.qos, settings.most_qos)
    for plainer, why in (
        (replace(will, qos=0), BrokerLacks(qos=qos)),
        (replace(will, retain=False), BrokerLacks()),
    ):
        # A broker that has just started accepts both.
        if plainer != will and await _takes(settings, plainer) and not await _takes(settings, will):
            return why
    return None


async def _takes(settings: MqttSettings, will: Outgoing) -> bool:
    """Whether the broker accepts the hub with that last will."""
    tls = tls_context(settings.tls) if settings.tls else None
    with suppress(ConnectionFailed):
        async with connect(settings, tls, will):
            return True
    return False


async def _listen(link: Link, probe: Probe) -> None:
    async for message in link.received():
        probe.takes(message.payload)
