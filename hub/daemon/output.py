"""The daemon's interface to outputs: how they are opened."""

from collections.abc import Awaitable, Callable, Iterable, Mapping
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from pathlib import Path
from socket import socket
from typing import Any

from hub.config.output_section import OutputSection, Said, SaidT_co
from hub.config.settings import Config
from hub.daemon.runner import Runner
from hub.journal import SqliteJournal
from hub.pictures.store import Pictures
from hub.ports import Publisher
from hub.readers.lamp import SeatLamps
from hub.web.console import CardBench
from hub.web.tabletop import LightSource, VirtualTable


class StartError(Exception):
    """The hub cannot start; the message says why and what to do."""


@dataclass(frozen=True)
class Stage:
    """The parts of the table that an output can use."""

    config: Config
    runner: Runner
    """Its ``inbox.ask`` takes commands (:class:`hub.ports.CommandSink`), ``lines_after`` returns
    earlier events; private views are :class:`hub.ports.PrivateViews`."""
    journal: SqliteJournal
    """Keeps an output's progress (``cursor``, ``save_cursor``) across restarts."""
    pictures: Pictures
    """Pictures of characters."""
    tabletop: VirtualTable | None = None
    """The simulated readers with their cards, if there are any."""
    file: Path | None = None
    """The configuration's file."""
    bench: CardBench | None = None
    """For writing cards."""
    lights: LightSource | None = None
    """The lights of the virtual table."""
    lamps: SeatLamps | None = None
    """Lamps of the seats' boards."""
    held: Mapping[str, socket] = field(default_factory=dict)
    """Output → a socket that already listens at its port."""


@dataclass(frozen=True)
class Opened:
    """An open output."""

    publisher: Publisher
    shown: Any = None
    """A value for the hub's caller, such as an address."""
    follow: Callable[[Callable[[Any], None]], None] | None = None
    """Registers a callback for changes of ``shown``."""


Opener = Callable[[Stage, AsyncExitStack], Awaitable[Opened]]


@dataclass(frozen=True)
class Output(OutputSection[SaidT_co]):
    """A way to show the table to others."""

    open: Callable[[Stage, SaidT_co, AsyncExitStack], Awaitable[Opened]]
    """Opens it, with its enabled section, until the stack is left. Heavy imports belong inside.
    Raises :class:`StartError`."""

    def opener(self, config: Config) -> Opener | None:
        """Opens it with its section in this configuration; None if it is not enabled there."""
        said = self.enabled_in(config)
        return None if said is None else lambda stage, stack: self.open(stage, said, stack)


def wanted(config: Config, outputs: Iterable[Output[Said]]) -> dict[str, Opener]:
    """The outputs enabled in the configuration, by their names, in order."""
    openers = ((output.name, output.opener(config)) for output in outputs)
    return {name: opener for name, opener in openers if opener is not None}
