"""A folder to start a table from: a configuration, a deck and characters that fit together."""

import os
import re
import unicodedata
from collections.abc import Mapping, Sequence
from pathlib import Path

from msgspec import Struct

from hub.books import registry
from hub.books.dealing import needs_later
from hub.books.family import Sheet, Starter
from hub.books.sheets import sheets_of
from hub.cards.deck import Deck, write_deck
from hub.cards.making import Hand, added
from hub.rules.faults import MAX_NAME_CHARS, is_name
from hub.rules.game import GM
from hub.rules.likeness import alike_fault, name_fault

LEAST_SEATS, MOST_SEATS = 2, 16
"""A player and the GM; the largest table that the defaults are made for."""

PLAYERS = (
    "Ada", "Bo", "Cleo", "Dov", "Esme", "Finn", "Gwen", "Hal",
    "Ines", "Jory", "Kit", "Lena", "Milo", "Nell", "Otto",
)  # fmt: skip
"""What the players' characters are called if nobody says."""

_GM_SEAT = "gm"
_HEAD = """\
# The table {name}. `facedown example-config` explains every key; `facedown check-config` checks it.

[table]
name = "{name}"
journal = "{name}.journal"{pad}# made at the first start; holds sealed cards: keep it private
deck = "deck.toml"              # which card each tag stands for

# A seat's reader is a PN532 board, "pn532:/dev/serial/by-id/…", or a simulated one, "sim:NAME",
# which the virtual table shows in the browser. Both can be mixed.
"""

_SEAT = """\
[[seat]]
name = "{name}"
reader = "{reader}"
characters = [{characters}]
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
enabled = false                 # true: clocks and dashboards hear of the table
host = "127.0.0.1"

[web]
host = "{host}"{pad}# 0.0.0.0: phones in this network may open the pages
port = 8080
"""


def rulesets() -> list[str]:
    """Those that a table can begin with."""
    starters = (family.starter for family in registry.FAMILIES)
    return [ruleset for starter in starters if starter for ruleset in starter.RULESETS]


def starter_of(ruleset: str) -> Starter:
    """What a table of this ruleset begins with."""
    return registry.face_of(ruleset, lambda family: family.starter)


class Plan(Struct, frozen=True, kw_only=True):
    """What somebody wants at their table."""

    seats: int
    """The GM's among them."""
    ruleset: str
    name: str = "table"
    players: tuple[str, ...] = ()
    """What the players' characters are called; for the others :data:`PLAYERS` is read on."""
    readers: tuple[str, ...] = ()
    """Addresses for the seats in their order; the others' readers are simulated."""
    phones: bool = False
    """Whether other machines may open the pages."""

    def problems(self) -> list[str]:
        """Everything that is wrong with it."""
        found = []
        if not LEAST_SEATS <= self.seats <= MOST_SEATS:
            found.append(
                f"{self.seats} seats: a table has {LEAST_SEATS} to {MOST_SEATS}, the GM's among "
                "them"
            )
        if self.ruleset not in rulesets():
            found.append(f"no ruleset {self.ruleset[:40]!a}; there are {', '.join(rulesets())}")
        if not re.fullmatch(r"[a-z0-9-]{1,32}", self.name):
            found.append(f"the name {self.name[:40]!a}: a table's has 1 to 32 of a-z, 0-9 and -")
        if len(self.players) > self.seats - 1:
            found.append(f"{len(self.players)} players, but {self.seats - 1} seats beside the GM's")
        if len(self.readers) > self.seats:
            found.append(f"{len(self.readers)} readers, but {self.seats} seats")
        names = [each.name for each in starter_of(self.ruleset).npcs(self.ruleset)]
        taken = {name.casefold() for name in names} | {GM}
        for player in self.players:
            if not is_name(player):
                found.append(
                    f"the player {player[:40]!a}: a name is printable, of 1 to {MAX_NAME_CHARS} "
                    "characters"
                )
            elif player.casefold() in taken:
                found.append(f"the name {player} is taken; choose another")
            elif fault := name_fault(player) or alike_fault(player, names):
                found.append(f"the player {player[:40]!a} {fault}")
            names.append(player)
            taken.add(player.casefold())
        return found

    def cast(self) -> list[Sheet]:
        """The players' characters, fresh by the book, and the GM's."""
        starter = starter_of(self.ruleset)
        taken = {name.casefold() for name in self.players}
        spare = [name for name in PLAYERS if name.casefold() not in taken]
        names = [*self.players, *spare][: self.seats - 1]
        fresh = [starter.fresh(self.ruleset, name, index) for index, name in enumerate(names)]
        return [*fresh, *starter.npcs(self.ruleset)]


