"""Checks whether the pages can be served, and whether phones reach them by address and by name."""

import asyncio
import errno
import os
import re
import socket
from collections.abc import Callable, Iterator, Mapping, Sequence
from urllib.error import URLError
from urllib.request import ProxyHandler, build_opener

from hub.config.settings import Config
from hub.config.values import EVERY_ADDRESS, LOOPBACK
from hub.daemon.nearby import address_of, here
from hub.daemon.running import own_address, playing
from hub.doctor.findings import DoctorReason, Finding, fine, note, wrong
from hub.doctor.machine import asked, listener, user
from hub.kernel.reasons import Reason
from hub.mdns.addresses import Interface
from hub.mdns.avahi import Avahi
from hub.mdns.naming import numbered
from hub.mdns.responder import DOMAIN
from hub.readers.verdicts import Level

_ANSWER_S = 2.0


def pages(config: Config, *, avahi: Callable[[], bool] | None = None) -> Iterator[Finding]:
    """Check the pages. ``avahi``: a function that returns whether Avahi runs on this machine; None
    to find out."""
    web = config.web
    if not web.enabled:
        yield note("pages", "pages-off")
        return
    where = f"{web.host}:{web.port}"
    bad = [*(_answers(config, where) if playing(config) else _can_be_served(config, where))]
    yield from bad
    if web.host in LOOPBACK:
        yield note("pages", "pages-alone", where)
        return
    address = address_of(web.host)
    if not address:
        yield wrong("pages", "no-network", where)
        return
    if all(each.level is Level.OK for each in bad):
        written = f"[{address}]" if ":" in address else address
        yield fine("pages", "pages", where, address=f"http://{written}:{web.port or 'PORT'}/")
    yield from name(config, avahi)
    if web.port:
        yield from _firewall(web.port)


def _answers(config: Config, where: str) -> Iterator[Finding]:
    """Check the pages of a running hub by a request to its own address."""
    address = own_address(config)
    if address is None:  # any free port: it is not known which
        return
    own = build_opener(ProxyHandler({}))
    try:
        with own.open(f"{address}/healthz", timeout=_ANSWER_S) as answer:
            answer.read(16)
    except (OSError, ValueError) as error:
        why = error.reason if isinstance(error, URLError) else error
        fault = getattr(why, "strerror", None) or type(why).__name__
        yield wrong("pages", "pages-silent", where, address=address, fault=fault)
        return
    yield fine("pages", "pages-answer", where, address=address)


def _can_be_served(config: Config, where: str) -> Iterator[Finding]:
    """In place of a hub that does not run, try to listen at its address, and to connect there."""
    host, port = config.web.host, config.web.port
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(family, socket.SOCK_STREAM) as listening:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listening.bind((host, port))
            listening.listen(1)
        except OSError as error:
            yield _not_served(error, host, port, where)
            return
        if host not in EVERY_ADDRESS:
            return
        address, bound = address_of(host), listening.getsockname()[1]
        if not address:
            return
        try:
            socket.create_connection((address, bound), timeout=_ANSWER_S).close()
        except OSError:
            yield wrong("pages", "pages-unreachable", where, address=address, port=bound)


def _not_served(error: OSError, host: str, port: int, where: str) -> Finding:
    if error.errno == errno.EADDRINUSE:
        return wrong("pages", "port-taken", where, port=port, holder=listener(port))
    if error.errno in (errno.EACCES, errno.EPERM):
        return wrong("pages", "port-closed", where, port=port, user=user())
    return wrong("pages", "address-foreign", where, host=host)


def _firewall(port: int) -> Iterator[Finding]:
    """Check whether a firewall blocks phones, as far as the firewall's own command shows it."""
    if (told := asked("ufw", "status")) is not None and "Status: active" in told.text:
        if not re.search(rf"^{port}(/tcp)?\s+ALLOW", told.text, re.MULTILINE):
            yield _closed("ufw", port, f"sudo ufw allow {port}/tcp")
        return
    if (told := asked("firewall-cmd", "--list-ports")) is not None and told.done:
        if f"{port}/tcp" not in told.text.split():
            yield _closed("firewalld", port, f"sudo firewall-cmd --permanent --add-port={port}/tcp")
        return
    for tool, command, drops, lets, advice in (
        (
            "nftables",
            ("nft", "list", "ruleset"),
            r"hook input[^}]*policy drop",
            rf"dport (\{{[^}}]*\b{port}\b[^}}]*\}}|{port}\b)[^\n]*accept",
            "let TCP port {port} in, in /etc/nftables.conf",
        ),
        (
            "iptables",
            ("iptables", "-S", "INPUT"),
            r"^-P INPUT DROP",
            rf"--dports? \S*\b{port}\b.*-j ACCEPT",
            "sudo iptables -I INPUT -p tcp --dport {port} -j ACCEPT",
        ),
    ):
        if (told := asked(*command)) is None:
            continue
        if not told.done and os.geteuid():
            yield note("pages", "firewall-unread", tool=tool)
        elif re.search(drops, told.text, re.MULTILINE) and not re.search(lets, told.text):
            yield _closed(tool, port, advice.format(port=port))
        return


