"""Prometheus metrics: the hub's health document, and nothing else."""

import socket
import sys
from contextlib import AsyncExitStack
from types import SimpleNamespace
from typing import Any

import aiohttp
import pytest
from prometheus_client.parser import text_string_to_metric_families

from hub.daemon.health import Counters
from hub.daemon.output import StartError
from hub.daemon.prometheus import Prometheus, open_prometheus
from hub.ports import ReaderDown, ReaderUp
from hub.table.acts import Revealed
from tests.support.broker import free_port


def stage(counters: Counters) -> Any:
    runner = SimpleNamespace(health=lambda: counters.health(7, stalled=False))
    return SimpleNamespace(runner=runner)


async def test_every_counter_is_a_metric() -> None:
    counters = Counters(("ada", "gm"), lambda: 1_800_000_000_000)
    for event in (ReaderUp("ada"), ReaderDown("ada", "unplugged"), ReaderUp("gm")):
        counters.note_reader(event)
    counters.note_broker(True)
    counters.note_panel(("GPIO5", "GPIO17"))
    counters.note_stored(0.004)
    counters.note_told([Revealed(openings={})], 7000)
    port = free_port()
    async with AsyncExitStack() as stack, aiohttp.ClientSession() as prometheus:
        await open_prometheus(stage(counters), Prometheus(port=port), stack)
        async with prometheus.get(f"http://127.0.0.1:{port}/metrics") as answer:
            assert answer.headers["Content-Type"].startswith("text/plain")
            text = await answer.text()
        async with prometheus.get(f"http://127.0.0.1:{port}/") as answer:
            assert answer.status == 404
    told = {
        (sample.name, *sorted(sample.labels.items())): sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
    }
    for name, value in (
        *(("records", 7), ("stalled", 0), ("commits_total", 0), ("reveals_total", 1)),
        *(
            ("panel_missing", 2),
            ("broker_up", 1),
            ("broker_connections_total", 1),
            ("journal_seconds_count", 1),
        ),
        *(("start_time_seconds", 1_800_000_000), ("reveal_seconds_sum", 7)),
    ):
        assert told[f"facedown_{name}",] == value
    assert told["facedown_reader_up", ("seat", "ada")] == 0
    assert told["facedown_reader_losses_total", ("seat", "ada")] == 1
    assert told["facedown_reader_up", ("seat", "gm")] == 1
    at_most = {le: told["facedown_journal_seconds_bucket", ("le", le)] for le in ("0.002", "0.005")}
    assert at_most == {"0.002": 0, "0.005": 1}
    assert told["facedown_reveal_seconds_bucket", ("le", "5.0")] == 0
    assert told["facedown_reveal_seconds_bucket", ("le", "+Inf")] == 1
    assert {name for _, *labels in told for name, _ in labels} == {"seat", "le", "version"}


async def test_only_known_names_are_answered() -> None:
    """As on the pages: a page of another site cannot point its name at this machine and read."""
    port = free_port()
    async with AsyncExitStack() as stack, aiohttp.ClientSession() as caller:
        await open_prometheus(stage(Counters((), lambda: 0)), Prometheus(port=port), stack)
        for name, status in (
            ("evil.example", 421),
            (f"evil.example:{port}", 421),
            ("", 421),
            (f"127.0.0.1:{port}", 200),
            (f"localhost:{port}", 200),
        ):
            url = f"http://127.0.0.1:{port}/metrics"
            async with caller.get(url, headers={"Host": name}) as answer:
                assert answer.status == status, name
                assert answer.headers["X-Content-Type-Options"] == "nosniff"
        strange = {"Origin": "http://evil.example"}
        async with caller.get(f"http://127.0.0.1:{port}/metrics", headers=strange) as answer:
            assert answer.status == 403


async def test_reasons_why_metrics_cannot_be_served(monkeypatch: pytest.MonkeyPatch) -> None:
    async with AsyncExitStack() as stack:
        with socket.create_server(("127.0.0.1", 0)) as taken:
            port = taken.getsockname()[1]
            with pytest.raises(StartError, match=r"another port under \[prometheus\]"):
                await open_prometheus(stage(Counters((), lambda: 0)), Prometheus(port=port), stack)
        monkeypatch.delitem(sys.modules, "hub.web.metrics")
        monkeypatch.setitem(sys.modules, "prometheus_client", None)
        with pytest.raises(StartError, match=r"pip install 'facedown\[prometheus\]'"):
            await open_prometheus(stage(Counters((), lambda: 0)), Prometheus(port=port), stack)