def files_of(plan: Plan) -> dict[str, str | Deck]:
    """The content of every file of the folder, by its path there. Raises :class:`ValueError` with
    a line for each problem of the plan."""
    if problems := plan.problems():
        raise ValueError("\n".join(problems))
    cast, written = plan.cast(), sheets_of(plan.ruleset)
    sheets = {f"characters/{slug}.toml": sheet for slug, sheet in _slugged(cast).items()}
    seats = _seats(cast)
    return {
        "hub.toml": _config(plan, seats, [*sheets]),
        "deck.toml": _deck(plan.ruleset, seats),
        **{path: written.write_sheet(sheet) for path, sheet in sheets.items()},
    }


def write_folder(folder: Path, files: Mapping[str, str | Deck]) -> None:
    """Write all of ``files`` or, if one cannot be written, none of those that were not there.

    Files are the owner's alone: sheets of the GM and the deck are nobody else's business. Raises
    :class:`OSError`.
    """
    made: list[Path] = []
    try:
        for name, content in files.items():
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            if not path.exists():
                made.append(path)
            if isinstance(content, Deck):
                write_deck(path, content)
                continue
            handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
            with os.fdopen(handle, "w", encoding="utf-8") as file:
                file.write(content)
    except OSError:
        for path in made:
            path.unlink(missing_ok=True)
        raise


def plain_name(text: str) -> str:
    """The text as a name of at most 24 of a-z, 0-9 and -; empty if nothing of it can stand."""
    letters = unicodedata.normalize("NFKD", text.casefold()).encode("ascii", "ignore").decode()
    return re.sub(r"[^a-z0-9]+", "-", letters).strip("-")[:24].rstrip("-")


def _slugged(cast: Sequence[Sheet]) -> dict[str, Sheet]:
    """Each with a name for its file and seat: of a-z, 0-9 and -, and nobody else's."""
    found: dict[str, Sheet] = {}
    for index, sheet in enumerate(cast, start=1):
        slug = plain_name(sheet.name)
        if not slug or slug == _GM_SEAT or slug in found:
            slug = f"seat-{index}"
        found[slug] = sheet
    return found


def _seats(cast: Sequence[Sheet]) -> dict[str, list[Sheet]]:
    """Seat → whom it plays."""
    players = {slug: [sheet] for slug, sheet in _slugged(cast).items() if not sheet.npc}
    return {**players, _GM_SEAT: [sheet for sheet in cast if sheet.npc]}


def _config(plan: Plan, seats: Mapping[str, Sequence[Sheet]], sheets: Sequence[str]) -> str:
    readers = [*plan.readers, *(f"sim:{seat}" for seat in [*seats][len(plan.readers) :])]
    blocks = [
        _SEAT.format(
            name=seat, reader=reader, characters=", ".join(_quoted(each.name) for each in playing)
        )
        for (seat, playing), reader in zip(seats.items(), readers, strict=True)
    ]
    host = "0.0.0.0" if plan.phones else "127.0.0.1"  # noqa: S104 - who asks for it wants it
    rest = _REST.format(
        sheets="".join(f'    "{path}",\n' for path in sheets), host=host, pad=" " * (23 - len(host))
    )
    head = _HEAD.format(name=plan.name, pad=" " * max(1, 12 - len(plan.name)))
    return head + "\n".join(blocks) + rest


def _quoted(name: str) -> str:
    return '"' + name.replace("\\", "\\\\").replace('"', '\\"') + '"'


def _deck(ruleset: str, seats: Mapping[str, Sequence[Sheet]]) -> Deck:
    hands = [
        Hand(seat, tuple(playing), tuple(needs_later(ruleset, playing)))
        for seat, playing in seats.items()
    ]
    return added(Deck(), hands)[0]
