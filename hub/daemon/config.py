"""Reading the table's configuration, ``hub.toml``, with everything that is wrong in it at once."""

import os
from collections.abc import Iterable
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from hub.books.family import Words
from hub.books.files import read_toml
from hub.books.registry import game_of, words_of
from hub.cards.deck import Deck, read_deck
from hub.daemon.devices import missing_devices
from hub.daemon.exposure import exposed
from hub.daemon.names import check_names, check_sets, unnamed_players
from hub.daemon.output import with_outputs
from hub.daemon.outputs import OUTPUTS
from hub.daemon.scene import load_scene
from hub.daemon.settings import Config, read_password, started_from
from hub.daemon.story import load_story
from hub.rules.documents import Document
from hub.rules.documents.sections import read_section
from hub.rules.faults import Fault, Faulty
from hub.rules.likeness import name_faults
from hub.rules.reasons import Reason
from hub.table.inputs import BeginStory
from hub.table.records import SceneSetup

MAX_CONFIG_BYTES = 64 * 1024


def load_config(path: Path) -> Config:
    """Read ``hub.toml``; paths in it start from its folder. Raises :class:`Faulty`."""
    return _load(path)[0]


def _load(path: Path) -> tuple[Config, Document]:
    document = read_toml(path, MAX_CONFIG_BYTES)
    config = read_section(document, with_outputs(OUTPUTS), document.values, (), started_from(path))
    _check_claims(document)
    if not document.values.keys() & {"scene", "story"}:
        document.blame((), Reason("scene-missing"))
    if config is not None and config.mqtt.password_file:
        password = read_password(config.mqtt.password_file)
        config = replace(config, mqtt=replace(config.mqtt, password=password))
    if config is None or document.faults:
        raise Faulty(*document.placed(document.faults))
    return config, document


def _check_claims(document: Document) -> None:
    """What only one seat can have: its name, reader, characters and cards; being the GM's."""
    taken: dict[tuple[str, str], int] = {}
    gms = 0
    seats = document.values.get("seat")
    for index, seat in enumerate(seats if isinstance(seats, list) else ()):
        if not isinstance(seat, dict):
            continue
        gms += seat.get("gm") is True
        if gms > 1 and seat.get("gm") is True:
            place = ("seat", index, "gm")
            document.blame(place, "only one seat can be the GM's")
        claims = [("name", seat.get("name")), ("reader", seat.get("reader"))]
        for key in ("characters", "cards"):
            several = seat.get(key)
            claims += [(key, each) for each in (several if isinstance(several, list) else ())]
        for key, value in claims:
            if not isinstance(value, str):
                continue
            place = ("seat", index, key)
            device = value.partition("?")[0].removeprefix("pn532:") if key == "reader" else value
            claim = key, os.path.realpath(device) if device.startswith("/") else device
            if claim in taken:
                document.blame(place, f"{value!a} is taken in line {taken[claim]} already")
            taken.setdefault(claim, document.line(place))


class TableFiles(Struct, frozen=True):
    """Everything that a table is told by files."""

    config: Config
    deck: Deck
    title: str = ""
    """The scene's."""
    setup: SceneSetup | None = None
    """Without a scene file there are only the scenes that are described."""
    story: BeginStory | None = None
    remarks: tuple[Fault, ...] = ()
    """What keeps nobody from playing, and may not be meant."""

    @property
    def words(self) -> Words:
        """How what is played here is told."""
        played = self.setup or self.story
        return words_of(played.ruleset) if played else Words()


def load_table(path: Path) -> TableFiles:
    """The configuration at ``path``, with the deck, the scene and the story that it names.

    Raises :class:`Faulty` with what is wrong in any of them, or between them.
    """
    config, document = _load(path)
    problems: list[Fault] = []
    deck, title, setup, story = Deck(), "", None, None
    try:
        deck = read_deck(config.table.deck)
        check_sets(document, config, {card.group for card in deck.cards})
    except Faulty as fault:
        problems += fault.faults
    try:
        if config.scene is not None:
            title, setup = load_scene(config.scene.file)
    except Faulty as fault:
        problems += fault.faults
    if config.story is not None:
        try:
            story = load_story(config.story, config.plays)
        except Faulty as fault:
            problems += fault.faults
    actors: tuple[str, ...] = ()
    if setup is not None:
        game = game_of(setup.ruleset)
        begun = game.begin(setup.game)
        actors = tuple(game.actors(begun))
        problems += _bad_names(path, game.sides(begun))
        problems += (
            Fault((), Reason("unplayed", actor=actor), str(path))
            for actor in actors
            if not config.plays(actor)
        )
    remarks: list[Fault] = []
    if not problems:  # or a name may be missing because its file is broken
        sheets = [*story.sheets.cast, *story.sheets.reserve] if story else []
        people = dict.fromkeys((*actors, *(sheet["name"] for sheet in sheets)))
        named = [actor for seat in config.seats for actor in seat.characters]
        spelt = {name.casefold() for name in people}  # of these check_names() says what is meant
        problems += _bad_names(path, people)
        problems += _bad_names(path, [n for n in named if n.casefold() not in spelt], people)
        problems += _bad_names(path, [seat.name for seat in config.seats])
        remarks += check_names(document, config, [*people])
    problems += document.placed(document.faults)
    remarks += missing_devices(document, config)
    remarks += exposed(document, config)
    if story is not None and config.story is not None:
        files = zip(story.sheets.cast, config.story.characters, strict=True)
        players = {sheet["name"]: file.name for sheet, file in files if not sheet.get("npc")}
        remarks += unnamed_players(document, config.seats, players)
    if problems:
        raise Faulty(*problems)
    return TableFiles(config, deck, title, setup, story, tuple(remarks))


def _bad_names(path: Path, names: Iterable[str], known: Iterable[str] = ()) -> list[Fault]:
    return [Fault((), f"{name!a} {fault}", str(path)) for name, fault in name_faults(names, known)]
