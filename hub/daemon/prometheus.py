"""Wiring of the output for Prometheus."""

from collections.abc import Iterator
from contextlib import AsyncExitStack

from hub.config.values import Host, Port, bad_host
from hub.daemon.output import Opened, Output, Stage, StartError
from hub.kernel.documents.sections import Section
from hub.kernel.reasons import Reason


class Prometheus(Section, frozen=True, kw_only=True):
    """``[prometheus]``: where Prometheus can read the hub's health."""

    enabled: bool = False
    host: Host = "127.0.0.1"
    port: Port = 9464
    """The port; the default is that of OpenTelemetry's exporters."""

    def faults(self) -> Iterator[tuple[str, Reason]]:
        """A fault unless the host is valid."""
        yield from bad_host(host=self.host)


async def open_prometheus(stage: Stage, said: Prometheus, stack: AsyncExitStack) -> Opened:
    """Serve the metrics until ``stack`` is left. Raises :class:`StartError`."""
    try:
        from hub.web.metrics import Metrics
    except ImportError:
        raise StartError(
            "[prometheus] needs a library: python -m pip install 'facedown[prometheus]'"
        ) from None
    metrics = Metrics(said.host, said.port, stage.runner.health)
    try:
        await stack.enter_async_context(metrics)
    except OSError as error:
        raise StartError(
            f"Prometheus cannot be answered at {said.host}:{said.port} ({error.strerror}); choose "
            "another port under [prometheus]"
        ) from None
    return Opened(metrics)


PROMETHEUS = Output("prometheus", Prometheus, open_prometheus)
