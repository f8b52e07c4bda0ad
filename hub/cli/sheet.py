"""``facedown sheet``: check, level up and rest characters in their files."""

from collections.abc import Collection, Iterable
from pathlib import Path
from typing import Annotated

import typer
from msgspec import UNSET, UnsetType

from hub.cli.sheet_export import export
from hub.cli.sheet_tables import show_changes, show_checked
from hub.daemon.sheets.files import example as example_file
from hub.daemon.sheets.files import load_house, load_sheet, samples, save_sheets
from hub.rules.toml import FileFault, Problem
from hub.rules.triangle.characters import level_up as leveling
from hub.rules.triangle.characters.book import Rest
from hub.rules.triangle.characters.level_up import Choices, FollowUp, Regain
from hub.rules.triangle.characters.rest import rest as rested
from hub.rules.triangle.characters.sheet import KnownMove, Sheet, SheetError
from hub.rules.triangle.edition import Action, Edition

UNUSABLE = 2

app = typer.Typer(name="sheet", no_args_is_help=True, add_completion=False, rich_markup_mode=None)

Files = Annotated[list[Path], typer.Argument(metavar="FILE...", help="Character files.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON.")]
Rules = Annotated[
    Path | None, typer.Option("--rules", metavar="FILE", help="House rules that they go by.")
]
DryRun = Annotated[bool, typer.Option("--dry-run", help="Show what would change; write nothing.")]


app.command()(export)


@app.callback()
def sheet() -> None:
    """Check, level up and rest characters.

    docs/rules/characters.md describes the files.

    Examples:

      facedown sheet example > sorrel.toml

      facedown sheet check *.toml

      facedown sheet level-up sorrel.toml --learn-move attack-mid --regain veto

      facedown sheet rest *.toml --kind breather --choose Sorrel:attack

      facedown sheet export kitchen.journal characters/
    """


@app.command()
def check(
    files: Files,
    together: Annotated[
        bool, typer.Option(help="They are one party: combos start from what one of them knows.")
    ] = False,
    rules: Rules = None,
    as_json: AsJson = False,
) -> None:
    """Check characters against the rules of their book.

    Every fault is told at once, each with its line. Exit status 2 if there is one.

    Examples:

      facedown sheet check sorrel.toml

      facedown sheet check *.toml --together --json

      facedown sheet check *.toml --rules my-house.toml
    """
    house = _house(rules)
    sound, faults = _load(files, house)
    if together:
        sound, more = _load(sound, house, [*sound.values()])
        faults += more
    show_checked(files, sound, faults, as_json=as_json)
    for problem in [] if as_json else faults:
        typer.echo(str(problem), err=True)
    if faults:
        raise typer.Exit(UNUSABLE)


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

    Choose one thing to learn, and what to regain. The file is only
    written if everything is allowed; its marks are erased as the book says.

    Examples:

      facedown sheet level-up sorrel.toml --learn-move attack-mid --regain veto

      facedown sheet level-up sorrel.toml --combo attack-mid:grapple-high --ally odo.toml

      facedown sheet level-up sorrel.toml --energy grapple --dry-run
    """
    house = _house(rules)
    before = load_sheet(file, rules=house)
    party = [load_sheet(each, rules=house) for each in ally or ()]
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
    _finish({file: (before, after)}, dry_run=dry_run, as_json=as_json)


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
    """Let all player characters rest alike.

    The files are only written if everybody can rest.

    Examples:

      facedown sheet rest sorrel.toml odo.toml --kind full

      facedown sheet rest *.toml --kind breather --choose Sorrel:attack --choose Odo:defend
    """
    house = _house(rules)
    before = [load_sheet(file, rules=house) for file in files]
    try:
        after = rested(before, kind, dict(map(_choice, choose or ())))
    except SheetError as error:
        raise _refused(Path("the party"), error) from None
    pairs = dict(zip(files, zip(before, after, strict=True), strict=True))
    _finish(pairs, dry_run=dry_run, as_json=as_json)


@app.command()
def example(
    name: Annotated[str, typer.Argument(metavar="[NAME]", help="One of those listed.")] = "",
    listed: Annotated[bool, typer.Option("--list", help="List what there is.")] = False,
) -> None:
    """Print a character file: one with every key explained, or one ready to play.

    Examples:

      facedown sheet example > sorrel.toml

      facedown sheet example --list

      facedown sheet example unroll-marit > marit.toml
    """
    known = samples()
    if listed:
        typer.echo("\n".join(known))
    elif not name:
        typer.echo(example_file(), nl=False)
    elif name in known:
        typer.echo(known[name], nl=False)
    else:
        reason = f"there is no example {ascii(name)[:60]}; there are {', '.join(known)}"
        raise FileFault([Problem("example", 0, reason)])


def _house(rules: Path | None) -> Edition | UnsetType:
    return UNSET if rules is None else load_house(rules)[1]


def _load(
    files: Iterable[Path], house: Edition | UnsetType, party: Collection[Sheet] | None = None
) -> tuple[dict[Path, Sheet], list[Problem]]:
    """The sound characters, and what is wrong with the others."""
    sound: dict[Path, Sheet] = {}
    faults: list[Problem] = []
    for file in files:
        try:
            sound[file] = load_sheet(file, party, house)
        except FileFault as fault:
            faults += fault.problems
    return sound, faults


def _variant(text: str) -> KnownMove:
    move, _, sign = text.partition(":")
    return KnownMove(move, variant=sign)


def _follow_up(text: str) -> FollowUp:
    moves = text.split(":")
    if len(moves) not in (2, 3):
        raise SheetError(f"{ascii(text)[:60]} is no follow-up; write it as START:MOVE[:OLD]")
    return FollowUp(*moves)


def _choice(text: str) -> tuple[str, Action]:
    name, _, action = text.rpartition(":")
    if action not in [*Action]:
        raise SheetError(f"{ascii(text)[:60]} is no choice; write it as NAME:TYPE")
    return name, Action(action)


def _refused(place: Path, error: SheetError) -> FileFault:
    return FileFault(Problem(str(place), 0, reason) for reason in error.reasons)


def _finish(pairs: dict[Path, tuple[Sheet, Sheet]], *, dry_run: bool, as_json: bool) -> None:
    """Write what changed, unless it is a dry run; then show it."""
    if not dry_run:
        save_sheets({file: after for file, (_, after) in pairs.items()})
    show_changes(pairs, written=not dry_run, as_json=as_json)
