"""What ``hub.toml`` can say, section by section; ``example.toml`` beside it explains every key."""

import re
from collections.abc import Iterator
from functools import reduce
from ipaddress import ip_address, ip_network
from pathlib import Path
from typing import Annotated, Any, Literal

from msgspec import Meta, field

from hub.books.registry import default_ruleset
from hub.daemon.logs import Format, Level
from hub.readers.kinds import parse_address
from hub.rules.countdowns import LEAST_BOXES, MOST_BOXES, Countdowns
from hub.rules.documents.sections import Hook, Section
from hub.rules.game import GM, RulesError
from hub.rules.likeness import name_fault, name_faults
from hub.table.sealed import Sealed
from hub.table.state import AtZero

MAX_PASSWORD_CHARS = 1024
_LOOPBACK = frozenset({"127.0.0.1", "::1", "localhost"})
PLAIN_PORT, TLS_PORT = 1883, 8883

_A_NAME = "1 to 32 of a-z, 0-9 and -"
_LABEL = r"[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?"
_HOST = re.compile(rf"(?=.{{1,253}}\Z){_LABEL}(\.{_LABEL})*\.?")

Name = Annotated[str, Meta(pattern=r"^[a-z0-9-]{1,32}\Z", description=_A_NAME)]
Actor = Annotated[
    str,
    Meta(
        pattern=r"^[^\x00-\x1f\x7f]{1,64}\Z",
        description="a name of at most 64 printable characters",
    ),
]
Title = Annotated[
    str,
    Meta(
        pattern=r"^[^\x00-\x1f\x7f-\x9f\u2028\u2029]{0,80}\Z",
        description="one line of at most 80 characters",
    ),
]
FilePath = Annotated[Path, Meta(description="the path of a file")]
Host = Annotated[str, Meta(min_length=1, description="a host's name or address")]
Port = Annotated[int, Meta(ge=1, le=65535, description="a port, from 1 to 65535")]
Warnings = Annotated[
    tuple[Annotated[float, Meta(gt=0, le=3600)], ...],
    Meta(max_length=16, description="at most 16 numbers of seconds, such as [10, 5]"),
]


def _seconds(least: float, most: float) -> Any:
    return Meta(ge=least, le=most, description=f"a number of seconds from {least} to {most}")


class Table(Section, frozen=True, kw_only=True):
    """``[table]``"""

    name: Name
    journal: FilePath
    deck: FilePath

    def faults(self) -> Iterator[tuple[str, str]]:
        """The deck and the journal's folder have to be there."""
        yield from _missing(deck=self.deck)
        if not self.journal.parent.is_dir():
            yield "journal", f"lies in {self.journal.parent}, which is no folder; make it first"
        if (fault := name_fault(self.name)) is not None:
            yield "name", str(fault)


class Seat(Section, frozen=True, kw_only=True):
    """``[[seat]]``"""

    name: Name
    reader: Annotated[str, Meta(description='"pn532:/dev/serial/by-id/…" or "sim:NAME"')]
    """For :func:`hub.readers.kinds.parse_address`, which has accepted it."""
    characters: Annotated[
        tuple[Actor, ...], Meta(min_length=1, description='a list of names, such as ["ada"]')
    ] = ()
    gm: bool = False
    """Whether it plays everybody whom no seat names."""
    cards: Annotated[
        tuple[Name, ...], Meta(description='a list of sets of the deck, such as ["ada"]')
    ] = ()
    """Sets of the deck that belong to this seat: no other seat's reader takes them."""

    def faults(self) -> Iterator[tuple[str, str]]:
        """The reader's address has to be one, and somebody has to be played."""
        try:
            parse_address(self.reader)
        except ValueError as error:
            yield "reader", f"is wrong: {error}"
        for name, fault in name_faults(self.characters):
            yield "characters", f"has {name!a}, which {fault}"
        if GM in self.characters:
            yield "characters", f"has {GM}, who is no character; name the characters the GM plays"
        if not self.characters and not self.gm:
            yield "characters", 'is missing; it must be a list of names, such as ["ada"]'


class Timing(Section, frozen=True, kw_only=True):
    """``[timing]``"""

    dwell_s: Annotated[float, _seconds(0, 5)] = 0.3
    reveal_delay_s: Annotated[float, _seconds(0, 60)] = 1
    commit_s: Annotated[float, _seconds(0, 3600)] = 0
    """0: no commit timer."""
    warnings_s: Warnings = ()
    """How long before the end of the commit timer the clocks warn."""
    at_zero: Annotated[AtZero, Meta(description='"nothing" or "gm-decides"')] = AtZero.NOTHING
    """What follows when the commit timer runs out."""

    def faults(self) -> Iterator[tuple[str, str]]:
        """Warnings come before the end, and there has to be one for something to follow."""
        if self.commit_s and max(self.warnings_s, default=0) >= self.commit_s:
            yield "warnings_s", f"must lie within the commit timer's {self.commit_s:g} s"
        if self.at_zero is not AtZero.NOTHING and not self.commit_s:
            yield "at_zero", "says what follows the commit timer; set commit_s, or leave it out"


