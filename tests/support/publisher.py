"""A publisher whose connection a test can wait for."""

import asyncio
from typing import Any

from hub.mqtt.connection import Link
from hub.mqtt.publisher import MqttPublisher


class Publisher(MqttPublisher):
    def __init__(self, *args: Any, **settings: Any) -> None:
        super().__init__(*args, **settings)
        self._up = asyncio.Event()

    @property
    def connected(self) -> bool:
        """Whether the broker has acknowledged ``online`` and the connection is still up."""
        return self._up.is_set()

    async def wait_connected(self) -> None:
        await self._up.wait()

    async def _tell(self, link: Link) -> None:
        self._up.set()
        try:
            await super()._tell(link)
        finally:
            self._up.clear()
