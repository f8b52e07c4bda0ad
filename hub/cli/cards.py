"""``facedown cards``: makes, checks, changes and prints decks of cards, and writes their tags."""

from pathlib import Path
from typing import Annotated

import typer

from hub.cards.deck import Deck, Mark, read_deck, read_decks
from hub.cards.making import NoSuchCard, added, merged, named, spared, split, strangers
from hub.cli.cards_common import (
    DeckFile,
    HouseRules,
    Into,
    SceneFile,
    Set,
    TableConfig,
    card_of,
    game_in,
    known_ruleset,
    save,
)
from hub.cli.cards_print import print_cards, print_papers
from hub.cli.cards_tables import of_new, show_checked, show_deck
from hub.cli.cards_write import learn, read, write
from hub.cli.failing import NOT_SOUND, give_up
from hub.config.decks import MOST_PLAYERS, Wanted, deck_of_table, hands_wanted, wants_of_table
from hub.daemon.outputs import OUTPUTS
from hub.games.family import Sheet
from hub.games.sheets import load_house, load_sheet
from hub.games.terminal import AsJson
from hub.kernel.called import called
from hub.kernel.faults import Faulty

app = typer.Typer(name="cards", no_args_is_help=True, add_completion=False, rich_markup_mode=None)

app.command("print")(print_cards)
app.command("papers")(print_papers)


for command in (write, learn, read):
    app.command()(command)


@app.callback()
def cards() -> None:
    """Make decks of cards, and write their tags.

    docs/build/cards.md explains every step.

    Examples:

      facedown cards new unroll --players 4

      facedown cards new --config hub.toml

      facedown cards check deck.toml --config hub.toml
    """


@app.command()
def new(
    ruleset: Annotated[str, typer.Argument(metavar="[RULESET]", help="The book.")] = "",
    *,
    players: Annotated[
        int | None, typer.Option(metavar=f"1-{MOST_PLAYERS}", help="Players beside the GM.")
    ] = None,
    sheet: Annotated[
        list[Path] | None, typer.Option(metavar="FILE", help="A character's file; once for each.")
    ] = None,
    config: TableConfig = None,
    deck: Annotated[
        Path | None, typer.Option("--deck", help="The deck file; deck.toml if left out.")
    ] = None,
    blanks: Annotated[
        int, typer.Option(min=0, max=50, help="Cards without a meaning yet, in each set.")
    ] = 0,
    later: Annotated[
        bool, typer.Option("--later", help="Also what some levels may bring.")
    ] = False,
    rules: HouseRules = None,
    scene: SceneFile = None,
) -> None:
    """Make a deck, or add the missing cards to one.

    With a RULESET, the deck has a set for each player and the GM, with everything a player may
    learn soon. With --sheet, it has a set for each character; with --config, a set for each seat,
    with what its characters know. Cards already in the file are kept. For a book that is played
    with one deck for the whole table, that deck's cards are added; with --scene, those of a
    scene's own deck.

    Examples:

      facedown cards new unroll --players 4

      facedown cards new --sheet ada.toml --sheet bo.toml --blanks 4

      facedown cards new --config hub.toml

      facedown cards new tourists --players 4 --scene conflict.toml
    """
    given = [bool(ruleset), bool(sheet), config is not None]
    if sum(given) != 1:
        give_up("say what the deck is for: a RULESET, --sheet FILE, or --config FILE")
    if players is not None and not ruleset:
        give_up("--players goes with a RULESET")
    if config is not None:
        if rules or deck or scene:
            give_up("--config names the deck, the scene and the house rules by itself")
        path, hands = wants_of_table(config, OUTPUTS, later=later)
    else:
        path = deck or Path("deck.toml")
        try:
            hands = hands_wanted(
                Wanted(ruleset, players, _sheets(sheet or [], rules), later, game_in(scene))
            )
        except ValueError as error:
            if isinstance(error, Faulty):
                raise
            give_up(str(error))
    before = read_deck(path) if path.exists() else Deck()
    after, cards = added(before, hands, blanks)
    if cards:
        save(path, after)
    of_new(path, cards, after)


@app.command("list")
def list_(deck: DeckFile, as_json: AsJson = False) -> None:
    """List a deck's sets: each card, how many copies, and how many tags are written.

    The list shows no tag ids.

    Examples:

      facedown cards list deck.toml

      facedown cards list deck.toml --json
    """
    show_deck(read_decks(deck), as_json=as_json)


