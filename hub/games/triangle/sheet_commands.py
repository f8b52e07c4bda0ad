"""``facedown sheet level-up`` and ``rest``: change character files by the rules of their book."""

from pathlib import Path
from typing import Annotated

import typer

from hub.games.files import MAX_HOUSE_BYTES, MAX_SHEET_BYTES, read_toml, see_base
from hub.games.terminal import AsJson, DryRun, Files, Rules, finish
from hub.games.triangle import sheets
from hub.games.triangle.houses import read_house
from hub.games.triangle.layout import read_sheet
from hub.games.triangle.reasons import Reason
from hub.games.triangle.rules.characters import level_up as leveling
from hub.games.triangle.rules.characters.level_up import Choices, FollowUp, Regain
from hub.games.triangle.rules.characters.marks import rest as rested
from hub.games.triangle.rules.characters.sheet import KnownMove, Rest, Sheet, SheetError
from hub.games.triangle.rules.edition import Action, Edition
from hub.games.triangle.rules.editions import EDITIONS
from hub.kernel.faults import Fault, Faulty, shown
from hub.kernel.reasons import put

app = SHEET_COMMANDS = typer.Typer(
    epilog="facedown sheet level-up sorrel.toml --learn-move attack-mid --regain veto\n"
    "facedown sheet rest *.toml --kind breather --choose Sorrel:attack"
)


@app.command("level-up")
def level_up(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The character.")],
    *,
    learn_move: Annotated[str, typer.Option(metavar="MOVE", help="Learn a move.")] = "",
    variant: Annotated[
        str, typer.Option(metavar="MOVE:SIGN", help="Learn a variant: attack-high:+1 or :-1.")
    ] = "",
    replace: Annotated[
        str, typer.Option(metavar="MOVE:SIGN", help="The variant given up for it.")
    ] = "",
    combo: Annotated[
        list[str] | None,
        typer.Option(metavar="START:MOVE[:OLD]", help="Learn a follow-up, in the place of OLD."),
    ] = None,
    energy: Annotated[Action | None, typer.Option(help="One more maximum energy.")] = None,
    special: Annotated[str, typer.Option(metavar="SPECIAL", help="Learn a special.")] = "",
    called: Annotated[str, typer.Option(metavar="NAME", help="What you call it.")] = "",
    regain: Annotated[Regain | None, typer.Option(help="What comes back beside it.")] = None,
    goal: Annotated[str | None, typer.Option(help="The new goal.")] = None,
    belief: Annotated[str | None, typer.Option(help="Rewrite the belief.")] = None,
    flaw: Annotated[str | None, typer.Option(help="Rewrite the flaw.")] = None,
    ally: Annotated[
        list[Path] | None, typer.Option(metavar="FILE", help="Somebody of the same party.")
    ] = None,
    rules: Rules = None,
    dry_run: DryRun = False,
    as_json: AsJson = False,
) -> None:
    """Raise a character by a level.

    Choose one thing to learn and one thing to regain. The file is only
    written if the rules allow both; marks are erased as the book says.

    Examples:

      facedown sheet level-up sorrel.toml --learn-move attack-mid --regain veto

      facedown sheet level-up sorrel.toml --combo attack-mid:grapple-high --ally odo.toml

      facedown sheet level-up sorrel.toml --energy grapple --dry-run
    """
    house = _house(rules)
    before = _read(file, house)
    party = [_read(each, house) for each in ally or ()]
    try:
        choices = Choices(
            move=learn_move,
            variant=_variant(variant) if variant else None,
            replaces=str(_variant(replace)) if replace else "",
            combos=tuple(map(_follow_up, combo or ())),
            energy=energy,
            special=special,
            called=called,
            regain=regain,
            goal=goal,
            belief=belief,
            flaw=flaw,
        )
        after = leveling.level_up(before, choices, party)
    except SheetError as error:
        raise _refused(file, error) from None
    finish({file: (before, after)}, sheets, dry_run=dry_run, as_json=as_json)


@app.command()
def rest(
    files: Files,
    kind: Annotated[Rest, typer.Option(help="Which rest.")],
    *,
    choose: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME:TYPE", help="The type of energy that somebody regains."),
    ] = None,
    rules: Rules = None,
    dry_run: DryRun = False,
    as_json: AsJson = False,
) -> None:
    """Give all player characters the same rest.

    The files are only written if every character can rest.

    Examples:

      facedown sheet rest sorrel.toml odo.toml --kind full

      facedown sheet rest *.toml --kind breather --choose Sorrel:attack --choose Odo:defend
    """
    house = _house(rules)
    before = [_read(file, house) for file in files]
    try:
        after = rested(before, kind, dict(map(_choice, choose or ())))
    except SheetError as error:
        raise _refused(Path("the party"), error) from None
    pairs = dict(zip(files, zip(before, after, strict=True), strict=True))
    finish(pairs, sheets, dry_run=dry_run, as_json=as_json)


def _house(file: Path | None) -> Edition | None:
    return None if file is None else read_house(read_toml(file, MAX_HOUSE_BYTES))


def _read(file: Path, house: Edition | None) -> Sheet:
    document = read_toml(file, MAX_SHEET_BYTES)
    book = document.values.get("ruleset")
    if isinstance(book, str) and book not in EDITIONS:
        why = Reason("command-of-books", place="ruleset", book=shown(book), books=[*EDITIONS])
        document.refuse(("ruleset",), why)
    sheet = read_sheet(document, house=house)
    see_base(document, sheet, house)
    return sheet


def _variant(text: str) -> KnownMove:
    move, _, sign = text.partition(":")
    return KnownMove(move, variant=sign)


def _follow_up(text: str) -> FollowUp:
    moves = text.split(":")
    if len(moves) not in (2, 3):
        raise SheetError(put(f"{ascii(text)[:60]} is no follow-up; write it as START:MOVE[:OLD]"))
    return FollowUp(*moves)


def _choice(text: str) -> tuple[str, Action]:
    name, _, action = text.rpartition(":")
    if action not in [*Action]:
        raise SheetError(put(f"{ascii(text)[:60]} is no choice; write it as NAME:TYPE"))
    return name, Action(action)


def _refused(place: Path, error: SheetError) -> Faulty:
    return Faulty(*(Fault((), reason, str(place)) for reason in error.reasons))
