"""Wiring of the web pages, and their addresses."""

import os
from collections.abc import Callable, Iterator
from contextlib import AsyncExitStack, contextmanager
from functools import partial
from logging import getLogger
from typing import TYPE_CHECKING

from hub.config.values import LOOPBACK
from hub.config.web import Captive, Web
from hub.daemon.output import Opened, Output, Stage, StartError

log = getLogger(__name__)

if TYPE_CHECKING:
    from hub.table.desk import SeatSignal
    from hub.web.exports import Printing
    from hub.web.settings import PageAddresses


@contextmanager
def _without_authorities() -> Iterator[None]:
    """Skip loading certificate authorities while importing aiohttp. It reads all of them twice, for
    outgoing TLS, which takes memory and a fifth of the start; a server never needs them."""
    names = ("SSL_CERT_FILE", "SSL_CERT_DIR")
    kept = {name: os.environ[name] for name in names if name in os.environ}
    os.environ.update(dict.fromkeys(names, os.devnull))
    try:
        yield
    finally:
        for name in names:
            del os.environ[name]
        os.environ.update(kept)


async def open_web(stage: Stage, web: Web, stack: AsyncExitStack) -> Opened:
    """Serve the pages until ``stack`` is left. The result's ``shown``: their addresses
    (:class:`hub.daemon.addresses.Pages`)."""
    with _without_authorities():
        from hub.web.server import WebServer
    from hub.daemon.addresses import KeysSocket, Pages
    from hub.daemon.exports import write_recap_of
    from hub.daemon.nearby import announce, page_addresses
    from hub.daemon.setup_key import take_key
    from hub.themes import look_of
    from hub.web.codes import WifiCode
    from hub.web.keys import GM_PAGE, TABLE, seat_role
    from hub.web.settings import WebSettings
    from hub.wire.health import health_payload

    config, runner, tabletop = stage.config, stage.runner, stage.tabletop
    journal = config.table.journal
    where = page_addresses(config)
    server = WebServer(
        WebSettings(
            host=web.host,
            port=web.port,
            held=stage.held.get("web"),
            hosts=web.hosts,
            proxies=web.proxies,
            where=where,
            wifi=WifiCode(web.wifi.ssid, web.wifi.code) if web.wifi is not None else None,
            evening=config.table.evening,
            family=stage.family,
            look=look_of(web.theme, web.theme_file),
            seats={seat.name: seat.characters for seat in config.seats},
            gm_seat=runner.settings.gm_seat,
            sessions=journal.with_name(f"{journal.name}.sessions"),
            loudness=journal.with_name(f"{journal.name}.sound"),
            world=stage.world,
        ),
        runner.inbox.ask,
        runner,
        tabletop,
        partial(write_recap_of, stage.world, journal, config.table.name, _theme(web)),
        pictures=stage.pictures,
        printing=_printing(stage),
        bench=stage.bench,
        lights=stage.lights,
        health=lambda: health_payload(runner.health()),
    )
    try:
        await stack.enter_async_context(server)
    except OSError as error:
        raise StartError(
            f"the pages cannot be served at {web.host}:{web.port} ({error.strerror}); choose "
            "another port under [web], or 0 for any"
        ) from None
    if key := take_key():
        server.keys.renew(GM_PAGE, key)

    def tell(tell: "SeatSignal") -> None:
        server.tell(tell.seat, tell.signal, tell.why.unseal())

    runner.add_listener(tell)
    following: list[Callable[[Pages], None]] = []

    def pages() -> Pages:
        url, keys = server.url, server.keys
        return Pages(
            display=f"{url}display",
            gm=f"{url}gm?key={keys.of(GM_PAGE)}",
            seats={
                seat.name: f"{url}seat/{seat.name}?key={keys.of(seat_role(seat.name))}"
                for seat in config.seats
            },
            table=f"{url}table?key={keys.of(TABLE)}" if tabletop else None,
            phones=web.host not in LOOPBACK,
            number=where.address if where.name and where.address else "",
        )

    def moved() -> None:
        server.tell_where()
        for each in following:
            each(pages())

    where.on_change = moved
    if web.captive.enabled:
        await _tell_phones_to_stay(web.captive, where, server.port, stack)
    await announce(config, where, server.port, stack)
    await stack.enter_async_context(KeysSocket(journal, pages))
    return Opened(server, pages(), following.append)


async def _tell_phones_to_stay(
    captive: Captive, where: "PageAddresses", port: int, stack: AsyncExitStack
) -> None:
    from hub.web.captive import Probes

    host = captive.host
    probes = Probes(host, captive.port, lambda: f"http://{where.name or host}:{port}/")
    try:
        await stack.enter_async_context(probes)
    except OSError as error:
        log.warning(
            "what phones ask when they join cannot be answered at %s:%s (%s): they may leave that "
            "Wi-Fi again; docs/build/networks.md says what it needs, or leave [web.captive] out",
            host,
            captive.port,
            error.strerror,
        )


def _theme(web: Web) -> str:
    return str(web.theme_file or web.theme)


def _printing(stage: Stage) -> "Printing | None":
    """The functions that print the table's deck and papers; None for a table without a
    configuration file."""
    from hub.daemon.exports import print_deck_of, print_papers_of
    from hub.web.exports import Printing

    if stage.file is None:
        return None
    web = stage.config.web
    of = stage.world, stage.file, stage.config.table.name, _theme(web)
    return Printing(partial(print_deck_of, *of), partial(print_papers_of, *of))


WEB = Output("web", Web, open_web)
