"""Writes the folder of a new table: a configuration, a deck and characters that fit together."""

import os
import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory

from msgspec import Struct
from msgspec.structs import replace

from hub.cards.deck import Deck, write_deck
from hub.cards.making import Hand, added
from hub.config.loader import load_table
from hub.config.mqtt import PLAIN_PORT
from hub.config.output_section import OutputSections
from hub.games import registry
from hub.games.dealing import needs_later, needs_of_table
from hub.games.family import Sheet, Starter
from hub.games.files import keep_aside
from hub.games.sheets import sheets_of
from hub.kernel.faults import Fault, Faulty
from hub.table.sealed import Sealed
from hub.themes import OURS

LEAST_SEATS, MOST_SEATS = 2, 16
"""The fewest seats (a player and the GM), and the most that the defaults support."""

PLAYERS = (
    "Ada", "Bo", "Cleo", "Dov", "Esme", "Finn", "Gwen", "Hal",
    "Ines", "Jory", "Kit", "Lena", "Milo", "Nell", "Otto",
)  # fmt: skip

GM_SEAT = "gm"
CONFIG_FILE = "hub.toml"
_CA_FILE = "broker-ca.pem"
_PASSWORD_FILE = "mqtt.secret"  # noqa: S105 - a file's name
_NO_MQTT = """\
enabled = false                 # true: clocks and dashboards hear of the table
host = "127.0.0.1"
"""
_HEAD = """\
# The table {name}. `facedown example-config` explains every key; `facedown check-config` checks it.

[table]
name = "{name}"
journal = "{name}.journal"{pad}# made at the first start; holds sealed cards: keep it private
deck = "deck.toml"              # which card each tag stands for
{evening}
# A seat's reader is a PN532 board, "pn532:/dev/serial/by-path/…", or a simulated one, "sim:NAME",
# which the virtual table shows in the browser. Both can be mixed.
"""

_SEAT = """\
[[seat]]
name = "{name}"
reader = "{reader}"
"""

_REST = """\
gm = true                       # also plays everybody whom no seat names

[story]                         # what lasts between scenes; the GM describes scenes on the console
characters = [
{sheets}]

[timing]
dwell_s = 0.3                   # a card rests this long before it is sealed
reveal_delay_s = 1              # from the last seal to the reveal

[mqtt]
{mqtt}
[web]
host = "{host}"{pad}# 0.0.0.0: phones in this network may open the pages
port = {port}
theme = "{theme}"
"""


def rulesets() -> list[str]:
    """The rulesets that a table can begin with."""
    starters = (family.starter for family in registry.FAMILIES)
    return [ruleset for starter in starters if starter for ruleset in starter.RULESETS]


def starter_of(ruleset: str) -> Starter:
    """The starter of this ruleset's family, or else that of another, which refuses the ruleset."""
    return registry.face_of(ruleset, lambda family: family.starter)


class Place(Struct, frozen=True, kw_only=True):
    """A seat of the new table, its reader, and its characters."""

    name: str
    playing: tuple[Sheet, ...]
    reader: str


class Broker(Struct, frozen=True, kw_only=True):
    """The broker that the table reports to."""

    host: str = "127.0.0.1"
    port: int = PLAIN_PORT
    tls: bool = False
    ca: str = ""
    """The certificate (PEM) of the authority that signed the broker's certificate; empty: an
    authority that this machine trusts. It is written into a separate file."""
    username: str = ""
    password: Sealed[str] | None = None


class Plan(Struct, frozen=True, kw_only=True):
    """The plan of a new table; :mod:`hub.setup` makes only valid ones."""

    name: str
    """The table's name, for topics and files: of a-z, 0-9 and -."""
    ruleset: str
    seats: tuple[Place, ...]
    """All seats of the table; the GM's is the last."""
    evening: str = ""
    language: str = ""
    """The table's language; empty: the terminal's."""
    deck: str | None = None
    """The text of the deck's file; None: a new deck is made."""
    broker: Broker | None = None
    phones: bool = False
    """Whether other machines may open the pages."""
    port: int = 8080
    theme: str = OURS[0]


def files_of(plan: Plan) -> dict[str, str | Deck]:
    """Path in the folder → content, for every file of the new table."""
    written = sheets_of(plan.ruleset)
    cast = [sheet for seat in plan.seats for sheet in seat.playing]
    names = slugs(sheet.name for sheet in cast)
    sheets = {f"characters/{name}.toml": each for name, each in zip(names, cast, strict=True)}
    files: dict[str, str | Deck] = {
        CONFIG_FILE: _config(plan, [*sheets]),
        "deck.toml": _deck(plan.ruleset, {seat.name: seat.playing for seat in plan.seats})
        if plan.deck is None
        else plan.deck,
        **{path: written.write_sheet(sheet) for path, sheet in sheets.items()},
    }
    if plan.broker and plan.broker.password:
        files[_PASSWORD_FILE] = f"{plan.broker.password.unseal()}\n"
    if plan.broker and plan.broker.ca:
        files[_CA_FILE] = plan.broker.ca
    return files


