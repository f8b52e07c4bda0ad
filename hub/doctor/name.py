"""Checks the name by which phones find the hub (multicast DNS): who answers, and with what."""

import asyncio
import socket
from collections.abc import Callable, Iterator, Mapping, Sequence

from hub.config.settings import Config
from hub.daemon.nearby import here
from hub.daemon.running import playing
from hub.doctor.findings import Finding
from hub.doctor.listeners import listener
from hub.doctor.words import DoctorReason
from hub.kernel.reasons import Reason
from hub.mdns.addresses import Interface
from hub.mdns.avahi import runs
from hub.mdns.naming import numbered
from hub.mdns.responder import DOMAIN
from hub.readers.verdicts import Level

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
    """No hub is running yet: the name it will get."""
    if strangers:
        values = {"other": ", ".join(strangers), "name": f"{labels[1]}.{DOMAIN}"}
        return Finding("pages", "mdns-taken", Level.NOTE, f"{labels[0]}.{DOMAIN}", values)
    told = {"address": _address(config, labels[0]), "by": by}
    return Finding("pages", "mdns-ready", Level.OK, f"{labels[0]}.{DOMAIN}", told)


def _silent(called: str, where: Sequence[Interface]) -> Finding:
    addresses = ", ".join(address for each in where for address in each.addresses)
    return Finding("pages", "mdns-silent", Level.WRONG, called, {"addresses": addresses})


def _no_responder(wanted: str) -> Finding | None:
    """Why the hub's own responder would not work; None if it would."""
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
