"""Uses the system's own responder over D-Bus: where Avahi runs, the hub starts no second one.

Ref: ``/usr/share/dbus-1/interfaces/org.freedesktop.Avahi.*.xml`` of Avahi 0.8; avahi-common/defs.h
and address.h for the numbers.
"""

import asyncio
from contextlib import suppress
from typing import Any, Self

from dbus_fast import BusType, Message, MessageType
from dbus_fast.aio import MessageBus
from dbus_fast.errors import AuthError, DBusError, InvalidAddressError

from hub.mdns.responder import DOMAIN, SERVICE, Claim, Lost, ResponderError

_AVAHI = "org.freedesktop.Avahi"
_SERVER, _GROUP = f"{_AVAHI}.Server", f"{_AVAHI}.EntryGroup"
_COLLISION = f"{_AVAHI}.CollisionError"
_BUS = "org.freedesktop.DBus"
_ANY_PROTOCOL = -1
_NO_REVERSE = 16
"""A flag: the address itself resolves to the machine's own name only, not to this one."""
_ESTABLISHED, _COLLIDED, _FAILED = 2, 3, 4
_SERVER_RUNS = 2
_BUS_PATH = "/org/freedesktop/DBus"
_NO_BUS = (OSError, EOFError, TimeoutError, AuthError, InvalidAddressError, DBusError)
_LEAVE_S = 0.1
_ANSWER_S = 5.0
"""How long Avahi may take to answer. It needs most of a second to ask the network for a free name.
"""


