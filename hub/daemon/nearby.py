"""Wiring of the name and the address by which phones find the pages."""

from collections.abc import Sequence
from contextlib import AsyncExitStack
from ipaddress import ip_address
from logging import getLogger
from typing import TYPE_CHECKING

from hub.config.settings import Config
from hub.config.values import EVERY_ADDRESS, LOOPBACK
from hub.mdns.addresses import Interface, interfaces, lan_address
from hub.mdns.naming import Naming, Wish
from hub.mdns.responder import DOMAIN

if TYPE_CHECKING:
    from hub.web.settings import PageAddresses

log = getLogger(__name__)

_TITLE_CHARS = 40
"""The most characters of the announced title, so that a DNS label has room for it and for a
machine's name after it (RFC 6763, 4.1.1)."""


def here(host: str) -> tuple[Interface, ...]:
    """The interfaces at which other machines can reach pages that listen at ``host``."""
    if host in EVERY_ADDRESS:
        return interfaces(ipv6=host == "::")
    try:
        ipv6 = ip_address(host).version == 6  # noqa: PLR2004 - IPv6
    except ValueError:
        return ()
    found = [each for each in interfaces(ipv6=ipv6) if host in each.addresses]
    return tuple(Interface(each.index, each.name, (host,)) for each in found)


def address_of(host: str, preferred: str = "") -> str:
    """The address by which phones reach pages that listen at ``host``; empty if there is none."""
    if host == "::":
        return next((each.addresses[0] for each in here(host)), "")
    return lan_address(preferred) if host in EVERY_ADDRESS else host


def page_addresses(config: Config) -> "PageAddresses":
    """Where phones can reach the pages: at the configured name, assumed to be available, or at this
    machine's address. Empty if the pages listen on loopback only."""
    from hub.web.settings import PageAddresses

    web = config.web
    if web.host in LOOPBACK:
        return PageAddresses()
    preferred = web.captive.host if web.captive.enabled else ""
    name = f"{web.name}.{DOMAIN}" if web.name else ""
    where = PageAddresses(lambda: address_of(web.host, preferred), {name} - {""})
    # The name is nearly always available: assume so, so that displayed addresses do not change.
    where.look(name if here(web.host) else "")
    return where


async def announce(
    config: Config, where: "PageAddresses", port: int, stack: AsyncExitStack
) -> None:
    """Announce the pages' name in the network, and keep ``where`` up to date, until the stack
    closes."""
    web = config.web
    if web.host in LOOPBACK:
        return

    def here_now() -> Sequence[Interface]:
        return here(web.host)

    def moved(name: str | None = None) -> None:
        if where.look(name):
            found = f"http://{where.host}:{port}/" if where.host else "nowhere: there is no network"
            log.info("phones find the pages at %s", found)

    title = config.table.name[:_TITLE_CHARS]
    wish = Wish(web.name, title, port, "/display")
    await stack.enter_async_context(Naming(wish, here_now, moved))
