"""A clock of lights: it gets the table's facts by Wi-Fi and MQTT, and ticks by itself in between.

The display never waits for the network: drawing is one task, the connection another, and name
look-ups a third. A lost broker or network is retried for ever, after 0.5 s, then 1, 2 and at most
every 15 s.
"""

import asyncio
import gc
import time

import machine
from led_clock import mqtt
import network
from led_clock.displays import display
from led_clock.names import Names
from led_clock.table import MOST_BYTES, Table

FRAME_MS = 40
GRACE_MS = 3000
"""How long the clock ticks on while no broker reports that the hub is there."""
JOIN_S = 15
"""How long a network may take to let the clock join."""
FIRST_S, MOST_S = 0.5, 15
WATCHDOG_MS = 8000
NTP_PORT = 123
_NTP_AHEAD_S = 3155673600
"""The seconds from 1900, where NTP's count begins, to 2000; the count wraps in 2036."""


class Ticks:
    """A count of the ms since the start, which does not wrap."""

    def __init__(self) -> None:
        self._last, self._now = time.ticks_ms(), 0

    def now(self) -> int:
        """The ms since the start. Must be called at least once in six days."""
        last = time.ticks_ms()
        self._now += time.ticks_diff(last, self._last)
        self._last = last
        return self._now


class Clock:
    """The clock's drawing, connection and time."""

    def __init__(self, settings: object) -> None:
        self.settings = settings
        self.table = Table(settings.table, settings.shows, settings.of, settings.name)
        self._display = display(settings)
        self._ticks = Ticks()
        self._wifi = network.WLAN(network.STA_IF)
        self._names = Names(lambda: self._wifi.ifconfig()[3])
        self._timing = None
        self._gone_at = None
        self._tls = None

    async def run(self) -> None:
        """Run for ever; if the connection task ends, the watchdog resets the board."""
        watchdog = machine.WDT(timeout=WATCHDOG_MS)
        following = asyncio.create_task(self._follow())
        while not following.done():
            watchdog.feed()
            self._draw()
            await asyncio.sleep_ms(FRAME_MS)

    def _draw(self) -> None:
        now, facts = self._ticks.now(), self.table.facts
        if self._gone_at is not None and now - self._gone_at > GRACE_MS:
            facts.online = False
        dim = self.settings.brightness if self.table.dim is None else self.table.dim
        self._display.show(self.settings.shows, facts, now, dim)

    async def _follow(self) -> None:
        """Connect to the table, and again after each loss."""
        wait_s, told = FIRST_S, ""
        while True:
            began = self._ticks.now()
            try:
                await self._join()
                await self._stay()
            except (mqtt.Lost, OSError) as error:
                why = str(error)
            except Exception as error:  # a bug in the clock: the display goes on
                why = "%s: %s" % (type(error).__name__, error)
            self.table.vouched = False
            if self._gone_at is None:
                self._gone_at = self._ticks.now()
            if self._ticks.now() - began > 10_000:
                wait_s, told = FIRST_S, ""
            if why != told:
                print("clock:", why)
                told = why
            gc.collect()
            await asyncio.sleep(wait_s)
            wait_s = min(2 * wait_s, MOST_S)

    async def _join(self) -> None:
        wifi = self._wifi
        if wifi.isconnected():
            return
        wifi.active(True)
        wifi.connect(self.settings.wifi, self.settings.wifi_password)
        until = self._ticks.now() + JOIN_S * 1000
        while not wifi.isconnected():
            if self._ticks.now() > until:
                wifi.disconnect()
                raise OSError("no Wi-Fi: see wifi and wifi_password in clock.json")
            await asyncio.sleep_ms(200)

    async def _stay(self) -> None:
        settings, table = self.settings, self.table
        if settings.ntp and not table.knows_time and (not self._timing or self._timing.done()):
            self._timing = asyncio.create_task(self._ask_time())
        if settings.tls and self._tls is None:
            self._tls = mqtt.authorities(settings.ca)
        broker = mqtt.Broker(settings.host, settings.port, self._tls, MOST_BYTES)
        name = "facedown-clock-" + settings.name
        login = settings.username, settings.password
        try:
            address = await self._names.find(settings.host)
            await broker.connect(address, name, login, table.status)
            await broker.publish(table.status, b"online")
            listening = asyncio.create_task(broker.listen(table.topics(), self._hear))
            try:
                await self._watch(broker, listening)
            finally:
                listening.cancel()
        finally:
            await broker.close()

    async def _watch(self, broker: object, listening: object) -> None:
        """Watch the connection. Raises the reason once it is lost."""
        pinged = self._ticks.now()
        while not listening.done():
            if not self._wifi.isconnected():
                raise OSError("the Wi-Fi is gone")
            if self._ticks.now() - pinged > mqtt.KEEPALIVE_S * 250:
                pinged = self._ticks.now()
                await broker.ping()
            await asyncio.sleep_ms(250)
        await listening

    def _hear(self, topic: str, payload: bytes, retained: bool) -> None:
        self.table.hear(topic, payload, retained, self._ticks.now())
        if self.table.vouched:
            self._gone_at = None

    async def _ask_time(self) -> None:
        """Ask for the time by NTP, at each connection until it is known.

        The table's own messages tell the time too, but later.

        Ref: RFC 5905 §7.3: mode 4 is a server's answer; a server that knows the time has a stratum
        of 1 to 15.
        """
        import socket
        import struct

        try:
            address = await self._names.find(self.settings.ntp)
            where = socket.getaddrinfo(address, NTP_PORT)[0][-1]
            asking = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
            try:
                asking.connect(where)  # accepts answers from this server only
                asking.setblocking(False)
                asking.send(b"\x1b" + bytes(47))
                for _ in range(20):
                    await asyncio.sleep_ms(50)
                    try:
                        answer = asking.recv(48)
                    except OSError:
                        continue
                    if len(answer) < 48:
                        continue
                    seconds, part = struct.unpack(">II", answer[40:48])
                    if seconds and answer[0] & 7 == 4 and 1 <= answer[1] <= 15:
                        if seconds < _NTP_AHEAD_S:
                            seconds += 1 << 32
                        ms = (seconds - _NTP_AHEAD_S) * 1000 + (part >> 16) * 1000 // 65536
                        self.table.know(ms, self._ticks.now())
                        return
            finally:
                asking.close()
        except (OSError, ValueError):
            pass
        print("clock: no answer from", self.settings.ntp)
