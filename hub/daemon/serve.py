"""Wiring: creates every part from the configuration, and runs the table."""

import asyncio
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AsyncExitStack, contextmanager, suppress
from functools import partial
from logging import getLogger
from socket import socket
from typing import Never

from msgspec import Struct

from hub.cards.store import DeckStore
from hub.config.command_files import CommandFiles
from hub.config.loader import TableFiles
from hub.config.output_section import Said
from hub.config.settings import Config
from hub.daemon.addresses import Pages
from hub.daemon.clock import SteadyClock
from hub.daemon.lamps import LampKeeper
from hub.daemon.opening import Outputs
from hub.daemon.output import Output, Stage, StartError, wanted
from hub.daemon.outputs import OUTPUTS
from hub.daemon.parts import Parts, Writer, stopped
from hub.daemon.progress import NowAndThen
from hub.daemon.reports import laid, owners
from hub.daemon.restore import Restored, restore
from hub.daemon.runner import Runner
from hub.daemon.seat_readers import SeatReaders
from hub.daemon.snapshots import Snapshots, look_back, version
from hub.daemon.status import StatusSocket
from hub.daemon.systemd import Notifier, StatusLine, watchdog_s
from hub.daemon.virtual import Virtual, open_virtual
from hub.daemon.watchdog import Watchdog
from hub.daemon.workbench import Workbench
from hub.games.game import GM
from hub.journal import SqliteJournal
from hub.journal.rows import Reading
from hub.kernel.catalogues import ENGLISH
from hub.pictures.store import Pictures, folder_of
from hub.players.players import PACE_S, HubPlayers
from hub.ports import ButtonPressed, JournalError, Reader
from hub.readers.address import Address
from hub.readers.cable import Cable, Cables
from hub.readers.devices import Rivals
from hub.readers.driver import Equipment
from hub.readers.kinds import kind_of, open_reader, parse_address
from hub.readers.lamp import SeatLamps
from hub.readers.presence import DwellDeadlines
from hub.table.acts.play_for import LetHubPlay
from hub.table.inputs import Request
from hub.table.seating import displaced, people
from hub.table.state import Settings
from hub.wire.health import health_payload
from hub.world import MACHINE, World

log = getLogger(__name__)

_LOOKS_S = 0.1
_FIRST_S, _EVERY_S = 3.0, 5.0
"""When to log that a start is taking long, and how often after that."""


class Started(Struct, frozen=True):
    """A hub that is ready, for its caller."""

    pages: Pages | None = None
    """The addresses of the pages; None without pages."""
    broker: str | None = None
    """The broker's ``host:port``; None without a broker."""
    follow: Callable[[Callable[[Pages], None]], None] = lambda _: None
    """Registers a callback that gets the page addresses whenever they change."""


