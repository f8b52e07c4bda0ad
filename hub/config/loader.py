"""Reads the table's configuration, ``hub.toml``, and reports all of its faults at once."""

import os
from collections.abc import Iterable
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from hub.cards.deck import Deck, read_decks
from hub.config.checks.devices import doubtful_names, missing_devices
from hub.config.checks.exposure import exposed
from hub.config.checks.names import check_names, check_sets, unnamed_players
from hub.config.output_section import OutputSections, with_outputs
from hub.config.passwords import CREDENTIALS, credential_file, read_password
from hub.config.scene import load_scene
from hub.config.settings import Config
from hub.config.story import load_story
from hub.config.values import started_from
from hub.games.family import Words
from hub.games.files import open_named, read_toml
from hub.games.registry import game_of, words_of
from hub.kernel.documents import Document
from hub.kernel.documents.sections import read_section
from hub.kernel.documents.toml import rest_of_toml
from hub.kernel.faults import Fault, Faulty, noted
from hub.kernel.likeness import name_faults
from hub.kernel.reasons import Reason
from hub.readers.address import Address
from hub.readers.kinds import parse_address, written_place
from hub.table.inputs import BeginStory
from hub.table.records import SceneSetup
from hub.themes import look_of

MAX_CONFIG_BYTES = 64 * 1024


def load_config(path: Path, outputs: OutputSections) -> Config:
    """Read ``hub.toml``, with the sections of ``outputs``; relative paths start from its folder.
    Raises :class:`Faulty`."""
    document = read_toml(path, MAX_CONFIG_BYTES)
    config = _read(document, outputs)
    document.check()
    return config


def _rest(path: Path) -> Document:
    """The readable part of a configuration with a TOML error, to find the other files."""
    try:
        with open_named(path) as file:
            return Document(rest_of_toml(file.read(MAX_CONFIG_BYTES)), str(path))
    except OSError:
        return Document({}, str(path))


def _read(document: Document, outputs: OutputSections) -> Config:
    """The configuration in the document; faults are recorded there."""
    hook = started_from(Path(document.name))
    config = read_section(document, with_outputs(outputs), document.values, (), hook)
    _check_claims(document, config)
    _check_cables(document, config)
    for output in outputs:
        output.check_in(document, config)
    if not document.values.keys() & {"scene", "story"}:
        document.blame(("scene",), Reason("scene-missing", place="scene"))
    if config.mqtt.password_file:
        password = read_password(config.mqtt.password_file)
        config = replace(config, mqtt=replace(config.mqtt, password=password))
    if config.mqtt.password_credential:
        config = _with_credential(document, config)
    return config


def _with_credential(document: Document, config: Config) -> Config:
    """Add the password that systemd provides. Processes other than the service may be unable to
    read it, but most commands do not need it."""
    table = Path(document.name).absolute().parent.name
    file = credential_file(config.mqtt.password_credential, table)
    password = read_password(file)
    if password is None and "CREDENTIALS_DIRECTORY" in os.environ:
        place = CREDENTIALS / table / file.name
        document.blame(
            ("mqtt", "password_credential"), Reason("credential-unread", file=ascii(str(place)))
        )
    return replace(config, mqtt=replace(config.mqtt, password=password))


def _check_claims(document: Document, config: Config) -> None:
    """Check uniqueness: a name, reader, character or card set belongs to one seat; one seat is the
    GM's."""
    taken: dict[tuple[str, str], int] = {}
    gms = [index for index, seat in enumerate(config.seats) if seat.gm]
    for index in gms[1:]:
        document.blame(("seat", index, "gm"), Reason("one-gm"))
    for index, seat in enumerate(config.seats):
        claims = [("name", seat.name), ("reader", seat.reader)]
        claims += [("characters", each) for each in seat.characters]
        claims += [("cards", each) for each in seat.cards]
        for key, value in claims:
            if not value:
                continue
            place = ("seat", index, key)
            claim = key, written_place(value) if key == "reader" else value
            if claim in taken:
                document.blame(
                    place, Reason("taken-in-line", value=ascii(value), line=taken[claim])
                )
            taken.setdefault(claim, document.line(place))


