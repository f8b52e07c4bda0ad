"""A table that is being set up: the answers so far, and their faults."""

import re
import ssl
from collections.abc import Iterator, Mapping, Sequence
from functools import cache

from hub.cards.deck import MAX_DECK_BYTES
from hub.config.mqtt import PLAIN_PORT
from hub.config.starter import (
    GM_SEAT,
    MOST_SEATS,
    PLAYERS,
    Broker,
    Place,
    Plan,
    plain_name,
    rulesets,
    slugs,
    starter_of,
)
from hub.config.values import MAX_PASSWORD_CHARS, bad_host
from hub.games.family import Sheet
from hub.games.files import MAX_SHEET_BYTES
from hub.games.game import GM
from hub.games.registry import default_ruleset
from hub.games.sheets import read_sheet, sheets_of
from hub.kernel.bounds import TITLE
from hub.kernel.catalogues import ENGLISH, languages
from hub.kernel.documents.toml import parse_toml
from hub.kernel.faults import MAX_NAME_CHARS, Faulty, is_name
from hub.kernel.likeness import alike_fault, name_fault, text_fault
from hub.kernel.reasons import Reason
from hub.readers.kinds import parse_address
from hub.setup.questions import SetupReason, Value
from hub.table.sealed import Sealed
from hub.themes import OURS

MOST_PLAYERS = MOST_SEATS - 1
NEW, FILE = "new", "file"
SIMULATED = "sim"
_NAME = re.compile(r"[a-z0-9-]{1,32}")
_MAX_LINE_CHARS = 400
_DEFAULTS: dict[str, Value] = {
    "language": ENGLISH,
    "evening": "",
    "name": "table",
    "theme": OURS[0],
    "ruleset": "",
    "players": 3,
    "deck": "new",
    "deck.text": "",
    "broker": "none",
    "broker.host": "",
    "broker.port": PLAIN_PORT,
    "broker.tls": False,
    "broker.ca.text": "",
    "broker.username": "",
    "broker.password": "",
    "phones": False,
    "port": 8080,
    f"{GM_SEAT}.reader": SIMULATED,
}
_CHOICES: Mapping[str, Sequence[str]] = {
    "theme": OURS,
    "deck": ("new", "old", "none"),
    "broker": ("none", "here", "elsewhere"),
}
NUMBERS = {"players": (1, MOST_PLAYERS), "port": (0, 65535), "broker.port": (1, 65535)}
_OF_A_PLAYER = re.compile(r"player\.([0-9]|1[0-4])\.(character|name|text|seat|reader)")


class Refused(ValueError):
    """An answer is refused, because its form is not one that its question allows. ``reason``: what
    is wrong with the answer."""

    def __init__(self, reason: Reason) -> None:
        super().__init__(str(reason))
        self.reason = reason