class SceneFile(Section, frozen=True, kw_only=True):
    """``[scene]``"""

    file: FilePath

    def faults(self) -> Iterator[tuple[str, str]]:
        """The file has to be there."""
        yield from _missing(file=self.file)


MOST_CHARACTERS = 64
"""As many as a conflict can have."""


class CountdownHead(Section, frozen=True, kw_only=True):
    """``[[story.countdown]]``"""

    name: Actor
    boxes: Annotated[
        int,
        Meta(ge=LEAST_BOXES, le=MOST_BOXES, description=f"from {LEAST_BOXES} to {MOST_BOXES}"),
    ]


class StoryFiles(Section, frozen=True, kw_only=True):
    """``[story]``"""

    characters: Annotated[
        tuple[FilePath, ...],
        Meta(
            min_length=1,
            max_length=MOST_CHARACTERS,
            description='a list of character files, such as ["marit.toml"]',
        ),
    ]
    reserve: Annotated[
        tuple[FilePath, ...],
        Meta(
            max_length=MOST_CHARACTERS,
            description='a list of character files, such as ["odo.toml"]',
        ),
    ] = ()
    """Fresh characters that wait to replace somebody."""
    rules: FilePath | None = None
    """A file of house rules, by which the story is played."""
    countdowns: Annotated[
        tuple[CountdownHead, ...], Meta(description="a [[story.countdown]] for each")
    ] = field(default=(), name="countdown")

    def faults(self) -> Iterator[tuple[str, str]]:
        """The files have to be there."""
        for key in ("characters", "reserve"):
            for file in getattr(self, key):
                yield from _missing(**{key: file})
        yield from _missing(rules=self.rules)
        try:
            reduce(lambda all_, one: all_.begin(one.name, one.boxes), self.countdowns, Countdowns())
        except RulesError as error:
            yield "countdown", f"cannot begin: {error}"
        for name, fault in name_faults(one.name for one in self.countdowns):
            yield "countdown", f"cannot begin: {name!a} {fault}"


class SceneHead(Section, frozen=True, kw_only=True):
    """What every scene file says, whatever its ruleset."""

    title: Title = ""
    ruleset: str = default_ruleset()
    rules: FilePath | None = None
    """A file of house rules, by which the scene is played."""

    def faults(self) -> Iterator[tuple[str, str]]:
        """The file has to be there."""
        if self.rules is not None:
            yield from _missing(rules=self.rules)


class Tls(Section, frozen=True, kw_only=True):
    """``[mqtt.tls]``"""

    ca: FilePath | None = None
    """None: whom this machine trusts."""
    cert: FilePath | None = None
    key: FilePath | None = None

    def faults(self) -> Iterator[tuple[str, str]]:
        """The files have to be there, and cert goes with key."""
        yield from _missing(ca=self.ca, cert=self.cert, key=self.key)
        if (self.cert is None) != (self.key is None):
            yield "key" if self.cert is None else "cert", "needs cert and key, both or neither"


class Mqtt(Section, frozen=True, kw_only=True):
    """``[mqtt]``"""

    enabled: bool = False
    host: Host = "127.0.0.1"
    port: Port | None = None
    """None: the usual one, see :attr:`broker_port`."""
    username: str = ""
    password: Sealed[str] | None = None
    """Also when it came from ``password_file``."""
    password_file: FilePath | None = None
    tls: Tls | None = None
    protocol: Annotated[Literal["3.1.1", "5"], Meta(description='"3.1.1" or "5"')] = "3.1.1"
    commands: bool = False
    embedded: bool = False
    """Whether the hub runs a broker of its own, on loopback."""

    @property
    def broker_port(self) -> int:
        """The port to connect to."""
        return self.port or (TLS_PORT if self.tls else PLAIN_PORT)

    def faults(self) -> Iterator[tuple[str, str]]:
        """Who may say what to the broker, and where it runs."""
        yield from _bad_host(host=self.host)
        if self.password_file and read_password(self.password_file) is None:
            yield "password_file", "must hold a password in its first line that this user can read"
        has_password = self.password is not None or self.password_file is not None
        if self.password is not None and self.password_file is not None:
            yield "password", "stands beside password_file; keep one of them"
        if has_password and not self.username:
            yield "password" if self.password else "password_file", "needs a username"
        known = self.username or (self.tls and self.tls.cert)
        if self.commands and not known:
            yield (
                "commands",
                (
                    "needs a broker that knows who its clients are: set username and password, or "
                    "cert and key under [mqtt.tls], or leave commands off"
                ),
            )
        if self.embedded and (self.tls or known or self.host not in _LOOPBACK):
            yield (
                "embedded",
                (
                    "is a broker on 127.0.0.1 without passwords: leave host, username, password "
                    "and tls out"
                ),
            )


