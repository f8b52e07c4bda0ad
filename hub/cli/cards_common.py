"""Options, checks of their values, and saving a deck, shared by the commands on cards."""

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

import typer

from hub.cards.deck import Deck, save_deck
from hub.cli.failing import give_up
from hub.config.story import load_scene
from hub.games.game import Choice, IllegalChoice, RulesError
from hub.games.registry import game_of

DeckFile = Annotated[list[Path], typer.Argument(metavar="DECK...", help="Deck files.")]
TableConfig = Annotated[
    Path | None, typer.Option("--config", metavar="FILE", help="A table's configuration.")
]
HouseRules = Annotated[
    Path | None, typer.Option("--rules", metavar="FILE", help="House rules that they go by.")
]
SceneFile = Annotated[
    Path | None, typer.Option("--scene", metavar="FILE", help="A scene that has a deck of its own.")
]
Into = Annotated[Path, typer.Option("--into", metavar="FILE", help="The new file.")]
Set = Annotated[str, typer.Option("--set", metavar="SET", help="Whose card it is.")]


def card_of(text: str) -> Choice:
    """Parse a card as people write it, such as ``move attack-high``. Any other text ends the
    command."""
    try:
        return Choice.parse(text)
    except IllegalChoice as error:
        give_up(f"{text[:60]!a} is no card: {error.reason}")


def known_ruleset(ruleset: str) -> None:
    """End the command if there is no ruleset of this name."""
    try:
        game_of(ruleset)
    except RulesError as error:
        give_up(str(error.reason))


def game_in(scene: Path | None) -> Mapping[str, Any]:
    """The settings of the game in the file ``scene``; empty if ``scene`` is None. Raises
    :class:`hub.kernel.faults.Faulty`."""
    return load_scene(scene)[1].game if scene else {}


def save(path: Path, deck: Deck) -> None:
    """Save a deck; end the command if that fails."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        save_deck(path, deck)
    except OSError as error:
        give_up(f"{path} cannot be written: {error.strerror}; the file is as it was")
    except ValueError as error:
        give_up(f"{path} was not written: {error}")
