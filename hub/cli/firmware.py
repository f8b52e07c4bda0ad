"""``facedown firmware``: programs for boards, and installing them."""

from typing import Annotated

import typer

from hub.cli.failing import give_up
from hub.cli.firmware_board import PROGRAMS, BoardFault, board_at

app = typer.Typer(
    add_completion=False,
    rich_markup_mode=None,
    no_args_is_help=True,
    help="What runs on boards: seat readers and clocks.",
)


@app.command("list")
def list_programs() -> None:
    """List the programs, their purpose, and the hash that identifies a board's version."""
    for program in PROGRAMS.values():
        files = program.files()
        size = sum(map(len, files.values())) / 1024
        typer.echo(f"{program.name:<12} {program.what}")
        typer.echo(f"{'':<12} {len(files)} files, {size:.0f} KiB, {program.digest()[:12]}")


@app.command()
def flash(
    port: Annotated[str, typer.Argument(metavar="PORT", help="The board's serial port.")],
    program: Annotated[str, typer.Argument(metavar="PROGRAM", help="led_clock or seat_reader.")],
    *,
    replace: Annotated[
        bool, typer.Option("--replace", help="Also if the board is something else by now.")
    ] = False,
) -> None:
    """Put a program on a board that runs MicroPython, check it file by file, and start it.

    The settings on the board (clock.json, seat.json) stay unchanged. Files that are the same are
    not written again.

    Example:

      facedown firmware flash /dev/ttyACM0 led_clock
    """
    wanted = PROGRAMS.get(program)
    if wanted is None:
        give_up(f"there is no program {program!r}; there are {', '.join(PROGRAMS)}")
    from rich.console import Console
    from rich.progress import Progress

    total = sum(map(len, wanted.files().values()))
    console = Console(stderr=True)
    try:
        with board_at(port) as board:
            board.check(wanted, replace=replace)
            machine = board.machine
            with Progress(console=console, disable=not console.is_terminal) as bar:
                task = bar.add_task(machine, total=total)
                written = board.write(
                    wanted, lambda path, done: bar.update(task, completed=done, description=path)
                )
    except BoardFault as fault:
        give_up(str(fault))
    typer.echo(
        f"{machine}: {program} {wanted.digest()[:12]}, {written} files written, all checked; "
        "it starts now"
    )
