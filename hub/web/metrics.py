"""The hub's health for Prometheus, at ``/metrics``.

It has the content of the document of :mod:`hub.wire.health`, named as Prometheus expects, with
times in seconds. The version and the seats are the only labels.
"""

from collections.abc import Callable, Iterator
from datetime import datetime
from typing import Any, Self, cast

from aiohttp import web
from prometheus_client import CollectorRegistry
from prometheus_client.core import (
    CounterMetricFamily,
    GaugeMetricFamily,
    HistogramMetricFamily,
    InfoMetricFamily,
    Metric,
)
from prometheus_client.exposition import CONTENT_TYPE_LATEST, generate_latest

from hub.ports import Announcement
from hub.web.guard import EVERY_ADDRESS, Guard, add_headers
from hub.wire.health import Health, Times


class _Collected:
    def __init__(self, tell: Callable[[], Health]) -> None:
        self._tell = tell

    def collect(self) -> Iterator[Metric]:
        health = self._tell()
        begun = datetime.fromisoformat(health.started_at).timestamp()
        info = InfoMetricFamily("facedown", "The hub that is asked.")
        info.add_metric([], {"version": health.version})
        yield info
        for name, what, value in (
            ("start_time_seconds", "Since when the hub runs.", begun),
            ("records", "Records in the journal.", health.records),
            ("stalled", "Whether the table stands still.", health.stalled),
            ("panel_missing", "Parts of the panel that cannot be used.", len(health.panel_missing)),
        ):
            yield GaugeMetricFamily(f"facedown_{name}", what, value)
        for name, what, value in (
            ("commits", "Cards that were sealed because they were awaited.", health.commits),
            ("reveals", "Reveals.", health.reveals),
        ):
            yield CounterMetricFamily(f"facedown_{name}", what, value)
        yield from _readers(health)
        if health.broker is not None:
            now, made = health.broker.connected, health.broker.connections
            yield GaugeMetricFamily("facedown_broker_up", "Whether it is connected.", now)
            what = "Connections to the broker: one, and one after each loss."
            yield CounterMetricFamily("facedown_broker_connections", what, made)
        yield _times("journal", "Until a step was safe on the disk.", health.journal)
        yield _times("reveal", "From when a reveal was due until it was told.", health.reveal)


def _readers(health: Health) -> Iterator[Metric]:
    up = GaugeMetricFamily("facedown_reader_up", "Whether it is not lost.", labels=["seat"])
    lost = CounterMetricFamily("facedown_reader_losses", "Losses.", labels=["seat"])
    what = "Looks that failed."
    disturbed = CounterMetricFamily("facedown_reader_disturbances", what, labels=["seat"])
    for seat, reader in health.readers.items():
        up.add_metric([seat], reader.state != "lost")
        lost.add_metric([seat], reader.losses)
        disturbed.add_metric([seat], reader.disturbances)
    yield from (up, lost, disturbed)


def _times(name: str, what: str, times: Times) -> Metric:
    upto = [(str(each.ms / 1000), each.count) for each in times.upto]
    buckets = [*upto, ("+Inf", times.count)]
    return HistogramMetricFamily(f"facedown_{name}_seconds", what, buckets, times.sum_ms / 1000)


class Metrics:
    """Answers requests for the hub's health at ``/metrics``. It is a :class:`hub.ports.Publisher`
    only so that it runs as long as the hub.
    """

    def __init__(self, host: str, port: int, tell: Callable[[], Health]) -> None:
        self._host, self._port = host, port
        self._registry = CollectorRegistry()
        self._registry.register(cast("Any", _Collected(tell)))
        self._runner: web.AppRunner | None = None

    async def __aenter__(self) -> Self:
        """Listen. Raises :class:`OSError` if the address or port cannot be used."""
        guard = Guard(set() if self._host in EVERY_ADDRESS else {self._host})
        app = web.Application(middlewares=[guard.middleware], client_max_size=0)
        app.on_response_prepare.append(add_headers)
        app.router.add_get("/metrics", self._answer)
        self._runner = web.AppRunner(app, access_log=None, shutdown_timeout=0.1)
        await self._runner.setup()
        try:
            await web.TCPSite(self._runner, self._host, self._port).start()
        except BaseException:
            await self._runner.cleanup()
            raise
        return self

    async def __aexit__(self, *_: object) -> None:
        if self._runner is not None:
            await self._runner.cleanup()

    def announce(self, announcement: Announcement) -> None:
        """Do nothing, because Prometheus fetches the metrics itself."""

    async def _answer(self, _: web.Request) -> web.Response:
        body = generate_latest(self._registry)
        return web.Response(body=body, headers={"Content-Type": CONTENT_TYPE_LATEST})