class Draft:
    """The answers to the questions about a new table. ``devices``: the addresses of this
    machine's serial devices, which the answers may name."""

    def __init__(self, *, name: str = "", language: str = ENGLISH, ruleset: str = "") -> None:
        self.values: dict[str, Value] = dict(_DEFAULTS)
        self.values["ruleset"] = ruleset or default_ruleset()
        self.values["language"] = language
        self.values["name"] = plain_name(name) or "table"
        self.devices: Sequence[str] = ()

    @property
    def language(self) -> str:
        """The language of the questions and of the new table."""
        return str(self.values["language"])

    @property
    def ruleset(self) -> str:
        """The ruleset to play by."""
        return str(self.values["ruleset"])

    @property
    def players(self) -> int:
        """How many players there are besides the GM."""
        return int(self.values["players"])

    def value(self, name: str) -> Value:
        """The answer to the question ``name``, or its default. Raises :class:`KeyError` for an
        unknown question."""
        if (known := self.values.get(name)) is not None:
            return known
        found = _OF_A_PLAYER.fullmatch(name)
        if not found:
            raise KeyError(name)
        index, key = int(found[1]), found[2]
        match key:
            case "name":
                return self.names()[index]
            case "seat":
                return slugs(self.names())[index]
            case "character":
                return NEW
            case "reader":
                return SIMULATED
        return ""

    def answer(self, name: str, value: object) -> None:
        """Take an answer. Raises :class:`Refused` for one of a wrong form; all other faults are
        reported by :meth:`faults`. Raises :class:`KeyError` for an unknown question."""
        before = self.value(name)
        if isinstance(before, bool):
            if not isinstance(value, bool):
                raise Refused(SetupReason("yes-or-no"))
        elif name in NUMBERS:
            least, most = NUMBERS[name]
            if isinstance(value, str) and re.fullmatch(r" *[0-9]{1,6} *", value):
                value = int(value)
            if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
                raise Refused(SetupReason("number-from", least=least, most=most))
        elif not isinstance(value, str):
            raise Refused(SetupReason("no-text"))
        else:
            value = self._text(name, value)
        self.values[name] = value
        if name == "ruleset":
            for index in range(MOST_PLAYERS):
                self.values.pop(f"player.{index}.character", None)

    def _text(self, name: str, value: str) -> str:
        options = self.options(name)
        if options is not None:
            if value not in options:
                raise Refused(SetupReason("no-choice", given=_cut(value), choices=[*options]))
            return value
        longest = _MAX_LINE_CHARS
        if name == "deck.text":
            longest = MAX_DECK_BYTES
        elif name.endswith(".text"):
            longest = MAX_SHEET_BYTES
        elif name == "broker.password":
            longest = MAX_PASSWORD_CHARS
        if len(value.encode(errors="replace")) > longest:
            raise Refused(SetupReason("too-long", most=longest))
        if not name.endswith(".text") and not value.isprintable():
            raise Refused(SetupReason("not-one-line"))
        return value if name.endswith((".text", ".password")) else value.strip()

    def options(self, name: str) -> Sequence[str] | None:
        """The possible answers to the question ``name``; None if there is no list of them."""
        match name:
            case "language":
                return languages()
            case "ruleset":
                return rulesets()
        if name.startswith("player.") and name.endswith(".character"):
            return [NEW, *self.samples(), FILE]
        return _CHOICES.get(name)

    # Characters

    def samples(self) -> Mapping[str, Sheet]:
        """The ruleset's sample characters for players, by the names of their files."""
        return _samples(self.ruleset)

    def _sheet(self, index: int) -> Sheet | None:
        chosen = self.value(f"player.{index}.character")
        if chosen == FILE:
            try:
                return self._from_file(index)
            except (Faulty, ValueError):
                return None
        return self.samples().get(str(chosen))

    def _from_file(self, index: int) -> Sheet:
        content = str(self.value(f"player.{index}.text"))
        return read_sheet(parse_toml("", content.encode()))

    def names(self) -> list[str]:
        """The names of the players' characters. A name is from the character's sheet or an answer;
        else it is a default."""
        given: dict[int, str] = {}
        for index in range(self.players):
            if self.value(f"player.{index}.character") != NEW:
                sheet = self._sheet(index)
                given[index] = sheet.name if sheet else "?"
            elif (own := self.values.get(f"player.{index}.name")) is not None:
                given[index] = str(own)
        taken = {name.casefold() for name in [*given.values(), *_npc_names(self.ruleset)]}
        spare = (name for name in PLAYERS if name.casefold() not in taken)
        return [given[index] if index in given else next(spare) for index in range(self.players)]

    # Faults

    def faults(self) -> dict[str, Reason]:
        """The invalid answers: the question's name → why."""
        return dict(self._faults())

    def _faults(self) -> Iterator[tuple[str, Reason]]:
        values = self.values
        if not _NAME.fullmatch(str(values["name"])):
            yield "name", SetupReason("table-name")
        evening = str(values["evening"])
        if len(evening) > TITLE.most:
            yield "evening", SetupReason("too-long", most=TITLE.most)
        elif (fault := text_fault(evening)) is not None:
            yield "evening", fault
        yield from self._faults_of_players()
        yield from self._faults_of_readers()
        if values["deck"] == "old" and not values["deck.text"]:
            yield "deck.text", SetupReason("deck-missing")
        if values["broker"] == "elsewhere":
            host = str(values["broker.host"])
            if not host or any(bad_host(host=host)):
                yield "broker.host", SetupReason("host-wrong", given=_cut(host))
            if values["broker.tls"] and (why := _certificate_fault(str(values["broker.ca.text"]))):
                yield "broker.ca.text", why
        alone = values["broker.password"] and not values["broker.username"]
        if values["broker"] != "none" and alone:
            yield "broker.password", SetupReason("password-alone")

    def _faults_of_players(self) -> Iterator[tuple[str, Reason]]:
        known = _npc_names(self.ruleset)
        taken = {name.casefold() for name in known} | {GM}
        seats = [GM_SEAT]
        for index, name in enumerate(self.names()):
            key = f"player.{index}"
            chosen = self.value(f"{key}.character")
            place = f"{key}.name" if chosen == NEW else f"{key}.character"
            if chosen == FILE and (wrong := self._fault_of_file(index)):
                yield f"{key}.text", wrong
                continue
            if not is_name(name):
                yield place, SetupReason("name-form", most=MAX_NAME_CHARS)
            elif name.casefold() in taken:
                yield place, SetupReason("name-taken", name=name)
            elif fault := name_fault(name) or alike_fault(name, known):
                yield place, SetupReason("name-about", name=_cut(name), fault=fault)
            known.append(name)
            taken.add(name.casefold())
            seat = str(self.value(f"{key}.seat"))
            if not _NAME.fullmatch(seat):
                yield f"{key}.seat", SetupReason("seat-name")
            elif seat in seats:
                yield f"{key}.seat", SetupReason("seat-taken", name=seat)
            seats.append(seat)

    def _fault_of_file(self, index: int) -> Reason | None:
        if not self.value(f"player.{index}.text"):
            return SetupReason("sheet-missing")
        try:
            sheet = self._from_file(index)
        except Faulty as error:
            first = error.faults[0]
            return SetupReason("sheet-faulty", line=first.line, fault=first.said())
        if sheet.ruleset != self.ruleset:
            return SetupReason("sheet-of-another", ruleset=sheet.ruleset, wanted=self.ruleset)
        return SetupReason("sheet-of-npc", name=sheet.name) if sheet.npc else None

    def _faults_of_readers(self) -> Iterator[tuple[str, Reason]]:
        taken: dict[str, str] = {}
        for key, seat in self.reader_keys().items():
            address = str(self.value(key))
            if address == SIMULATED:
                continue
            try:
                path = parse_address(address).path
            except ValueError as error:
                yield key, SetupReason("reader-wrong", fault=str(error))
                continue
            if path and path in taken:
                yield key, SetupReason("reader-taken", seat=taken[path])
            taken.setdefault(path, seat)

    def reader_keys(self) -> dict[str, str]:
        """The questions for the readers: the question's name → its seat. The GM's comes last."""
        seats = (str(self.value(f"player.{index}.seat")) for index in range(self.players))
        keys = {f"player.{index}.reader": seat for index, seat in enumerate(seats)}
        return keys | {f"{GM_SEAT}.reader": GM_SEAT}

    # The result

    def plan(self) -> Plan:
        """The plan of the table's folder. Raises :class:`ValueError` if an answer is invalid."""
        if faults := self.faults():
            raise ValueError("; ".join(map(str, faults.values())))
        starter, values = starter_of(self.ruleset), self.values
        seats = []
        for index, name in enumerate(self.names()):
            sheet = self._sheet(index) or starter.fresh(self.ruleset, name, index)
            seat = str(self.value(f"player.{index}.seat"))
            seats.append(self._place(seat, (sheet,), f"player.{index}.reader"))
        seats.append(self._place(GM_SEAT, _npcs(self.ruleset), f"{GM_SEAT}.reader"))
        decks = {"new": None, "old": str(values["deck.text"]), "none": _NO_CARDS}
        return Plan(
            name=str(values["name"]),
            ruleset=self.ruleset,
            seats=tuple(seats),
            evening=str(values["evening"]),
            language=self.language if self.language != ENGLISH else "",
            deck=decks[str(values["deck"])],
            broker=self.broker(),
            phones=bool(values["phones"]),
            port=int(values["port"]),
            theme=str(values["theme"]),
        )

    def _place(self, seat: str, playing: tuple[Sheet, ...], key: str) -> Place:
        address = str(self.value(key))
        reader = f"sim:{seat}" if address == SIMULATED else address
        return Place(name=seat, playing=playing, reader=reader)

    def broker(self) -> Broker | None:
        """The broker that the hub will use; None if it uses none."""
        values = self.values
        if values["broker"] == "none":
            return None
        here = values["broker"] == "here"
        tls = not here and bool(values["broker.tls"])
        password = str(values["broker.password"])
        return Broker(
            host="127.0.0.1" if here else str(values["broker.host"]),
            port=int(values["broker.port"]),
            tls=tls,
            ca=str(values["broker.ca.text"]) if tls else "",
            username=str(values["broker.username"]),
            password=Sealed(password) if password else None,
        )


_NO_CARDS = "# Which card each tag stands for: `facedown cards` makes and writes a deck.\n[cards]\n"


def _cut(given: str) -> str:
    return ascii(given[:40])


def _certificate_fault(pem: str) -> Reason | None:
    """Why the certificate of an authority cannot be used. An empty text has no fault: it stands for
    the authorities that the machine trusts."""
    if not pem:
        return None
    if "PRIVATE KEY-----" in pem:
        return SetupReason("certificate-key")
    try:
        ssl.create_default_context(cadata=pem)
    except (ssl.SSLError, ValueError):
        return SetupReason("certificate-none")
    return None


@cache
def _samples(ruleset: str) -> Mapping[str, Sheet]:
    texts = sheets_of(ruleset).samples()
    read = {name: read_sheet(parse_toml(name, each.encode())) for name, each in texts.items()}
    return {name: each for name, each in read.items() if each.ruleset == ruleset and not each.npc}


@cache
def _npcs(ruleset: str) -> tuple[Sheet, ...]:
    return tuple(starter_of(ruleset).npcs(ruleset))


def _npc_names(ruleset: str) -> list[str]:
    return [each.name for each in _npcs(ruleset)]
