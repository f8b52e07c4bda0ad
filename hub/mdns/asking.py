"""Asks the networks which addresses a name has, as a phone's browser does.

The questions leave from a port of their own, so that they neither need nor disturb the responder on
this machine's port 5353.

Ref: RFC 6762, 5.1 (one-shot queries) and 6.7 (how they are answered).
"""

import select
import socket
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, suppress
from ipaddress import ip_address

from zeroconf import DNSAddress, DNSIncoming, DNSOutgoing, DNSQuestion

from hub.mdns.addresses import Interface
from hub.mdns.responder import DOMAIN
from hub.world import MACHINE

PORT = 5353
_GROUPS = {socket.AF_INET: "224.0.0.251", socket.AF_INET6: "ff02::fb"}
_QUERY, _IN, _A, _AAAA = 0, 1, 1, 28
_HOPS = 255
_ASKED_AT_S = (0.0, 0.4)
"""When each question is sent, counted from the start: twice, because a packet may be lost."""
_LONGEST_S = 1.2
_MOST_BYTES = 9000
_MOST_ANSWERS = 256

Answers = dict[str, dict[str, frozenset[str]]]
"""Interface's name → label → the addresses that were answered there."""


def who_has(labels: Sequence[str], where: Sequence[Interface]) -> Answers:
    """Ask for the addresses of each of ``labels`` at each interface of ``where``; this takes a good
    second. A label that was not answered has no addresses. Raises :class:`OSError` if a question
    cannot be sent at an interface.
    """
    found: Answers = {each.name: dict.fromkeys(labels, frozenset()) for each in where}
    with ExitStack() as stack:
        asking = {stack.enter_context(_socket(each)): each for each in where}
        begun, asked, heard = MACHINE.monotonic(), 0, 0
        while (gone := MACHINE.monotonic() - begun) < _LONGEST_S and heard < _MOST_ANSWERS:
            if asked < len(_ASKED_AT_S) and gone >= _ASKED_AT_S[asked]:
                asked += 1
                for each in asking:
                    _ask(each, labels)
            until = [*_ASKED_AT_S, _LONGEST_S][asked]
            ready, _, _ = select.select([*asking], [], [], max(0.0, until - gone))
            for each in ready:
                heard += 1
                names = found[asking[each].name]
                for label, address in _answers(each):
                    if label in names:
                        names[label] |= {address}
    return found


def _socket(interface: Interface) -> socket.socket:
    address = interface.addresses[0]
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    asking = socket.socket(family, socket.SOCK_DGRAM)
    try:
        asking.setblocking(False)
        if family == socket.AF_INET6:
            asking.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_MULTICAST_IF, interface.index)
            asking.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_MULTICAST_HOPS, _HOPS)
            asking.bind(("::", 0, 0, interface.index))
        else:
            own = socket.inet_aton(address)
            asking.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_IF, own)
            asking.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_TTL, _HOPS)
            asking.bind((address, 0))
    except BaseException:
        asking.close()
        raise
    return asking


def _ask(asking: socket.socket, labels: Sequence[str]) -> None:
    kind = _AAAA if asking.family == socket.AF_INET6 else _A
    for label in labels:  # one by one: some responders answer only the first of several questions
        asked = DNSOutgoing(_QUERY, multicast=False)
        asked.add_question(DNSQuestion(f"{label}.{DOMAIN}.", kind, _IN))
        for packet in asked.packets():
            with suppress(BlockingIOError):
                asking.sendto(packet, (_GROUPS[asking.family], PORT))


def _answers(asking: socket.socket) -> Iterator[tuple[str, str]]:
    """Yield each label and address in a received packet; nothing if it is not a valid answer."""
    try:
        data = asking.recv(_MOST_BYTES)
    except OSError:
        return
    said = DNSIncoming(data)
    if not said.valid or not said.is_response():
        return
    for each in said.answers():
        if isinstance(each, DNSAddress) and each.ttl > 0:
            label = each.key.removesuffix(f".{DOMAIN}.")
            yield label, str(ip_address(each.address))


def port_is_free() -> bool:
    """Whether a responder can bind the port of multicast DNS, which several programs
    usually share.
    """
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as trying:
        trying.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        with suppress(OSError):
            trying.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
        try:
            trying.bind(("", PORT))
        except OSError:
            return False
    return True