async def serve(
    files: TableFiles,
    on_ready: Callable[[Started], None],
    *,
    pace_s: float = PACE_S,
    demo: bool = False,
    autoplay: bool = False,
    micropython: Sequence[str] = (),
    held: Mapping[str, socket] | None = None,
    outputs: Sequence[Output[Said]] = OUTPUTS,
    world: World = MACHINE,
) -> None:
    """Run a table until cancelled. ``pace_s``: how long the hub's players think; ``demo``: if the
    hub plays the GM, it also begins and ends scenes; ``autoplay``: it plays every character;
    ``micropython``: the command that runs the firmware of simulated seats, if they have boards;
    ``held``: output → a socket that already listens at its port; ``outputs``: those that the
    configuration can enable; ``world``: the machine to run on.

    Raises :class:`StartError`, and :class:`JournalError` if the journal fails during play.
    """
    config, notifier = files.config, Notifier.of_environment()
    async with AsyncExitStack() as stack:
        try:
            name = config.table.name
            reading = Reading(_Starting(notifier, world).tell)
            journal = SqliteJournal.open(config.table.journal, name, version(), reading, world.disk)
            writer = Writer(journal, world)
            stack.push_async_callback(writer.close)
            restored = restore(journal, name, journal.snapshot, reading)
            taking = Snapshots(journal, restored, world)
            stack.callback(taking.close)
        except JournalError as error:
            raise StartError(str(error)) from None
        pictures = Pictures(folder_of(config.table.journal), world)
        store = DeckStore(config.table.decks, files.deck, world)
        runner = _runner(files, store, restored, writer, taking, pictures.has, world)
        pictures.worn = lambda: {each.picture for each in runner.state.portraits.values()}
        await runner.begin_log()
        if files.story is not None:
            await runner.begin_story(files.story)
        runner.directs = demo and config.scene is not None
        parts = await stack.enter_async_context(Parts())
        fields_in = parts.add()
        virtual = open_virtual(files, fields_in, micropython)
        lamps = SeatLamps(config.lamps.brightness)
        readers = _readers(files, store, runner, virtual, lamps, world)
        bench = Workbench(
            store, readers, virtual.fields, files.label, idle=runner.is_idle, world=world
        )
        runner.add_publisher(bench)
        stage = Stage(
            config,
            runner,
            journal,
            pictures,
            virtual.tabletop(files),
            files.file,
            files.family,
            bench,
            virtual.lights(files, runner, lamps),
            lamps,
            held or {},
            world,
        )
        opening = Outputs(stage, parts, needed=demo)
        await opening.open(wanted(config, outputs))
        if autoplay:
            await _play_everybody(runner)
        if notifier.heard:
            runner.add_publisher(StatusLine(notifier))
        players = HubPlayers(
            runner,
            runner.inbox.ask,
            chance=world.chance(),
            pace_s=pace_s,
            directs=runner.directs,
            gm_seat=config.gm_seat or GM,
            stuck=runner.note_stuck,
        )
        runner.add_publisher(players)
        await parts.add().enter_async_context(players)
        await _watch(readers, bench, fields_in, runner)
        await parts.add().enter_async_context(_door(config, runner))
        playing = asyncio.create_task(runner.run(), name="table")
        stack.push_async_callback(stopped, playing)
        stack.enter_context(_watched(notifier, writer, readers, world))
        on_ready(
            Started(opening.shown("web"), opening.shown("mqtt"), partial(opening.follow, "web"))
        )
        doubting = asyncio.create_task(_doubt(journal, restored, world), name="look back")
        stack.push_async_callback(stopped, doubting)
        await asyncio.wait({playing, doubting}, return_when=asyncio.FIRST_COMPLETED)
        for each in (playing, doubting):
            if each.done():
                each.result()


class _Starting:
    """Reports how far the journal has been read."""

    def __init__(self, notifier: Notifier, world: World = MACHINE) -> None:
        self._notifier = notifier
        self._says = NowAndThen(_FIRST_S, _EVERY_S, world)

    def tell(self, percent: int) -> None:
        """Notify the service manager each time, and the log now and then."""
        self._notifier.still_starting(percent)
        if self._says.is_due():
            log.info("reading the journal: %d %%", percent)


@contextmanager
def _watched(
    notifier: Notifier, writer: Writer, readers: SeatReaders, world: World
) -> Iterator[None]:
    """Tell systemd that the table is ready, and feed its watchdog; at the end, tell it that the hub
    stops. This context must be left before the others."""
    task = None
    if (patience_s := watchdog_s()) is not None:
        watchdog = Watchdog(notifier, patience_s, writer, readers.watched, world=world)
        task = asyncio.create_task(watchdog.run(), name="watchdog")
    notifier.ready()
    try:
        yield
    finally:
        notifier.stopping()
        if task is not None:
            task.cancel()


async def _play_everybody(runner: Runner) -> None:
    everybody = [GM, *people(runner.state, runner.settings)]
    await runner.apply(Request(LetHubPlay(tuple(dict.fromkeys(everybody)), on=True)))


async def _doubt(journal: SqliteJournal, restored: Restored, world: World) -> Never:
    """Check the snapshot that the hub started from, then wait for ever. Raises
    :class:`JournalError` if the snapshot is wrong."""
    if restored.snapshot is not None:
        await look_back(journal.path, restored.state.table, restored.snapshot, world)
    await asyncio.Event().wait()
    raise AssertionError