def _closed(tool: str, port: int, advice: str) -> Finding:
    return wrong("pages", "firewall", tool, tool=tool, port=port, advice=advice)


_MOST = 9
"""How many names are looked up: ``table``, ``table-2`` and so on, up to ``table-9``."""


def name(config: Config, avahi: Callable[[], bool] | None = None) -> Iterator[Finding]:
    """Check the name of the pages (mDNS). ``avahi``: as in :func:`pages`."""
    by_avahi = avahi() if avahi else asyncio.run(Avahi().running())
    yield from _of_machine(config, by_avahi)
    where = here(config.web.host)
    if not config.web.name or not where:
        return
    wanted = f"{config.web.name}.{DOMAIN}"
    if not by_avahi and (why := _no_responder(wanted)) is not None:
        yield why
        return
    labels = [numbered(config.web.name, number) for number in range(1, _MOST + 1)]
    try:
        from hub.mdns.asking import who_has

        found = who_has(labels, where)
    except (ImportError, OSError) as error:
        fault = getattr(error, "strerror", None) or str(error)
        yield note("pages", "mdns-unasked", wanted, fault=fault)
        return
    yield _of_answers(config, labels, where, found, by_avahi=by_avahi)


def _of_answers(
    config: Config,
    labels: list[str],
    where: Sequence[Interface],
    found: Mapping[str, Mapping[str, frozenset[str]]],
    *,
    by_avahi: bool,
) -> Finding:
    """Return the finding about the name. ``labels``: the names that were looked up, the configured
    one first; ``where``: the interfaces of the hub; ``found``: interface → label → the addresses
    that answered for it."""
    own = {address for each in where for address in each.addresses}
    heard = {x: frozenset().union(*(at[x] for at in found.values())) for x in labels}
    strangers = sorted(heard[labels[0]] - own)
    by = DoctorReason(f"mdns-by.{'avahi' if by_avahi else 'hub'}")
    if playing(config) is None:
        return _before(config, labels, strangers, by)
    label = next((label for label in labels if heard[label] & own), None)
    if label is None:
        return _silent(f"{labels[0]}.{DOMAIN}", where)
    called = f"{label}.{DOMAIN}"
    if deaf := [each for each in where if not found[each.name][label] & set(each.addresses)]:
        return _silent(called, deaf)
    if label != labels[0]:
        other = ", ".join(strangers) or "?"
        return note("pages", "mdns-second", f"{labels[0]}.{DOMAIN}", name=called, other=other)
    return fine("pages", "mdns", called, address=_address(config, label), by=by)


def _before(config: Config, labels: list[str], strangers: list[str], by: Reason) -> Finding:
    first, second = (f"{label}.{DOMAIN}" for label in labels[:2])
    if strangers:
        return note("pages", "mdns-taken", first, other=", ".join(strangers), name=second)
    return fine("pages", "mdns-ready", first, address=_address(config, labels[0]), by=by)


def _silent(called: str, where: Sequence[Interface]) -> Finding:
    addresses = ", ".join(address for each in where for address in each.addresses)
    return wrong("pages", "mdns-silent", called, addresses=addresses)


def _no_responder(wanted: str) -> Finding | None:
    try:
        from hub.mdns.asking import PORT, port_is_free
    except ImportError:
        return note("pages", "mdns-missing", wanted)
    if port_is_free():
        return None
    return note("pages", "mdns-port", wanted, port=PORT, holder=listener(PORT, "udp"))


def _address(config: Config, label: str) -> str:
    return f"http://{label}.{DOMAIN}:{config.web.port or 'PORT'}/"


def _of_machine(config: Config, by_avahi: bool) -> Iterator[Finding]:
    """Check whether the pages accept the name by which phones find the machine itself, if Avahi
    announces that name."""
    if not by_avahi:
        return
    called = f"{socket.gethostname().partition('.')[0].lower()}.{DOMAIN}"
    if called in {each.lower().rstrip(".") for each in config.web.hosts}:
        yield fine("pages", "name", address=f"http://{called}:{config.web.port or 'PORT'}/")
    elif not config.web.name:
        yield note("pages", "name-unlisted", name=called)
