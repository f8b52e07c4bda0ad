"""The hub's own responder, for machines without Avahi.

There is one sender for each interface, so that a phone gets the address that it can reach. zeroconf
checks whether a service's name is free, but not a host's; this module checks that.

Ref: RFC 6762, 8.1 (probing), 8.2 (the side with the later data keeps the name), 9 (conflicts).
"""

import asyncio
import socket
from collections.abc import Sequence
from contextlib import suppress
from ipaddress import ip_address
from typing import Self

from zeroconf import (
    DNSAddress,
    DNSOutgoing,
    DNSQuestion,
    IPVersion,
    RecordUpdate,
    RecordUpdateListener,
    ServiceInfo,
    Zeroconf,
)
from zeroconf.asyncio import AsyncZeroconf

from hub.mdns.addresses import Interface
from hub.mdns.responder import DOMAIN, SERVICE, Claim, Lost, ResponderError
from hub.world import MACHINE

_QUERY, _IN, _A, _AAAA = 0, 1, 1, 28
_PROBES, _APART_S = 3, 0.25
_IP_MULTICAST_ALL = 49
"""A socket option of Linux. While it is off, a socket receives only groups that it has joined
itself, on its own interface.
"""


class _Listener(RecordUpdateListener):
    """Listens on one interface for other machines that answer to the name; ``own``: this machine's
    addresses, packed.
    """

    def __init__(self, name: str, own: frozenset[bytes]) -> None:
        self._name, self._own = name, own
        self.heard: asyncio.Queue[bytes] = asyncio.Queue(16)

    def async_update_records(
        self, zc: Zeroconf, now: float, records: Sequence[RecordUpdate]
    ) -> None:
        for update in records:
            record = update.new
            if (
                isinstance(record, DNSAddress)
                and record.key == self._name
                and record.ttl > 0
                and record.address not in self._own
            ):
                with suppress(asyncio.QueueFull):
                    self.heard.put_nowait(record.address)


class _Sender:
    def __init__(self, claim: Claim, interface: Interface, own: frozenset[bytes]) -> None:
        self.packed = sorted(ip_address(each).packed for each in interface.addresses)
        self._name = f"{claim.name}."
        six = ":" in interface.addresses[0]
        self._zeroconf = AsyncZeroconf(
            interfaces=[interface.index if six else interface.addresses[0]],
            ip_version=IPVersion.V6Only if six else IPVersion.V4Only,
        )
        self.listener = _Listener(self._name, own)
        self._service = ServiceInfo(
            f"{SERVICE}.{DOMAIN}.",
            f"{claim.title}.{SERVICE}.{DOMAIN}.",
            port=claim.port,
            properties=dict(each.split(b"=", 1) for each in claim.text),
            server=self._name,
            addresses=self.packed,
        )
        self._broadcasting: asyncio.Future[None] | None = None

    async def open(self) -> None:
        zeroconf = self._zeroconf.zeroconf
        await zeroconf.async_wait_for_start()
        for reader in zeroconf.engine.readers:
            with suppress(OSError):
                reader.sock.setsockopt(socket.IPPROTO_IP, _IP_MULTICAST_ALL, 0)
        zeroconf.async_add_listener(self.listener, None)

    def probe(self) -> None:
        asked = DNSOutgoing(_QUERY)
        for kind in (_A, _AAAA):  # other hubs' zeroconf gives no address for a question of type ANY
            asked.add_question(DNSQuestion(self._name, kind, _IN))
        self._zeroconf.zeroconf.async_send(asked)

    async def announce(self) -> None:
        announced = await self._zeroconf.async_register_service(
            self._service, cooperating_responders=True
        )
        self._broadcasting = asyncio.ensure_future(announced)

    def insist(self) -> None:
        zeroconf = self._zeroconf.zeroconf
        zeroconf.async_send(zeroconf.generate_service_broadcast(self._service, None))

    async def close(self) -> None:
        """Send a single goodbye, not repeated because the hub is about to end, and close the
        sockets.
        """
        if self._broadcasting is not None:
            self._broadcasting.cancel()
            await asyncio.gather(self._broadcasting, return_exceptions=True)
        zeroconf = self._zeroconf.zeroconf
        goodbye = zeroconf.generate_unregister_all_services()
        if goodbye is not None:
            zeroconf.async_send(goodbye)
        await self._zeroconf.async_close()


class OwnResponder:
    """A :class:`hub.mdns.responder.Responder` that needs no other program."""

    def __init__(self) -> None:
        self._senders: list[_Sender] = []

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        senders, self._senders = self._senders, []
        await asyncio.gather(*(each.close() for each in senders), return_exceptions=True)

    async def claim(self, claim: Claim) -> bool:
        """Announce ``claim``; see :meth:`hub.mdns.responder.Responder.claim`."""
        await self.__aexit__()
        own = frozenset(
            ip_address(address).packed
            for interface in claim.interfaces
            for address in interface.addresses
        )
        try:
            for interface in claim.interfaces:
                sender = _Sender(claim, interface, own)
                self._senders.append(sender)
                await sender.open()
        except (OSError, TimeoutError) as error:
            await self.__aexit__()
            raise ResponderError(getattr(error, "strerror", None) or str(error)) from None
        if await self._heard_of():
            await self.__aexit__()
            return False
        for sender in self._senders:
            await sender.announce()
        return True

    async def _heard_of(self) -> bool:
        await asyncio.sleep(_APART_S * MACHINE.chance().random())  # so that not all ask at once
        for _ in range(_PROBES):
            for sender in self._senders:
                sender.probe()
            with suppress(TimeoutError):
                async with asyncio.timeout(_APART_S):
                    await self._anybody()
                    return True
        return False

    async def _anybody(self) -> tuple[_Sender, bytes]:
        """Wait for another machine's answer. Returns the sender on whose interface the answer came,
        and the address in it.
        """
        hearing = {asyncio.ensure_future(each.listener.heard.get()): each for each in self._senders}
        try:
            done, _ = await asyncio.wait(hearing, return_when=asyncio.FIRST_COMPLETED)
            first = done.pop()
            return hearing[first], first.result()
        finally:
            for each in hearing:
                each.cancel()

    async def lost(self) -> Lost:
        """Wait until the claim is lost; see :meth:`hub.mdns.responder.Responder.lost`.

        In a conflict the machine with the lower address yields, so that one of the two keeps the
        name.
        """
        while True:
            sender, theirs = await self._anybody()
            if theirs > sender.packed[0]:
                return Lost.TAKEN
            sender.insist()