def table_settings(config: Config) -> Settings:
    """The settings that the table's logic needs, from the configuration."""
    timing = config.timing
    return Settings(
        seats={seat.name: seat.characters for seat in config.seats},
        gm_seat=config.gm_seat,
        reveal_delay_ms=round(timing.reveal_delay_s * 1000),
        commit_s=timing.commit_s,
        warnings_s=timing.warnings_s,
        at_zero=timing.at_zero,
    )


def _runner(  # noqa: PLR0917
    files: TableFiles,
    store: DeckStore,
    restored: Restored,
    writer: Writer,
    taking: Snapshots,
    has_picture: Callable[[str], bool],
    world: World,
) -> Runner:
    config, whose = files.config, owners(files.config)
    settings = table_settings(config)
    for seat, actors in displaced(settings, restored.state).items():
        raise StartError(
            f"{config.table.journal}: the scene being played has {', '.join(actors)} at seat "
            f"{seat}, the configuration has not; put the seats back until the scene has ended"
        )

    return Runner(
        restored=restored,
        settings=settings,
        writer=writer,
        look_up=lambda tag: laid(store.deck, whose, tag),
        files=CommandFiles(config.scene.file if config.scene else None, has_picture),
        clock=SteadyClock(restored.state.at_ms, world),
        entropy=partial(world.entropy, 32),
        stored=taking.note,
        language=config.table.language or ENGLISH,
    )


def _readers(  # noqa: PLR0917
    files: TableFiles,
    store: DeckStore,
    runner: Runner,
    virtual: Virtual,
    lamps: SeatLamps,
    world: World,
) -> SeatReaders:
    dwell_deadlines, cables = DwellDeadlines(), Cables(partial(Cable, world=world))
    sink = runner.report_from_thread(asyncio.get_running_loop())
    heeded = {seat.name for seat in files.config.seats if seat.button == "pause"}

    def make(seat: str, address: Address) -> Reader:
        return open_reader(
            seat,
            address,
            dwell_s=files.config.timing.dwell_s,
            dwell_deadlines=dwell_deadlines,
            equipment=Equipment(
                world=world,
                learnt=store.learnt,
                cables=cables,
                lamp=lamps.of(seat) if kind_of(address).lamps else None,
                pressed=partial(sink, ButtonPressed(seat)) if seat in heeded else None,
            ),
            rivals=rivals,
        )

    addresses: Mapping[str, Address] = {
        **{seat.name: parse_address(seat.reader) for seat in files.config.seats},
        **virtual.addresses,
    }
    rivals = Rivals(addresses)
    if virtual.fields or any(kind_of(each).lamps for each in addresses.values()):
        for seat in addresses:
            lamps.of(seat)
        keeper = LampKeeper(lamps)
        runner.add_publisher(keeper)
        runner.add_listener(keeper.hear)
    return SeatReaders(addresses, make, sink)


def _door(config: Config, runner: Runner) -> StatusSocket:
    return StatusSocket(config.table.journal, lambda: health_payload(runner.health()))


async def _watch(
    readers: SeatReaders, bench: Workbench, stack: AsyncExitStack, runner: Runner
) -> None:
    stack.push_async_callback(readers.close)
    await stack.enter_async_context(bench)
    readers.open()
    runner.inbox.look_first = lambda: fresh_looks(readers.watched())


async def fresh_looks(readers: Sequence[Reader]) -> None:
    """Wait until every reader with a card on it has looked anew, but at most 0.1 s, because one may
    hang."""
    loop = asyncio.get_running_loop()
    looks: list[asyncio.Event] = []
    for reader in readers:
        looked = asyncio.Event()

        def done(looked: asyncio.Event = looked) -> None:
            with suppress(RuntimeError):  # the loop has ended
                loop.call_soon_threadsafe(looked.set)

        if reader.look(done):
            looks.append(looked)
    if looks:
        with suppress(TimeoutError):
            async with asyncio.timeout(_LOOKS_S):
                for looked in looks:
                    await looked.wait()
