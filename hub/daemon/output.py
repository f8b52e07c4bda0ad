"""What an output is to the daemon: how it is named in a table file, and how it is opened."""

from collections.abc import Awaitable, Callable, Mapping
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from pathlib import Path
from socket import socket
from typing import Annotated, Any, cast

from msgspec import defstruct
from msgspec.structs import fields

from hub.daemon.runner import Runner
from hub.daemon.settings import Config
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
    """What an output can use of the table that it shows."""

    config: Config
    runner: Runner
    """Its ``inbox.ask`` takes commands (:class:`hub.ports.CommandSink`), ``lines_after`` gives
    events again; what single people may see is :class:`hub.ports.Backstage`."""
    journal: SqliteJournal
    """Keeps how far an output is (``cursor``, ``save_cursor``) over a restart."""
    pictures: Pictures
    """Of characters."""
    tabletop: VirtualTable | None = None
    """The simulated readers with their cards, if there are any."""
    file: Path | None = None
    """The configuration's."""
    bench: CardBench | None = None
    """Where cards are written."""
    lights: LightSource | None = None
    """What shines at the virtual table."""
    lamps: SeatLamps | None = None
    """Those of the seats' boards."""
    held: Mapping[str, socket] = field(default_factory=dict)
    """Output → a socket that listens at its port already, if there is one."""


@dataclass(frozen=True)
class Opened:
    """An output that is open."""

    publisher: Publisher
    shown: Any = None
    """What whoever started the hub is told of it, such as an address."""
    follow: Callable[[Callable[[Any], None]], None] | None = None
    """Names whom to tell of that again whenever it has changed."""


@dataclass(frozen=True)
class Output:
    """A way to show the table to others."""

    section: type[Section]
    """What its section of a table file can say; it has a key ``enabled``."""
    open: Callable[[Stage, AsyncExitStack], Awaitable[Opened]]
    """Open it until the stack is left. Called where it is wanted; heavy imports belong in there.
    Raises :class:`StartError`."""
    several: bool = False
    """Whether its section is one of several: a ``[[section]]`` for each."""


def with_outputs(outputs: Mapping[str, Output]) -> type[Config]:
    """What a table file can say, with a section for each output."""
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
    """Those that the table file turns on, in their order."""
    sections = {name: getattr(config, name, None) for name in outputs}
    return {name: outputs[name] for name, said in sections.items() if said and _on(said)}


def _on(said: Any) -> bool:
    return any(each.enabled for each in said) if isinstance(said, tuple) else said.enabled
