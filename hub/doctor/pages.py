"""Checks whether the pages can be served, and whether a phone reaches them, also by their name."""

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
from hub.doctor.findings import DoctorReason, Finding
from hub.doctor.machine import asked, listener, user
from hub.kernel.reasons import Reason
from hub.mdns.addresses import Interface
from hub.mdns.avahi import runs
from hub.mdns.naming import numbered
from hub.mdns.responder import DOMAIN
from hub.readers.verdicts import Level

_ANSWER_S = 2.0


def pages(config: Config, *, avahi: Callable[[], bool] | None = None) -> Iterator[Finding]:
    """The findings about the pages. ``avahi``: whether one runs here, if known."""
    web = config.web
    if not web.enabled:
        yield Finding("pages", "pages-off", Level.NOTE)
        return
    where = f"{web.host}:{web.port}"
    bad = [*(_answers(config, where) if playing(config) else _can_be_served(config, where))]
    yield from bad
    if web.host in LOOPBACK:
        yield Finding("pages", "pages-alone", Level.NOTE, where)
        return
    address = address_of(web.host)
    if not address:
        yield Finding("pages", "no-network", Level.WRONG, where)
        return
    if all(each.level is Level.OK for each in bad):
        written = f"[{address}]" if ":" in address else address
        values = {"address": f"http://{written}:{web.port or 'PORT'}/"}
        yield Finding("pages", "pages", Level.OK, where, values)
    yield from name(config, avahi)
    if web.port:
        yield from _firewall(web.port)


def _answers(config: Config, where: str) -> Iterator[Finding]:
    """With a running hub: send a real request to its own address."""
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
        values = {"address": address, "fault": fault}
        yield Finding("pages", "pages-silent", Level.WRONG, where, values)
        return
    yield Finding("pages", "pages-answer", Level.OK, where, {"address": address})


def _can_be_served(config: Config, where: str) -> Iterator[Finding]:
    """Without a running hub: listen at its address, and connect to that."""
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
            values = {"address": address, "port": bound}
            yield Finding("pages", "pages-unreachable", Level.WRONG, where, values)


def _not_served(error: OSError, host: str, port: int, where: str) -> Finding:
    if error.errno == errno.EADDRINUSE:
        values = {"port": port, "holder": listener(port)}
        return Finding("pages", "port-taken", Level.WRONG, where, values)
    if error.errno in (errno.EACCES, errno.EPERM):
        values = {"port": port, "user": user()}
        return Finding("pages", "port-closed", Level.WRONG, where, values)
    return Finding("pages", "address-foreign", Level.WRONG, where, {"host": host})


def _firewall(port: int) -> Iterator[Finding]:
    """Whether a firewall blocks phones, as far as its own tools say."""
    told = asked("ufw", "status")
    if told is not None and "Status: active" in told.text:
        if not re.search(rf"^{port}(/tcp)?\s+ALLOW", told.text, re.MULTILINE):
            yield _closed("ufw", port, f"sudo ufw allow {port}/tcp")
        return
    told = asked("firewall-cmd", "--list-ports")
    if told is not None and told.done:
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
        told = asked(*command)
        if told is None:
            continue
        if not told.done and os.geteuid():
            yield Finding("pages", "firewall-unread", Level.NOTE, values={"tool": tool})
        elif re.search(drops, told.text, re.MULTILINE) and not re.search(lets, told.text):
            yield _closed(tool, port, advice.format(port=port))
        return


def _closed(tool: str, port: int, advice: str) -> Finding:
    values = {"tool": tool, "port": port, "advice": advice}
    return Finding("pages", "firewall", Level.WRONG, tool, values)


_MOST = 9
"""How many tables with one name are distinguished here."""


def name(config: Config, avahi: Callable[[], bool] | None = None) -> Iterator[Finding]:
    """The findings about the name. ``avahi``: whether one runs here."""
    by_avahi = (avahi or _avahi_runs)()
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
        values = {"fault": getattr(error, "strerror", None) or str(error)}
        yield Finding("pages", "mdns-unasked", Level.NOTE, wanted, values)
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
    """What the answers say. ``found``: on each interface the addresses that have each label."""
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
        values = {"name": called, "other": ", ".join(strangers) or "?"}
        return Finding("pages", "mdns-second", Level.NOTE, f"{labels[0]}.{DOMAIN}", values)
    told = {"address": _address(config, label), "by": by}
    return Finding("pages", "mdns", Level.OK, called, told)


def _before(config: Config, labels: list[str], strangers: list[str], by: Reason) -> Finding:
    if strangers:
        values = {"other": ", ".join(strangers), "name": f"{labels[1]}.{DOMAIN}"}
        return Finding("pages", "mdns-taken", Level.NOTE, f"{labels[0]}.{DOMAIN}", values)
    told = {"address": _address(config, labels[0]), "by": by}
    return Finding("pages", "mdns-ready", Level.OK, f"{labels[0]}.{DOMAIN}", told)


def _silent(called: str, where: Sequence[Interface]) -> Finding:
    addresses = ", ".join(address for each in where for address in each.addresses)
    return Finding("pages", "mdns-silent", Level.WRONG, called, {"addresses": addresses})


def _no_responder(wanted: str) -> Finding | None:
    try:
        from hub.mdns.asking import PORT, port_is_free
    except ImportError:
        return Finding("pages", "mdns-missing", Level.NOTE, wanted)
    if port_is_free():
        return None
    values = {"port": PORT, "holder": listener(PORT, "udp")}
    return Finding("pages", "mdns-port", Level.NOTE, wanted, values)


def _address(config: Config, label: str) -> str:
    return f"http://{label}.{DOMAIN}:{config.web.port or 'PORT'}/"


def _of_machine(config: Config, by_avahi: bool) -> Iterator[Finding]:
    """The name by which phones find the machine itself, if Avahi announces it."""
    if not by_avahi:
        return
    called = f"{socket.gethostname().partition('.')[0].lower()}.{DOMAIN}"
    if called in {each.lower().rstrip(".") for each in config.web.hosts}:
        values = {"address": f"http://{called}:{config.web.port or 'PORT'}/"}
        yield Finding("pages", "name", Level.OK, values=values)
    elif not config.web.name:
        yield Finding("pages", "name-unlisted", Level.NOTE, values={"name": called})


def _avahi_runs() -> bool:
    return asyncio.run(runs())
