"""The steps of docs/develop/add-an-output.md: another output, by one class and one entry."""

import asyncio
import inspect
import queue
import threading
from contextlib import AsyncExitStack, suppress
from pathlib import Path
from typing import Self

import pytest

from hub.cards.deck import write_deck
from hub.config.demo import demo_deck
from hub.config.loader import load_config, load_table
from hub.config.settings import Config
from hub.config.values import FilePath
from hub.daemon.output import Opened, Output, Stage
from hub.daemon.outputs import OUTPUTS
from hub.daemon.serve import serve
from hub.games.triangle.demo import files
from hub.kernel.documents import Document
from hub.kernel.documents.sections import Section
from hub.kernel.faults import Fault, Faulty, noted, written
from hub.kernel.reasons import Reason
from hub.ports import Announcement
from hub.table import acts as i
from hub.table.acts import SceneSetup, tag_of
from hub.wire.log import decode_line
from tests.support.box import DECK, TAGS, Box
from tests.support.tabletalk import GIFTED

DOCS = Path(__file__).parents[2] / "docs/develop/add-an-output.md"
SEATS = {"ada": ["Ada"], "bo": ["Bo"], "gm": []}


class Printing(Section, frozen=True, kw_only=True):
    """``[printer]``"""

    enabled: bool = False
    paper: FilePath


class Printer:
    """Prints a line for each event, on paper that may be slow or used up."""

    def __init__(self, paper: Path) -> None:
        self._paper = paper
        self._lines: queue.Queue[str | None] = queue.Queue(100)
        self._writing = threading.Thread(target=self._write, daemon=True)

    async def __aenter__(self) -> Self:
        self._writing.start()
        return self

    async def __aexit__(self, *_: object) -> None:
        with suppress(queue.Full):
            self._lines.put_nowait(None)
        await asyncio.to_thread(self._writing.join, 0.5)

    def announce(self, announcement: Announcement) -> None:
        with suppress(queue.Full):
            for line in announcement.lines:
                self._lines.put_nowait(tag_of(decode_line(line).event))
            self._lines.put_nowait(f"{announcement.view.seq}: {announcement.view.phase}")

    def _write(self) -> None:
        with self._paper.open("a", encoding="utf-8") as paper:
            while (line := self._lines.get()) is not None:
                print(line, file=paper, flush=True)


async def open_printer(stage: Stage, said: Printing, stack: AsyncExitStack) -> Opened:
    printer = await stack.enter_async_context(Printer(said.paper))
    return Opened(printer, str(said.paper))


PRINTER = Output("printer", Printing, open_printer)
WITH_PRINTER = (*OUTPUTS, PRINTER)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A table without pages and broker; its file ends where the printer's section begins."""
    seats = "".join(
        f'[[seat]]\nname = "{seat}"\nreader = "sim:{seat}"\n'
        + (f"characters = {names}\n" if names else "gm = true\n")
        for seat, names in SEATS.items()
    )
    write_deck(tmp_path / "deck.toml", demo_deck())
    (tmp_path / "scene.toml").write_text(files()["scene.toml"])
    (tmp_path / "hub.toml").write_text(
        '[table]\nname = "den"\njournal = "den.journal"\ndeck = "deck.toml"\n'
        f'{seats}[scene]\nfile = "scene.toml"\n[web]\nenabled = false\n[printer]\n'
    )
    return tmp_path


def say(folder: Path, *lines: str) -> Path:
    """Append lines to the printer's section of the table file."""
    file = folder / "hub.toml"
    file.write_text(file.read_text() + "\n".join(lines))
    return file


def test_faults_in_its_section_are_reported_with_the_line(folder: Path) -> None:
    file = say(folder, 'enabled = "yes"', "papper = 1")
    with pytest.raises(Faulty) as wrong:
        load_config(file, WITH_PRINTER)
    told = str(wrong.value)
    assert "printer.enabled must be true or false" in told
    assert "printer.papper is unknown; did you mean paper?" in told
    assert f"{file}:" in told


def check_papers(document: Document, config: Config, printers: tuple[Printing, ...]) -> None:
    """No printer prints on the journal."""
    for index, printer in enumerate(printers):
        if printer.paper == config.table.journal:
            document.blame(("printer", index, "paper"), Reason("no-file-there", file="it"))


async def open_no_printer(*_: object) -> Opened:
    raise AssertionError


PRINTERS = Output("printer", tuple[Printing, ...], open_no_printer, check=check_papers)
ON, OFF = "enabled = true", "enabled = false"


@pytest.mark.parametrize(("enabled", "faults"), [(ON, ["printer[1].paper"]), (OFF, [])])
def test_enabled_sections_are_checked_against_the_configuration(
    folder: Path, enabled: str, faults: list[str]
) -> None:
    """Here the file has a section for each of two printers."""
    file = folder / "hub.toml"
    file.write_text(file.read_text().replace("[printer]", "[[printer]]"))
    say(folder, f'{enabled}\npaper = "a"\n[[printer]]\n{enabled}\npaper = "den.journal"\n')
    found: list[Fault] = []
    with noted(found):
        config = load_config(file, (*OUTPUTS, PRINTERS))
        assert (PRINTERS.enabled_in(config) is None) == (enabled == OFF)
    assert [written(each.place) for each in found] == faults


@pytest.mark.parametrize("enabled", [True, False])
async def test_it_is_opened_if_its_section_turns_it_on(folder: Path, enabled: bool) -> None:
    table = load_table(
        say(folder, f"enabled = {str(enabled).lower()}", 'paper = "paper"'), WITH_PRINTER
    )
    ready = asyncio.Event()
    running = asyncio.create_task(serve(table, lambda _: ready.set(), outputs=WITH_PRINTER))
    await ready.wait()
    running.cancel()
    with suppress(asyncio.CancelledError):
        await running
    paper = folder / "paper"
    assert paper.exists() == enabled
    assert not enabled or paper.read_text().startswith("1: idle\n")


async def test_it_receives_the_events_of_each_step(tmp_path: Path) -> None:
    async with Box(DECK, TAGS) as box, Printer(tmp_path / "paper") as printer:
        box.runner.add_publisher(printer)
        await box.give(i.Request(i.StartScene(), scene=("A duel", SceneSetup("unroll", GIFTED))))
        await box.give(i.Pause())
    printed = (tmp_path / "paper").read_text().splitlines()
    assert printed == ["1: idle", "scene-started", "2: decision", "paused", "3: paused"]


def test_the_page_shows_this_very_output() -> None:
    page = DOCS.read_text()
    assert 'PRINTER = Output("printer", Printing, open_printer)\n' in page
    for part in (Printing, Printer, open_printer):
        assert inspect.getsource(part).strip() in page