class Avahi:
    """A :class:`hub.mdns.responder.Responder` that leaves the work to the system's Avahi."""

    def __init__(self) -> None:
        self._bus: MessageBus | None = None
        self._group = ""
        self._own = ""
        self._states: asyncio.Queue[int] = asyncio.Queue()
        self._lost: asyncio.Queue[Lost] = asyncio.Queue()
        self._came = asyncio.Event()
        self._ending: asyncio.Task[None] | None = None

    async def __aenter__(self) -> Self:
        """Connect to the system's bus. Raises :class:`ResponderError` if no Avahi is running."""
        try:
            if not await self._connect():
                raise ResponderError("avahi-daemon does not run")
            self._own = await self._host_name()
            self._ending = asyncio.create_task(self._until_closed())
        except BaseException as error:
            await self.__aexit__()
            if isinstance(error, _NO_BUS):
                raise ResponderError(str(error) or type(error).__name__) from None
            raise
        return self

    async def _connect(self) -> bool:
        self._bus = await MessageBus(bus_type=BusType.SYSTEM).connect()
        # Signals are subscribed first, so that none is missed.
        self._bus.add_message_handler(self._hear)
        for rule in (
            f"type='signal',sender='{_AVAHI}'",
            f"type='signal',sender='{_BUS}',member='NameOwnerChanged',arg0='{_AVAHI}'",
        ):
            await self._call("AddMatch", "s", rule)
        return bool((await self._call("NameHasOwner", "s", _AVAHI))[0])

    async def until_running(self) -> None:
        """Wait until Avahi runs; for ever without a system bus. Only for an object that is not
        entered.
        """
        try:
            if not await self._connect():
                await self._came.wait()
        except (ResponderError, *_NO_BUS):
            await asyncio.Event().wait()
        finally:
            await self.__aexit__()

    async def running(self) -> bool:
        """Whether Avahi runs on this machine. Only for an object that is not entered."""
        try:
            return await self._connect()
        except (ResponderError, *_NO_BUS):
            return False
        finally:
            await self.__aexit__()

    async def __aexit__(self, *_: object) -> None:
        """Leave the bus; Avahi then withdraws everything that this client announced."""
        bus, self._bus = self._bus, None
        if bus is None:
            return
        bus.disconnect()
        ending = self._ending or asyncio.create_task(_closed(bus))
        await asyncio.wait({ending}, timeout=_LEAVE_S)
        ending.cancel()

    async def _until_closed(self) -> None:
        if self._bus is not None:
            await _closed(self._bus)
        self._lost.put_nowait(Lost.GONE)

    async def claim(self, claim: Claim) -> bool:
        """Announce ``claim``; see :meth:`hub.mdns.responder.Responder.claim`."""
        await self._release()
        try:
            return await self._claimed(claim)
        except DBusError as error:
            if error.type == _COLLISION:
                return False
            raise ResponderError(error.text) from None
        except TimeoutError:
            raise ResponderError("avahi-daemon does not answer") from None

    async def _claimed(self, claim: Claim) -> bool:
        self._group = (await self._call("EntryGroupNew", interface=_SERVER, path="/"))[0]
        own = claim.name == self._own
        host = "" if own else claim.name
        for each in claim.interfaces:
            for address in () if own else each.addresses:
                there = each.index, _ANY_PROTOCOL, _NO_REVERSE
                await self._tell("AddAddress", "iiuss", *there, host, address)
            service = claim.title, SERVICE, DOMAIN, host, claim.port, list(claim.text)
            await self._tell("AddService", "iiussssqaay", each.index, _ANY_PROTOCOL, 0, *service)
        await self._tell("Commit")
        async with asyncio.timeout(_ANSWER_S):
            while (state := await self._states.get()) not in {_ESTABLISHED, _COLLIDED, _FAILED}:
                pass
        if state == _FAILED:
            raise ResponderError("avahi-daemon cannot announce it")
        return state == _ESTABLISHED

    async def _release(self) -> None:
        group, self._group = self._group, ""
        while not self._states.empty():
            self._states.get_nowait()
        while not self._lost.empty():
            if (lost := self._lost.get_nowait()) is Lost.GONE:
                raise ResponderError("avahi-daemon has ended")
            del lost
        if group:
            with suppress(DBusError, TimeoutError):
                await self._call("Free", interface=_GROUP, path=group)

    async def lost(self) -> Lost:
        """Wait until the claim is lost; see :meth:`hub.mdns.responder.Responder.lost`."""
        lost = await self._lost.get()
        if lost is Lost.CHANGED:
            with suppress(DBusError, TimeoutError):
                self._own = await self._host_name()
            self._ending = asyncio.create_task(self._until_closed())
        return lost

    async def _host_name(self) -> str:
        said = await self._call("GetHostNameFqdn", interface=_SERVER, path="/")
        return str(said[0]).lower()

    async def _tell(self, member: str, signature: str = "", *body: Any) -> None:
        await self._call(member, signature, *body, interface=_GROUP, path=self._group)

    async def _call(
        self,
        member: str,
        signature: str = "",
        *body: Any,
        path: str = _BUS_PATH,
        interface: str = _BUS,
    ) -> list[Any]:
        bus = self._bus
        if bus is None or not bus.connected:
            raise ResponderError("the system's bus is closed")
        to = _BUS if interface == _BUS else _AVAHI
        message = Message(to, path, interface, member, signature=signature, body=list(body))
        async with asyncio.timeout(_ANSWER_S):
            reply = await bus.call(message)
        if reply is None:
            raise ResponderError("the system's bus does not answer")
        if reply.message_type is MessageType.ERROR:
            words = reply.body[0] if reply.body and isinstance(reply.body[0], str) else ""
            raise DBusError(reply.error_name or "", words or reply.error_name or "")
        return list(reply.body)

    def _hear(self, message: Message) -> None:
        if message.message_type is not MessageType.SIGNAL:
            return
        match message.interface, message.member:
            case interface, "StateChanged" if interface == _GROUP and message.path == self._group:
                state = message.body[0]
                self._states.put_nowait(state)
                if state == _COLLIDED:
                    self._lost.put_nowait(Lost.TAKEN)
                elif state == _FAILED:
                    self._lost.put_nowait(Lost.GONE)
            case interface, "StateChanged" if interface == _SERVER:
                if message.body[0] == _SERVER_RUNS:
                    self._lost.put_nowait(Lost.CHANGED)
            case interface, "NameOwnerChanged" if interface == _BUS:
                _, before, now = message.body
                if before:
                    self._lost.put_nowait(Lost.GONE)
                if now:
                    self._came.set()


async def _closed(bus: MessageBus) -> None:
    with suppress(Exception):  # the reason for closing does not matter
        await bus.wait_for_disconnect()  # type: ignore[no-untyped-call]