@app.command()
def check(
    deck: Annotated[
        list[Path] | None, typer.Argument(metavar="[DECK...]", help="Deck files.")
    ] = None,
    config: TableConfig = None,
    ruleset: Annotated[str, typer.Option(help="The book, without a configuration.")] = "",
    as_json: AsJson = False,
) -> None:
    """Check a deck: duplicate tags, cards that no ruleset knows, cards that the party lacks.

    Exit status 1 if there is a problem, 2 if a file cannot be used. Unwritten tags are listed, but
    are not a problem.

    Examples:

      facedown cards check deck.toml

      facedown cards check --config hub.toml

      facedown cards check deck.toml --ruleset unroll
    """
    if not deck and config is None:
        give_up("say which deck: a file, or --config FILE")
    if ruleset:
        known_ruleset(ruleset)
    table = deck_of_table(config, OUTPUTS) if config else None
    cards = read_decks(deck) if deck else table.deck if table else Deck()
    played = table.rulesets if table else {ruleset: ()} if ruleset else {}
    unknown = strangers(cards, played)
    lacking = table.lacking(cards) if table else []
    show_checked(cards, unknown, lacking, as_json=as_json)
    if unknown or lacking:
        raise typer.Exit(NOT_SOUND)


@app.command()
def merge(deck: DeckFile, into: Into) -> None:
    """Merge several decks into one file. A card that is in two of them appears once.

    Examples:

      facedown cards merge ada.toml bo.toml --into deck.toml
    """
    try:
        made = merged([read_deck(each) for each in deck])
    except ValueError as error:
        if isinstance(error, Faulty):
            raise
        give_up(f"{', '.join(map(str, deck))}: {error}; mend one of the files")
    if into.exists():
        give_up(f"{into} is there already; name another file")
    save(into, made)
    typer.echo(f"{into}: {len(made.pieces)} cards")


@app.command("split")
def split_(
    deck: DeckFile,
    into: Annotated[Path, typer.Option("--into", metavar="FOLDER", help="Where the files come.")],
) -> None:
    """Split a deck into a file for each set, named after it; rest.toml has cards without a set.

    The deck stays unchanged. A table can name all of the files: deck = ["ada.toml", "bo.toml"].

    Examples:

      facedown cards split deck.toml --into decks
    """
    parts = {
        into / f"{group or 'rest'}.toml": part for group, part in split(read_decks(deck)).items()
    }
    there = [str(path) for path in parts if path.exists()]
    if there:
        give_up(f"{', '.join(there)}: there already; nothing was written")
    for path, part in parts.items():
        save(path, part)
        typer.echo(f"{path}: {len(part.pieces)} cards")


@app.command()
def spare(
    deck: Annotated[Path, typer.Argument(metavar="DECK", help="A deck file.")],
    card: Annotated[str, typer.Argument(help='The lost card, such as "move attack-high".')],
    group: Set = "",
    copy: Annotated[int, typer.Option(min=0, help="Which one, if there are several.")] = 0,
) -> None:
    """Make a new card for a lost one.

    The old tag is struck off: if it turns up, its seat says so.

    Examples:

      facedown cards spare deck.toml "move attack-high" --set ada
    """
    before = read_deck(deck)
    try:
        after, new = spared(before, card_of(card), _set(before, group, card), copy)
    except NoSuchCard as error:
        give_up(f"{deck}: {error}")
    save(deck, after)
    told = "the old tag is struck off; write the new one"
    if after.other_end(new):
        told = "the tags at both ends are struck off; write the new ones"
    typer.echo(f"{deck}: {told}: {called()} cards write")


@app.command()
def name(
    deck: Annotated[Path, typer.Argument(metavar="DECK", help="A deck file.")],
    card: Annotated[str, typer.Argument(help='What it means now, such as "move attack-low".')],
    group: Set = "",
) -> None:
    """Give a blank card a meaning, for example after a level-up. Its tag stays unchanged.

    Examples:

      facedown cards name deck.toml "move attack-low" --set ada
    """
    before = read_deck(deck)
    try:
        after, made = named(before, card_of(card), _set(before, group))
    except NoSuchCard as error:
        give_up(f"{deck}: {error}; make some with --blanks of `{called()} cards new`")
    save(deck, after)
    tag = "its tag is written" if made.mark is Mark.WRITTEN else "its tag is still to be written"
    typer.echo(f"{deck}: a blank is {made.choice} now; {tag}")


def _sheets(files: list[Path], rules: Path | None) -> list[Sheet]:
    house = load_house(rules)[1] if rules else None
    return [load_sheet(file, None, house) for file in files]


def _set(deck: Deck, group: str, card: str = "") -> str:
    groups = list(dict.fromkeys(card.group for card in deck.cards))
    whose = {each.group for each in deck.cards if str(each.choice) == card and each.of}
    if not group and len(whose) == 1:  # a card that the whole table shares
        return whose.pop()
    if group in groups:
        return group
    if not group and len(groups) == 1:
        return groups[0]
    there = ", ".join(filter(None, groups)) or "none"
    give_up(f"say whose card it is with --set; the deck has these sets: {there}")
