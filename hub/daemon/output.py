"""The daemon's interface to outputs: how the configuration names them, and how they are opened."""

from collections.abc import Awaitable, Callable, Mapping
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from pathlib import Path
from socket import socket
from typing import Annotated, Any, cast

from msgspec import defstruct
from msgspec.structs import fields

from hub.config.settings import Config
from hub.daemon.runner import Runner
from hub.journal import SqliteJournal
from hub.kernel.documents.sections import Section, must_be
from hub.kernel.reasons import Reason
from hub.pictures.store import Pictures
from hub.ports import Publisher
from hub.readers.lamp import SeatLamps
from hub.web.lights import LightSource
from hub.web.tabletop import VirtualTable
from hub.web.workbench import CardBench


class StartError(Exception):
    """The hub cannot start; the message says why and what to do."""


@dataclass(frozen=True)
class Stage:
    """The parts of the table that an output can use."""

    config: Config
    runner: Runner
    """Its ``inbox.ask`` takes commands (:class:`hub.ports.CommandSink`), ``lines_after`` returns
    earlier events; private views are :class:`hub.ports.Backstage`."""
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


@dataclass(frozen=True)
class Output:
    """A way to show the table to others."""

    section: type[Section]
    """Type of its section in the configuration, which has a key ``enabled``."""
    open: Callable[[Stage, AsyncExitStack], Awaitable[Opened]]
    """Opens it until the stack is left. Called only if enabled; heavy imports belong inside. Raises
    :class:`StartError`."""
    several: bool = False
    """Whether it has a ``[[section]]`` for each instance."""


def with_outputs(outputs: Mapping[str, Output]) -> type[Config]:
    """The configuration type, with a section for each output."""
    own = {field.name for field in fields(Config)}
    more = [
        (name, _many(name, output.section), ())
        if output.several
        else (name, output.section | None, None)
        for name, output in outputs.items()
        if name not in own
    ]
    if not more:
        return Config
    made = defstruct("Config", more, bases=(Config,), frozen=True, kw_only=True)
    return cast("type[Config]", made)


def _many(name: str, section: Any) -> Any:
    return Annotated[tuple[section, ...], must_be(Reason("an-entry-each", key=name))]


def wanted(config: Config, outputs: Mapping[str, Output]) -> dict[str, Output]:
    """The outputs enabled in the configuration, in order."""
    sections = {name: getattr(config, name, None) for name in outputs}
    return {name: outputs[name] for name, said in sections.items() if said and _on(said)}


def _on(said: Any) -> bool:
    return any(each.enabled for each in said) if isinstance(said, tuple) else said.enabled
