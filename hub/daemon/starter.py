"""A folder to start a table from: a configuration, a deck and characters that fit together."""

import os
import re
import unicodedata
from collections.abc import Mapping, Sequence
from pathlib import Path

from msgspec import Struct

from hub.books.triangle.layout import read_sheet
from hub.books.triangle.sheets import samples
from hub.books.triangle.writing import write_sheet
from hub.cards.deck import Card, Deck, make_deck, write_deck
from hub.daemon.hands import hand, learnable
from hub.rules.faults import MAX_NAME_CHARS, is_name
from hub.rules.game import GM
from hub.rules.likeness import alike_fault, name_fault
from hub.rules.toml import parse_toml
from hub.rules.triangle.characters.sheet import KnownMove, Sheet, Trait
from hub.rules.triangle.edition import Action, Edition, Energy
from hub.rules.triangle.editions import EDITIONS

LEAST_SEATS, MOST_SEATS = 2, 16
"""A player and the GM; the largest table that the defaults are made for."""

PLAYERS = (
    "Ada", "Bo", "Cleo", "Dov", "Esme", "Finn", "Gwen", "Hal",
    "Ines", "Jory", "Kit", "Lena", "Milo", "Nell", "Otto",
)  # fmt: skip
"""What the players' characters are called if nobody says."""

_GM_SEAT = "gm"
_ROOM = 3
"""How much more energy of a type a deck has stances for: levels raise it."""
_FIRST_MOVES = (
    ("attack-high", "attack-mid", "defend-mid", "grapple-low"),
    ("attack-low", "defend-low", "defend-high", "grapple-mid"),
    ("attack-mid", "defend-mid", "grapple-low", "grapple-high"),
)
"""Varied beginnings by a book that leaves the first moves free; each player gets the next."""
_FIRST_ENERGY = Energy(attack=4, defend=3, grapple=3)

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
        if self.ruleset not in EDITIONS:
            found.append(f"no ruleset {self.ruleset[:40]!a}; there are {', '.join(EDITIONS)}")
        if not re.fullmatch(r"[a-z0-9-]{1,32}", self.name):
            found.append(f"the name {self.name[:40]!a}: a table's has 1 to 32 of a-z, 0-9 and -")
        if len(self.players) > self.seats - 1:
            found.append(f"{len(self.players)} players, but {self.seats - 1} seats beside the GM's")
        if len(self.readers) > self.seats:
            found.append(f"{len(self.readers)} readers, but {self.seats} seats")
        taken = {each.name.casefold() for each in _npcs(self.ruleset)} | {GM}
        names = [each.name for each in _npcs(self.ruleset)]
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
        book = EDITIONS[self.ruleset]
        taken = {name.casefold() for name in self.players}
        spare = [name for name in PLAYERS if name.casefold() not in taken]
        names = [*self.players, *spare][: self.seats - 1]
        fresh = [_fresh(book, name, index) for index, name in enumerate(names)]
        return [*fresh, *_npcs(self.ruleset)]


def files_of(plan: Plan) -> dict[str, str | Deck]:
    """The content of every file of the folder, by its path there. Raises :class:`ValueError` with
    a line for each problem of the plan."""
    if problems := plan.problems():
        raise ValueError("\n".join(problems))
    cast = plan.cast()
    sheets = {f"characters/{slug}.toml": sheet for slug, sheet in _slugged(cast).items()}
    seats = _seats(cast)
    return {
        "hub.toml": _config(plan, seats, [*sheets]),
        "deck.toml": _deck(EDITIONS[plan.ruleset], seats),
        **{path: write_sheet(sheet) for path, sheet in sheets.items()},
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


def _fresh(book: Edition, name: str, index: int) -> Sheet:
    """A character as it starts, with everything still to be told."""
    moves = book.start_moves or _FIRST_MOVES[index % len(_FIRST_MOVES)]
    return Sheet(
        ruleset=book.id,
        name=name,
        level=book.level,
        max=_FIRST_ENERGY,
        energy=_FIRST_ENERGY,
        moves=tuple(KnownMove(move, move.replace("-", " ").title()) for move in moves),
        belief=Trait("Still to be chosen: what leads to hard choices"),
        flaw=Trait("Still to be chosen: what leads to failure"),
    )


def _npcs(ruleset: str) -> list[Sheet]:
    """Those of the characters that come with Facedown whom the GM plays."""
    sheets = (read_sheet(parse_toml(name, text.encode())) for name, text in samples().items())
    return [sheet for sheet in sheets if sheet.npc and sheet.ruleset == ruleset]


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


def _deck(book: Edition, seats: Mapping[str, Sequence[Sheet]]) -> Deck:
    cards: list[Card] = []
    for seat, playing in seats.items():
        largest = {
            action.value: max(sheet.max.of(action) for sheet in playing) + _ROOM
            for action in Action
        }
        known = (each.id for sheet in playing for each in sheet.specials)
        specials = dict.fromkeys((*learnable(book), *known))
        cards += make_deck(hand(book, largest, specials), group=seat).cards
    return Deck(tuple(cards))