class Web(Section, frozen=True, kw_only=True):
    """``[web]``"""

    enabled: bool = True
    host: Host = "127.0.0.1"
    port: Annotated[int, Meta(ge=0, le=65535, description="a port, or 0 for any free one")] = 8080
    hosts: Annotated[tuple[Host, ...], Meta(description='names, such as ["table.local"]')] = ()
    proxies: Annotated[
        tuple[str, ...],
        Meta(max_length=32, description='addresses or networks, such as ["127.0.0.1"]'),
    ] = ()
    """Who is believed when it says for whom it calls."""

    def faults(self) -> Iterator[tuple[str, str]]:
        """Names have to be names, and not everybody can be believed."""
        yield from _bad_host(host=self.host)
        for proxy in self.proxies:
            yield from _bad_proxy(proxy)
        for name in self.hosts:
            yield from _bad_host(hosts=name)


class Log(Section, frozen=True, kw_only=True):
    """``[log]``"""

    level: Annotated[Level, Meta(description='"debug", "info", "warning" or "error"')] = "info"
    format: Annotated[Format, Meta(description='"auto", "plain" or "keys"')] = "auto"


class Config(Section, frozen=True, kw_only=True):
    """A whole ``hub.toml``. Paths are absolute."""

    table: Annotated[Table, Meta(description="a section [table]")]
    seats: Annotated[
        tuple[Seat, ...], Meta(min_length=1, description="a [[seat]] for each reader")
    ] = field(name="seat")
    scene: SceneFile | None = None
    story: StoryFiles | None = None
    timing: Timing = Timing()
    mqtt: Mqtt = Mqtt()
    web: Web = Web()
    log: Log = Log()

    @property
    def gm_seat(self) -> str | None:
        """The seat that plays everybody whom no seat names."""
        return next((seat.name for seat in self.seats if seat.gm), None)

    @property
    def sets(self) -> dict[str, tuple[str, ...]]:
        """Seat → the sets of the deck that belong to it."""
        return {seat.name: seat.cards for seat in self.seats}

    def plays(self, actor: str) -> bool:
        """Whether some seat plays ``actor``."""
        return bool(self.gm_seat) or any(actor in seat.characters for seat in self.seats)


def started_from(file: Path) -> Hook:
    """Makes paths, which start from the folder of ``file``, and sealed texts."""
    folder = file.absolute().parent

    def hook(kind: Any, given: Any) -> Any:
        if not isinstance(given, str) or not given or "\0" in given:
            raise ValueError
        return folder / given if kind is Path else Sealed(given)

    return hook


def _missing(**files: Path | None) -> Iterator[tuple[str, str]]:
    for key, file in files.items():
        if file is not None and not file.is_file():
            yield key, f"names {str(file)!a}, where there is no file"


def _bad_host(**hosts: str) -> Iterator[tuple[str, str]]:
    for key, host in hosts.items():
        try:
            ip_address(host)
        except ValueError:
            if not _HOST.fullmatch(host) or host.replace(".", "").isdigit():
                yield key, f"has {host!a}, which is neither a host's name nor an address"


def _bad_proxy(proxy: str) -> Iterator[tuple[str, str]]:
    try:
        network = ip_network(proxy)
    except ValueError:
        wanted = "an address nor a network such as 192.168.1.0/24"
        yield "proxies", f"has {proxy[:64]!a}, which is neither {wanted}"
        return
    if network.prefixlen == 0:
        yield "proxies", f"has {proxy!a}, which is everybody; name the proxies that you run"


def read_password(file: Path) -> Sealed[str] | None:
    """The first line of a file; None if there is none, it is too long or cannot be read."""
    try:
        with file.open(encoding="utf-8") as lines:
            password = lines.readline(MAX_PASSWORD_CHARS + 1).rstrip("\n")
    except (OSError, ValueError):
        return None
    return Sealed(password) if 0 < len(password) <= MAX_PASSWORD_CHARS else None
