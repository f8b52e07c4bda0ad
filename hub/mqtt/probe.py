"""Tests whether a broker lets strangers command the table, by trying.

The hub's own login proves nothing: mosquitto with a password file and ``allow_anonymous true``
admits clients without a login. So a stranger connects and publishes a message that can never be a
command on the command topic; the hub listens whether it arrives.
"""

import asyncio
import re
import secrets
from contextlib import suppress

from msgspec.structs import replace

from hub.mqtt.connection import Link, connect
from hub.mqtt.failures import ConnectionFailed
from hub.mqtt.outbox import Outgoing
from hub.mqtt.settings import MqttSettings, tls_context

ARRIVE_S = 1.0
"""How long the stranger's message may take to arrive."""
_CONNECT_S = 2.0
_SAID = re.compile(rb"probed? [0-9a-f]{32}")


class Probe:
    """One attempt. ``topic``: the command topic."""

    def __init__(self, settings: MqttSettings, topic: str) -> None:
        token = secrets.token_hex(16)
        self._topic = topic
        self._strange, self._own = f"probe {token}".encode(), f"probed {token}".encode()
        self._heard: set[bytes] = set()
        self._news = asyncio.Event()
        self._stranger = replace(
            settings,
            username="",
            password="",
            commands=False,
            client_id=f"probe-{token[:16]}",
            timeout_s=min(settings.timeout_s, _CONNECT_S),
            tls=settings.tls and replace(settings.tls, cert="", key=""),
        )

    def takes(self, payload: bytes) -> bool:
        """Whether it is a probe's message, from this one or another, and not a command."""
        if payload in (self._strange, self._own):
            self._heard.add(payload)
            self._news.set()
        return _SAID.fullmatch(payload) is not None

    async def anybody_is_heard(self, link: Link) -> bool:
        """Whether a stranger's message reaches the hub, which listens on ``link``.

        Also False for a broker that does not answer in time. Raises :class:`ConnectionFailed` when
        ``link`` is lost.
        """
        if not await self._speak():
            return False
        # The broker keeps the order: the stranger's message would arrive before this one.
        await link.publish([Outgoing(self._topic, self._own)])
        with suppress(TimeoutError):
            async with asyncio.timeout(ARRIVE_S):
                while not self._heard:
                    await self._news.wait()
        return self._strange in self._heard

    async def _speak(self) -> bool:
        tls = tls_context(self._stranger.tls) if self._stranger.tls else None
        try:
            async with (
                asyncio.timeout(_CONNECT_S),
                connect(self._stranger, tls, None) as link,
            ):
                await link.publish([Outgoing(self._topic, self._strange)])
        except (ConnectionFailed, TimeoutError):
            return False
        return True
