"""The runner: it takes inputs from one queue, one after the other. For each it stores the records
durably, then adopts the new state, then announces it; never in another order."""

import asyncio
import logging
from collections import deque
from collections.abc import Callable, Collection, Sequence
from contextlib import suppress
from functools import partial
from typing import Any, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from hub.daemon.health import Counters
from hub.daemon.inbox import Asked, Inbox
from hub.daemon.journal_retry import JournalRetry
from hub.daemon.logs import place_of
from hub.daemon.parts import Writer
from hub.daemon.repeats import DoneCommands, StaleNextGuard, key_of
from hub.daemon.reports import Reports
from hub.daemon.restore import TAIL_LINES, Restored
from hub.games.game import GM, Offer
from hub.games.registry import family_of, texts, words_of
from hub.games.story import DeedOffer
from hub.games.telling import Words
from hub.kernel.catalogues import ENGLISH
from hub.kernel.memo import Memo
from hub.kernel.reasons import Reason
from hub.kernel.texts import Said
from hub.ports import Announcement, AtPanel, Clock, Hindrance, JournalError, Publisher, ReaderEvent
from hub.table.acts.clock import BeginLog, SetClock, Tick
from hub.table.acts.field import FieldChanged
from hub.table.acts.story import BeginStory
from hub.table.coming import Coming, coming
from hub.table.desk import SeatSignal, matters, next_due, seen_until, shown_of
from hub.table.inputs import Command, CommandFault, Files, Input, request, stale
from hub.table.preview import Difference, preview
from hub.table.private_views import HandView, console_view, hand_view
from hub.table.records import Record, tag_of
from hub.table.seating import cast
from hub.table.signals import Signal
from hub.table.spots import Desk, Laid
from hub.table.state import SeatFault, Settings, TableState, version_of
from hub.table.step import Step, step
from hub.table.views import Question, deeds, hand_offers, public_view, questions, seat_views
from hub.wire.chronicle import ruleset_told
from hub.wire.health import Health
from hub.wire.log import Row, Scribe
from hub.wire.private_frames import Console, Hand, console_frame, hand_frame
from hub.wire.replies import Code, Reply

log = logging.getLogger(__name__)

T = TypeVar("T")
_AFTER_FAULT_S = 1.0
_JOURNAL = "journal"
_QUICK_S = 0.001
"""How long a quick disk takes (s). While a slower one works, the announcement is built."""
WRONG_MS = 10_000
"""The largest clock error that is tolerated (ms). A larger one is corrected, and the log records
the correction."""
_LOOK_S = 5.0
"""How often the clock is checked while something is due (s), because it may be set meanwhile."""