def _check_cables(document: Document, config: Config) -> None:
    """Check that each device is one cable: of a single reader, or of a bus whose boards share one
    rate."""
    named: dict[str, tuple[Address, int]] = {}
    for index, seat in enumerate(config.seats):
        place = ("seat", index, "reader")
        if not document.sound(place):
            continue
        address = parse_address(seat.reader)
        if not address.path:
            continue
        line = document.line(place)
        first, at = named.setdefault(os.path.normpath(address.path), (address, line))
        if first.bus and address.bus:
            if first.bus.baud != address.bus.baud:
                why = Reason("bus-two-rates", rate=address.bus.baud, other=first.bus.baud, line=at)
                document.blame(place, why)
        elif type(first) is not type(address):
            document.blame(place, Reason("cable-of-another-kind", file=address.path, line=at))


class TableFiles(Struct, frozen=True):
    """All files of a table."""

    config: Config
    deck: Deck
    title: str = ""
    """The scene's title."""
    setup: SceneSetup | None = None
    """None without a scene file: then only scenes described on the console can begin."""
    story: BeginStory | None = None
    remarks: tuple[Fault, ...] = ()
    """Warnings: the table starts anyway."""
    file: Path | None = None
    """The configuration's file."""

    @property
    def words(self) -> Words:
        """The vocabulary of the game played here."""
        played = self.setup or self.story
        return words_of(played.ruleset) if played else Words()


def load_table(path: Path, outputs: OutputSections) -> TableFiles:
    """Load the configuration at ``path``, with its deck, scene and story.

    Raises :class:`Faulty` with the faults in and between all of them. Other files are still read if
    the configuration itself is faulty.
    """
    found: list[Fault] = []
    with noted(found):
        document = read_toml(path, MAX_CONFIG_BYTES)
    broken = bool(found)
    if broken:
        document = _rest(path)
    config = _read(document, outputs)
    named = not broken and all(document.sound((key,)) for key in ("seat", "scene", "story"))
    plays = config.plays if named else lambda actor: True
    deck, title, setup, story = Deck(), "", None, None
    with noted(found):
        if document.sound(("table", "deck")) and document.sound(("table", "more_decks")):
            deck = read_decks(config.table.decks)
            check_sets(document, config, {card.group for card in deck.cards})
    with noted(found):
        if config.scene is not None and document.sound(("scene",)):
            title, setup = load_scene(config.scene.file)
    with noted(found):
        if config.story is not None:
            story = load_story(config.story, plays, lambda key: document.sound(("story", key)))
    _check_look(document, config, found)
    actors: tuple[str, ...] = ()
    if setup is not None:
        game = game_of(setup.ruleset)
        begun = game.begin(setup.game)
        actors = tuple(game.actors(begun))
        found += _bad_names(path, game.sides(begun))
        found += (
            Fault((), Reason("unplayed", actor=actor), str(path))
            for actor in actors
            if not plays(actor)
        )
    remarks: list[Fault] = []
    if named and not found:  # otherwise a name may be missing because its file is broken
        sheets = [*story.sheets.cast, *story.sheets.reserve] if story else []
        people = dict.fromkeys((*actors, *(sheet["name"] for sheet in sheets)))
        played = [actor for seat in config.seats for actor in seat.characters]
        spelt = {name.casefold() for name in people}  # check_names() reports these
        found += _bad_names(path, people)
        found += _bad_names(path, [n for n in played if n.casefold() not in spelt], people)
        found += _bad_names(path, [seat.name for seat in config.seats])
        remarks += check_names(document, config, [*people])
    if not broken:
        found += document.placed(document.faults)
    if found:
        raise Faulty(*found)
    remarks += missing_devices(document, config)
    remarks += doubtful_names(document, config)
    remarks += exposed(document, config)
    if story is not None and config.story is not None:
        files = zip(story.sheets.cast, config.story.characters, strict=True)
        players = {sheet["name"]: file.name for sheet, file in files if not sheet.get("npc")}
        remarks += unnamed_players(document, config.seats, players)
    return TableFiles(config, deck, title, setup, story, tuple(remarks), path)


def _check_look(document: Document, config: Config, found: list[Fault]) -> None:
    with noted(found):
        if document.sound(("web",)):
            look_of(config.web.theme, config.web.theme_file)


def _bad_names(path: Path, names: Iterable[str], known: Iterable[str] = ()) -> list[Fault]:
    found = name_faults(names, known)
    return [
        Fault((), Reason("about", place=ascii(name), why=fault), str(path)) for name, fault in found
    ]
