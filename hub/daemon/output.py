"""The daemon's interface to outputs: how they are opened."""

from collections.abc import Awaitable, Callable, Iterable, Mapping
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hub.config.output_section import OutputSection, Said, SaidT_co
from hub.config.settings import Config
from hub.world import MACHINE, World

if TYPE_CHECKING:  # commands that only check a configuration start in half the time without these
    from socket import socket

    from hub.daemon.runner import Runner
    from hub.journal import SqliteJournal
    from hub.pictures.store import Pictures
    from hub.ports import Publisher
    from hub.readers.lamp import SeatLamps
    from hub.web.bench import CardBench
    from hub.web.tabletop import LightSource, VirtualTable


class StartError(Exception):
    """The hub cannot start; the message says why and what to do."""


@dataclass(frozen=True)
class Stage:
    """The parts of the running table that an output can use."""

    config: Config
    runner: "Runner"
    """The table's runner, a :class:`hub.ports.PrivateViews`. Its ``inbox.ask`` takes commands
    (:class:`hub.ports.CommandSink`), ``lines_after`` returns earlier log lines."""
    journal: "SqliteJournal"
    """The journal. It keeps an output's progress (``cursor``, ``save_cursor``) across restarts."""
    pictures: "Pictures"
    """The stored pictures of characters."""
    tabletop: "VirtualTable | None" = None
    """The simulated readers with their cards, if there are any."""
    file: Path | None = None
    """The file of the configuration; None for a table without one."""
    family: str | None = None
    """The family of rules that the table is prepared for; None if that is open."""
    bench: "CardBench | None" = None
    """The bench where the GM writes cards; None if there is none."""
    lights: "LightSource | None" = None
    """The lights of the virtual table; None without one."""
    lamps: "SeatLamps | None" = None
    """The lamps of the seats' boards."""
    held: "Mapping[str, socket]" = field(default_factory=dict)
    """Output → a socket that already listens at its port."""
    world: World = MACHINE
    """The machine that the table runs on."""


@dataclass(frozen=True)
class Opened:
    """An open output: its publisher, and the value that it shows."""

    publisher: "Publisher"
    shown: Any = None
    """A value for the hub's caller, such as an address."""
    follow: Callable[[Callable[[Any], None]], None] | None = None
    """Registers a callback for changes of ``shown``."""


Opener = Callable[[Stage, AsyncExitStack], Awaitable[Opened]]


@dataclass(frozen=True)
class Output(OutputSection[SaidT_co]):
    """A way to show the table to others: its section in the configuration, and how to open it."""

    open: Callable[[Stage, SaidT_co, AsyncExitStack], Awaitable[Opened]]
    """A function that opens the output with its enabled section, until the stack is left. Heavy
    imports belong inside. Raises :class:`StartError`."""

    def opener(self, config: Config) -> Opener | None:
        """A function that opens the output with its section in ``config``; None if the output is
        not enabled there."""
        said = self.enabled_in(config)
        return None if said is None else lambda stage, stack: self.open(stage, said, stack)


def wanted(config: Config, outputs: Iterable[Output[Said]]) -> dict[str, Opener]:
    """Name → opener, for the outputs enabled in the configuration, in the order of ``outputs``."""
    openers = ((output.name, output.opener(config)) for output in outputs)
    return {name: opener for name, opener in openers if opener is not None}
