"""Reads the table's configuration, ``hub.toml``, and reports all of its faults at once."""

import os
from collections.abc import Callable, Sequence
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from hub.cards.deck import Deck, read_decks
from hub.config.checks import (
    check_cables,
    check_claims,
    check_names,
    check_sets,
    doubtful_names,
    exposed,
    missing_devices,
    refused,
    refused_names,
    unnamed_players,
)
from hub.config.output_section import OutputSections, with_outputs
from hub.config.settings import Config
from hub.config.story import load_scene, load_story
from hub.config.values import CREDENTIALS, credential_file, read_password, started_from
from hub.games.files import open_named, read_toml
from hub.games.game import Choice
from hub.games.registry import family_of, game_of, texts, words_of
from hub.games.telling import Words
from hub.kernel.catalogues import ENGLISH
from hub.kernel.documents import Document
from hub.kernel.documents.sections import read_section
from hub.kernel.documents.toml import rest_of_toml
from hub.kernel.faults import Fault, Faulty, noted
from hub.kernel.reasons import Reason
from hub.table.acts.story import BeginStory
from hub.table.records import SceneSetup
from hub.themes import look_of

MAX_CONFIG_BYTES = 64 * 1024


def load_config(path: Path, outputs: OutputSections) -> Config:
    """Read ``hub.toml``, with the sections of ``outputs``. Raises :class:`Faulty`."""
    document = read_toml(path, MAX_CONFIG_BYTES)
    config = _read(document, outputs)
    document.check()
    return config


def _read(document: Document, outputs: OutputSections) -> Config:
    hook = started_from(Path(document.name))
    config = read_section(document, with_outputs(outputs), document.values, (), hook)
    check_claims(document, config)
    check_cables(document, config)
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
    """Add the password that systemd provides; perhaps only the service can read it."""
    table = Path(document.name).absolute().parent.name
    file = credential_file(config.mqtt.password_credential, table)
    password = read_password(file)
    if password is None and "CREDENTIALS_DIRECTORY" in os.environ:
        place = CREDENTIALS / table / file.name
        document.blame(
            ("mqtt", "password_credential"), Reason("credential-unread", file=ascii(str(place)))
        )
    return replace(config, mqtt=replace(config.mqtt, password=password))


class TableFiles(Struct, frozen=True):
    """The configuration of a table and the content of the files that it names."""

    config: Config
    deck: Deck
    title: str = ""
    setup: SceneSetup | None = None
    """The scene's setup; None without a scene file: then only scenes described on the console can
    begin."""
    story: BeginStory | None = None
    remarks: tuple[Fault, ...] = ()
    """Warnings, which do not keep the table from starting."""
    file: Path | None = None

    @property
    def family(self) -> str | None:
        """The id of the family of rules that the scene, or else the story, belongs to."""
        played = self.setup or self.story
        found = family_of(played.ruleset) if played else None
        return found.id if found else None

    def label(self, choice: Choice) -> str:
        """The name of a card, in the table's language."""
        played = self.setup or self.story
        words = words_of(played.ruleset) if played else Words()
        return texts(self.config.table.language or ENGLISH).title(words.card(choice))


def load_table(path: Path, outputs: OutputSections) -> TableFiles:
    """Load the configuration at ``path``, with its deck, scene and story.

    Raises :class:`Faulty` with the faults in and between all of them.
    """
    found: list[Fault] = []
    document = _document(path, found)
    whole = not found
    config = _read(document, outputs)
    named = whole and all(document.sound((key,)) for key in ("seat", "scene", "story"))
    plays = config.plays if named else lambda actor: True
    deck = _deck(document, config, found)
    title, setup = _scene(document, config, found)
    story = _story(document, config, plays, found)
    with noted(found):
        if document.sound(("web",)):
            look_of(config.web.theme, config.web.theme_file)
    actors = _actors(document, setup, plays, found)
    remarks: list[Fault] = []
    if named and not found:  # otherwise a name may be missing because its file is broken
        sheets = [*story.sheets.cast, *story.sheets.reserve] if story else []
        people = [*dict.fromkeys((*actors, *(sheet["name"] for sheet in sheets)))]
        found += refused_names(document, config, people)
        remarks += check_names(document, config, people)
    if whole:
        found += document.placed(document.faults)
    if found:
        raise Faulty(*found)
    remarks += missing_devices(document, config)
    remarks += doubtful_names(document, config)
    remarks += exposed(document, config)
    remarks += unnamed_players(document, config, story.sheets.cast if story else ())
    return TableFiles(config, deck, title, setup, story, tuple(remarks), path)


def _document(path: Path, found: list[Fault]) -> Document:
    """Read the file at ``path``, and add its faults to ``found``. After a TOML error, return the
    part that can be read, so that the files it names are checked too; empty if the file cannot be
    read."""
    try:
        return read_toml(path, MAX_CONFIG_BYTES)
    except Faulty as faulty:
        found += faulty.faults
    try:
        with open_named(path) as file:
            return Document(rest_of_toml(file.read(MAX_CONFIG_BYTES)), str(path))
    except OSError:
        return Document({}, str(path))


def _deck(document: Document, config: Config, found: list[Fault]) -> Deck:
    with noted(found):
        if document.sound(("table", "deck")) and document.sound(("table", "more_decks")):
            deck = read_decks(config.table.decks)
            check_sets(document, config, {card.group for card in deck.cards})
            return deck
    return Deck()


def _scene(document: Document, config: Config, found: list[Fault]) -> tuple[str, SceneSetup | None]:
    with noted(found):
        if config.scene is not None and document.sound(("scene",)):
            return load_scene(config.scene.file)
    return "", None


def _story(
    document: Document, config: Config, plays: Callable[[str], bool], found: list[Fault]
) -> BeginStory | None:
    with noted(found):
        if config.story is not None:
            return load_story(config.story, plays, lambda key: document.sound(("story", key)))
    return None


def _actors(
    document: Document, setup: SceneSetup | None, plays: Callable[[str], bool], found: list[Fault]
) -> Sequence[str]:
    """The characters of a scene; empty without one. Invalid names of its sides and characters
    without a seat are added to ``found``."""
    if setup is None:
        return ()
    game = game_of(setup.ruleset)
    begun = game.begin(setup.game)
    actors = [*game.actors(begun)]
    found += refused(document, game.sides(begun))
    found += (
        Fault((), Reason("unplayed", actor=actor), document.name)
        for actor in actors
        if not plays(actor)
    )
    return actors