class Runner:
    """Drives the table: takes each input from the inbox, steps, stores the records, and announces
    them."""

    def __init__(
        self,
        *,
        restored: Restored,
        settings: Settings,
        writer: Writer,
        look_up: Callable[[str], Laid],
        files: Files,
        clock: Clock,
        entropy: Callable[[], bytes],
        stored: Callable[[TableState], None] = lambda state: None,
        language: str = ENGLISH,
    ) -> None:
        """``writer`` stores records; ``look_up`` returns the meaning of a tag; ``files``: what
        commands need of the hub's files; ``entropy`` returns 32 fresh random bytes; ``stored`` is
        called with each stored state; ``language``: the language of the log. A reader has the name
        of its seat."""
        self.inbox = Inbox()
        self.settings = settings
        self._state = restored.state
        self._head = restored.head
        self._tail = deque(restored.tail, maxlen=TAIL_LINES)
        self._chronicle = restored.chronicle
        self._desk: Desk = {}
        self._memo = Memo()
        self.reported = Reports(look_up).input_of
        """Converts a reader's report to an input of the table."""
        self._files = files
        self._clock = clock
        self._entropy = entropy
        self._texts = texts(language)
        self._done = DoneCommands(writer.journal.done())
        self._hindrances: dict[str, Hindrance] = {}
        self._stuck: tuple[str, ...] = ()
        self.directs = False
        """Whether the hub, while it is the GM, also begins and ends scenes."""
        self._panel: AtPanel | None = None
        self._stale_next = StaleNextGuard(lambda: asyncio.get_running_loop().time())
        self._faults: set[str] = set()
        self._publishers: list[Publisher] = []
        self._listeners: list[Callable[[SeatSignal], None]] = []
        self._log_listeners: list[Callable[[int], object]] = []
        self._stored = stored
        self.counters = Counters(settings.seats, clock.began_ms)
        hindered = partial(self.hinder, _JOURNAL)
        self._journal_retry = JournalRetry(writer, hindered, self.counters.note_stored)

    async def begin_log(self) -> None:
        """Begin the log, unless the journal has one; then correct the clock if needed."""
        if not self._state.log:
            await self.apply(BeginLog())
        await self._keep_time()

    async def begin_story(self, story: BeginStory) -> None:
        """Begin the configured story, unless the journal already has one."""
        if self._state.story is not None:
            return
        if self._state.scene is None:
            await self.apply(story)
        else:
            log.warning("the story begins at the next start: a scene is being played")

    def now_ms(self) -> int:
        """The table's time, in ms since the Unix epoch."""
        return self._clock.now_ms()

    def add_publisher(self, publisher: Publisher) -> None:
        """Announce to ``publisher`` from now on, starting with the current state."""
        self._publishers.append(publisher)
        self._tell(publisher.announce, self._announcement(()))

    def add_log_listener(self, hear: Callable[[int], object]) -> None:
        """Call ``hear`` with the number of the log's last line whenever lines have been stored.
        They may be published at once; the announcement follows as soon as its view is built."""
        self._log_listeners.append(hear)

    def add_listener(self, listener: Callable[[SeatSignal], None]) -> None:
        """Pass every signal for a single seat to ``listener``."""
        self._listeners.append(listener)

    def offers(self, actor: str) -> tuple[Offer, ...]:
        """The choices offered to ``actor`` now: for its own player only."""
        return hand_offers(self._state, actor)

    def questions(self) -> Sequence[Question]:
        """The decisions open now; see :class:`hub.ports.PrivateViews`. Many pages ask in the same
        state, so the result is cached, as are the other views below."""
        return self._memo.of("questions", (self._state,), partial(questions, self._state))

    def deeds(self) -> Sequence[DeedOffer]:
        """The deeds open to the GM now; see :class:`hub.ports.PrivateViews`. The story does not
        change during most steps of a scene, so its offers are cached."""
        state, told, offered = self._state, self._state.story, None
        if told is not None:
            offers = partial(told.rules.offers, told.state)
            offered = self._memo.of("offers", (told.state,), offers)
        return self._memo.of("deeds", (state,), partial(deeds, state, offered))

    def cast(self) -> Sequence[str]:
        """The characters with a living sheet in the story; see :class:`hub.ports.PrivateViews`."""
        return self._memo.of("cast", (self._state,), partial(cast, self._state))

    def console(self) -> Console:
        """What the GM's console shows besides the public view; see
        :class:`hub.ports.PrivateViews`."""
        state, settings, desk, stuck = self._state, self.settings, self._desk, self._stuck
        hindrances, directs = tuple(self._hindrances.values()), self.directs
        blind = {seat for seat, spot in desk.items() if spot.blind}
        return self._memo.of(
            "console",
            (state, settings),
            lambda: console_frame(
                console_view(state, settings, desk),
                hindrances,
                stuck,
                directs=directs,
                words=self._words_of_story(),
            ),
            (self._matters(), seen_until(state, desk), blind, hindrances, stuck, directs),
        )

    def _matters(self) -> dict[str, Signal]:
        state, desk = self._state, self._desk
        return self._memo.of("matters", (state, desk), partial(matters, state, desk))

    @property
    def state(self) -> TableState:
        """The table's state, including sealed values."""
        return self._state

    def is_idle(self) -> bool:
        """Whether no scene is played."""
        return self._state.scene is None

    def note_stuck(self, actors: Collection[str]) -> None:
        """Tell the GM for which actors the hub finds no choice; empty: for none."""
        self._stuck = tuple(actors)
        self._announce(self._announcement(()))

    def tell_panel(self, panel: AtPanel) -> None:
        """Publish the panel's state, if it has changed."""
        if panel != (self._panel or AtPanel()):
            self._panel = panel
            self.counters.note_panel(panel.missing)
            self._announce(self._announcement(()))

    def hand(self, seat: str) -> Hand:
        """The hand of a seat; see :class:`hub.ports.PrivateViews`."""
        state, settings, desk = self._state, self.settings, self._desk
        return self._memo.of(
            f"hand {seat}",
            (state, settings),
            lambda: self._hand_frame(hand_view(state, settings, seat, desk, self._coming())),
            (self._matters().get(seat), seen_until(state, desk).get(seat)),
        )

    def _hand_frame(self, hand: HandView) -> Hand:
        family = family_of(hand.coming) if hand.coming else None
        return hand_frame(hand, self._words_of_story(), family.id if family else None)

    def _coming(self) -> Coming | None:
        """The configured scene, while there is neither a scene nor a story; None if there is none,
        or if its file has faults."""
        state, files = self._state, self._files

        def read() -> Coming | None:
            with suppress(SeatFault):
                return coming(state.rulebooks, files.scene()[1])
            return None

        if state.scene is not None or state.story is not None:
            return None
        return self._memo.of("coming", (state,), read)

    def hinder(self, part: str, hindrance: Hindrance | None) -> None:
        """Tell the GM about a problem of ``part``, a part of the hub; None: its problem is over."""
        before = self._hindrances.pop(part, None)
        if hindrance is not None:
            self._hindrances[part] = hindrance
        if hindrance is not before:
            self._announce(self._announcement(()))

    def preview(self, command: Command, by: str = GM) -> Sequence[Difference]:
        """The changes that a command would make; see :class:`hub.ports.PrivateViews`. A command
        that stands for another, as a wish does for a deed of the GM's, is judged as the GM's."""
        shown = command.previewed()
        asked = request(shown, by if shown is command else GM, self._state, self._files)
        return preview(self._state, self.settings, asked)

    def told(self, command: Command) -> Said | None:
        """The log's text if this command is carried out; see :class:`hub.ports.PrivateViews`."""
        return command.told(words_of(ruleset_told(self._state, self._state)))

    def _words_of_story(self) -> Words:
        story = self._state.story
        return words_of(story.rules.ruleset if story else "")

    def beginning(self) -> Struct | None:
        """The options for a new player character; see :class:`hub.ports.PrivateViews`."""
        told = self._state.story
        family = family_of(told.rules.ruleset) if told else None
        return family.fresh.beginning(told.state) if told and family and family.fresh else None

    def health(self) -> Health:
        """The hub's health, counted since its start."""
        return self.counters.health(self._state.seq, stalled=_JOURNAL in self._hindrances)

    def chronicle(self, after: int) -> Sequence[dict[str, Any]]:
        """The newest entries of the chronicle; see :class:`hub.ports.PrivateViews`."""
        return self._chronicle.after(after)

    def lines_after(self, seq: int, limit: int) -> Sequence[Row]:
        """Up to ``limit`` log lines numbered above ``seq``, oldest first, without secrets.

        Lines older than the last :data:`TAIL_LINES` are not available: the first one returned then
        has a higher number than ``seq + 1``.
        """
        if not self._tail or self._tail[-1].seq <= seq:
            return ()
        first = max(0, seq + 1 - self._tail[0].seq)
        return [self._tail[at] for at in range(first, min(first + limit, len(self._tail)))]

    def report_from_thread(self, loop: asyncio.AbstractEventLoop) -> Callable[[ReaderEvent], None]:
        """A function that readers' threads can report to; reports after the loop has closed are
        dropped."""

        def report(event: ReaderEvent) -> None:
            try:
                loop.call_soon_threadsafe(self.inbox.report, event)
            except RuntimeError:
                return

        return report

    async def run(self) -> None:
        """Play until cancelled. Raises :class:`JournalError` if the journal cannot be written;
        nothing more is announced then."""
        try:
            await self._do(None)  # do what came due while the hub was down
            while True:
                await self._turn()
        finally:
            self.inbox.refuse_all(Reason("hub-stopping"))

    async def _turn(self) -> None:
        due = next_due(self._state, self._desk)
        wait_s = None
        if due is None:
            self._clock.follow()
        else:
            wait_s = min(_LOOK_S, max(0.0, (due - self._clock.now_ms()) / 1000))
        await self._do(await self.inbox.take(wait_s))

    async def _keep_time(self) -> None:
        """If the clock is wrong, record that in the log, and set it. A clock that is behind while
        nothing is due catches up by itself."""
        by_ms = self._clock.off_ms()
        if by_ms < -WRONG_MS or (
            by_ms > WRONG_MS and next_due(self._state, self._desk) is not None
        ):
            await self.apply(SetClock(by_ms))
            how = "forward" if by_ms > 0 else "back"
            log.warning("the clock was wrong: it is set %s by %d s", how, abs(by_ms) // 1000)

    async def _do(self, item: ReaderEvent | Asked | None) -> None:
        """Handle an item from the inbox; None: something is due."""
        try:
            await self._keep_time()
            if item is None:
                await self.apply(Tick())
            elif not isinstance(item, Asked):
                self.counters.note_reader(item)
                given = self.reported(item)
                if not (isinstance(given, FieldChanged) and given.is_known(self._desk)):
                    await self.apply(given)
            else:
                reply = await self._obey(item)
                if not item.answer.done():
                    item.answer.set_result(reply)
        except JournalError:
            raise
        except Exception as error:
            # A fault in the program. step() has changed nothing, so the table can play on. The
            # exception's text may name a card, so it is not logged.
            fault = f"{type(error).__name__}{place_of(error)}"
            level = logging.DEBUG if fault in self._faults else logging.ERROR
            log.log(level, "an input could not be handled: %s", fault)
            self._faults.add(fault)
            self._answer_failed(item)
            if item is None:
                await asyncio.sleep(_AFTER_FAULT_S)  # it is still due

    def _answer_failed(self, item: ReaderEvent | Asked | None) -> None:
        if isinstance(item, Asked) and not item.answer.done():
            item.answer.set_result(self._refusal(item, Reason("hub-failed"), Code.FAILED))

    def _refusal(self, asked: Asked, why: Reason, code: Code) -> Reply:
        return Reply(asked.command.id, False, why, self._state.seq, code)

    async def _obey(self, asked: Asked) -> Reply:
        command = asked.command
        once = key_of(asked.by, asked.once, command)
        try:
            done = self._done.seq(once)
        except SeatFault as fault:
            return self._refusal(asked, fault.reason, Code.ILLEGAL)
        if done is not None:
            return Reply(command.id, ok=True, seq=done)
        why = stale(command, version_of(self._state)) or self._stale_next.why(command)
        if why:
            return self._refusal(asked, why, Code.STALE)
        try:
            given = request(command, asked.by, self._state, self._files, asked.browser)
            await self.apply(given, once)
        except SeatFault as fault:
            return self._refusal(asked, fault.reason, Code.ILLEGAL)
        except CommandFault as fault:
            return self._refusal(asked, fault.reason, Code.MALFORMED)
        return Reply(command.id, ok=True, seq=self._state.seq)

    def _log(self, records: Sequence[Record], words: Words) -> None:
        if not log.isEnabledFor(logging.INFO):
            return
        for record in records:
            told = " ".join(map(self._texts.sentence, record.event.told(words)))
            log.info("%s", tag_of(record.event), extra={"seq": record.seq, "told": told})

    async def apply(self, given: Input, once: str = "") -> None:
        """Process one input completely; ``once`` is the key of its command, if it is remembered.
        Raises :class:`SeatFault`, :class:`JournalError`."""
        scribe, now_ms = Scribe(self._head), self._clock.now_ms()
        done = step(
            self._state,
            self._desk,
            given,
            settings=self.settings,
            now_ms=now_ms,
            entropy=self._entropy(),
            written=scribe,
        )
        rows = scribe.rows
        ruleset = ruleset_told(self._state, done.state)
        shown = shown_of(done.desk) == shown_of(self._desk)
        due_ms = (self._state.scene and self._state.scene.reveal_at_ms) or now_ms
        making: asyncio.Task[Announcement] | None = None
        if rows:
            storing = self._journal_retry.store(rows, once)
            if storing is not None:
                # Prepared while a slow disk works, and announced only after it is done.
                making = asyncio.create_task(self._make_news(done, scribe))
                try:
                    await storing
                except BaseException:
                    making.cancel()
                    raise
            self._tail.extend(Row(row.seq, row.line) for row in rows)
        before, self._state, self._desk = self._state, done.state, done.desk
        self._head = scribe.head
        if rows:
            for hear in self._log_listeners:
                self._tell(hear, rows[-1].seq)
            self._done.remember(once, rows[-1].seq)
            self._chronicle.note(before, done.records)
        if isinstance(given, SetClock):
            self._clock.move(given.by_ms)
        self._stale_next.note(before, done.state)
        if rows:
            self._announce(self._news(making, done, scribe))
            self._log(done.records, words_of(ruleset))
            self._stored(self._state)
            events = [record.event for record in done.records]
            self.counters.note_told(events, self._clock.now_ms() - due_ms)
        elif not shown:
            self._announce(self._announcement(()))
        for tell in done.tells:
            for listener in self._listeners:
                self._tell(listener, tell)
        if making is None:
            await asyncio.sleep(0)  # so that many inputs do not keep the loop from other work

    async def _make_news(self, done: Step, scribe: Scribe) -> Announcement:
        """Build the announcement unless the disk is quick: then the lines are published first."""
        await asyncio.sleep(_QUICK_S)
        return self._news_of(done, scribe)

    def _news(
        self, making: "asyncio.Task[Announcement] | None", done: Step, scribe: Scribe
    ) -> Announcement:
        if making is not None and making.done():
            return making.result()
        if making is not None:
            making.cancel()
        return self._news_of(done, scribe)

    def _news_of(self, done: Step, scribe: Scribe) -> Announcement:
        lines = tuple(row.line for row in scribe.rows)
        return self._announcement_of(done.state, done.desk, scribe.head, lines)

    def _announce(self, announcement: Announcement) -> None:
        for publisher in self._publishers:
            self._tell(publisher.announce, announcement)

    def _tell(self, hear: Callable[[T], object], news: T) -> None:
        """Call ``hear`` with ``news``. A fault in a publisher or listener is logged once, and does
        not affect the others."""
        try:
            hear(news)
        except Exception as error:
            fault = f"{type(error).__name__}{place_of(error)}"
            if fault not in self._faults:
                log.error("what happens could not be shown everywhere: %s", fault)
            self._faults.add(fault)

    def _announcement(self, lines: tuple[bytes, ...]) -> Announcement:
        now = self._announcement_of(self._state, self._desk, self._head, lines)
        return replace(now, stalled=_JOURNAL in self._hindrances)

    def _announcement_of(
        self, state: TableState, desk: Desk, head: str, lines: tuple[bytes, ...]
    ) -> Announcement:
        seats = seat_views(state, self.settings, desk)
        view = public_view(state, seats, head, self.settings.commit_s)
        return Announcement(view, lines, state.revealed_at_ms, self._panel)