def write_folder(folder: Path, files: Mapping[str, str | Deck], outputs: OutputSections) -> None:
    """Write all of ``files`` or none, checked together as `facedown check-config` does.

    Only their owner can read the files. Raises :class:`OSError`, and :class:`Faulty`.
    """
    there = [path for path in (folder, *folder.parents) if not path.exists()]
    moved: list[tuple[Path, Path | None]] = []
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with TemporaryDirectory(prefix=".init-", dir=folder) as made:
            aside = Path(made) / "before"
            new = Path(made) / "new"
            for name, content in files.items():
                path = new / name
                path.parent.mkdir(parents=True, exist_ok=True)
                if isinstance(content, Deck):
                    write_deck(path, content)
                else:
                    _write(path, content)
            try:
                load_table(new / CONFIG_FILE, outputs)
            except Faulty as error:
                raise Faulty(*(_moved(fault, new, folder) for fault in error.faults)) from None
            try:
                for name in files:
                    path, old = folder / name, aside / name
                    path.parent.mkdir(parents=True, exist_ok=True)
                    old.parent.mkdir(parents=True, exist_ok=True)
                    had = path.exists()
                    if had:
                        keep_aside(path, old)
                    moved.append((path, old if had else None))
                    (new / name).replace(path)  # if killed here, the folder has either file
            except BaseException:  # including Ctrl-C: undo everything
                for path, before in reversed(moved):
                    if before is not None:
                        before.replace(path)
                    else:
                        path.unlink(missing_ok=True)
                raise
    except BaseException:
        for each in [folder / "characters", *there]:
            with suppress(OSError):  # not empty, so it was in use before
                each.rmdir()
        raise


def _moved(fault: Fault, new: Path, folder: Path) -> Fault:
    return replace(fault, file=fault.file.replace(str(new), str(folder)))


def _write(path: Path, text: str) -> None:
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(handle, "w", encoding="utf-8") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())


def plain_name(text: str) -> str:
    """``text`` as a name of at most 24 characters, of a-z, 0-9 and -; empty if no character is
    usable."""
    letters = unicodedata.normalize("NFKD", text.casefold()).encode("ascii", "ignore").decode()
    return re.sub(r"[^a-z0-9]+", "-", letters).strip("-")[:24].rstrip("-")


def slugs(names: Iterable[str], taken: Iterable[str] = (GM_SEAT,)) -> list[str]:
    """For each of ``names``, a name of a-z, 0-9 and - for its file and seat. All are different, and
    none is in ``taken``."""
    found: list[str] = []
    for index, name in enumerate(names, start=1):
        slug = plain_name(name)
        if not slug or slug in {*taken, *found}:
            slug = f"seat-{index}"
        found.append(slug)
    return found


def _config(plan: Plan, sheets: Sequence[str]) -> str:
    blocks = [
        _SEAT.format(name=seat.name, reader=seat.reader) + _playing(seat) for seat in plan.seats
    ]
    host = "0.0.0.0" if plan.phones else "127.0.0.1"  # noqa: S104 - who asks for it wants it
    rest = _REST.format(
        sheets="".join(f'    "{path}",\n' for path in sheets),
        mqtt=_mqtt(plan.broker),
        host=host,
        pad=" " * (23 - len(host)),
        port=plan.port,
        theme=plan.theme,
    )
    evening = f"evening = {quoted(plan.evening)}\n" if plan.evening else ""
    spoken = f"language = {quoted(plan.language)}\n" if plan.language else ""
    pad = " " * max(1, 12 - len(plan.name))
    head = _HEAD.format(name=plan.name, pad=pad, evening=evening + spoken)
    return head + "\n".join(blocks) + rest


def _playing(seat: Place) -> str:
    """The seat's characters; empty for a GM's seat whose foes have no sheets."""
    names = ", ".join(quoted(each.name) for each in seat.playing)
    return f"characters = [{names}]\n" if names else ""


def _mqtt(broker: Broker | None) -> str:
    if broker is None:
        return _NO_MQTT
    lines = ["enabled = true", f"host = {quoted(broker.host)}", f"port = {broker.port}"]
    if broker.username:
        lines.append(f"username = {quoted(broker.username)}")
    if broker.password:
        lines.append(f'password_file = "{_PASSWORD_FILE}"')
    if broker.tls:
        lines += ["", "[mqtt.tls]", *([f'ca = "{_CA_FILE}"'] if broker.ca else [])]
    return "\n".join(lines) + "\n"


def quoted(name: str) -> str:
    """The text as a TOML string, in quotation marks."""
    return '"' + name.replace("\\", "\\\\").replace('"', '\\"') + '"'


def _deck(ruleset: str, seats: Mapping[str, Sequence[Sheet]]) -> Deck:
    hands = [
        Hand(seat, tuple(playing), tuple(needs_later(ruleset, playing)))
        for seat, playing in seats.items()
    ]
    needs = tuple(needs_of_table(ruleset, {}))
    return added(Deck(), [Hand("", (), needs), *hands] if needs else hands)[0]
