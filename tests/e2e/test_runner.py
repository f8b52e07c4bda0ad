"""The runner: one order for everything, and its behaviour when the program itself is at fault."""

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from hub.daemon.inbox import MAX_WAITING, Asked, Inbox
from hub.daemon.serve import fresh_looks
from hub.games.game import Choice
from hub.games.story import parse_deed
from hub.ports import Announcement, FieldSeen, ReaderDown, ReaderTroubled, ReaderUp
from hub.table import acts as c
from hub.table import acts as i
from hub.table.acts import Command, Decide, Pause, StartScene, StorySheets, TellStory
from hub.table.sealed import Sealed
from hub.table.state import Version
from hub.wire.replies import Code, Reply
from tests.support.box import DECK, TAGS, Box, sealed
from tests.support.evening import cast


async def test_a_fault_in_the_rules_is_logged_without_secrets_and_the_table_plays_on(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async with Box(DECK, TAGS) as box:
        running = asyncio.create_task(box.runner.run())
        with monkeypatch.context() as broken:

            def fail(*_: object) -> None:
                raise KeyError("move attack-high")

            broken.setattr("hub.daemon.runner.step", lambda *_, **__: fail())
            reply = await box.runner.inbox.ask(StartScene(id="1"), "gm")
            assert not reply.ok and "see its log" in reply.reason
        assert (await box.runner.inbox.ask(StartScene(id="2"), "gm")).ok
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)
    errors = [r.getMessage() for r in caplog.records if r.levelno >= logging.ERROR]
    assert len(errors) == 1 and "KeyError at test_runner.py" in errors[0]
    assert "attack-high" not in caplog.text


async def test_a_stopping_hub_answers_every_waiting_command() -> None:
    async with Box(DECK, TAGS) as box:
        asking = asyncio.create_task(box.runner.inbox.ask(Pause(id="1"), "gm"))
        await asyncio.sleep(0)
        running = asyncio.create_task(box.runner.run())
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)
        box.runner.inbox.refuse_all("the hub is stopping")
        assert not (await asking).ok


async def test_only_the_gm_gives_commands_other_than_decisions() -> None:
    async with Box(DECK, TAGS) as box:
        running = asyncio.create_task(box.runner.run())
        reply = await box.runner.inbox.ask(Pause(id="1"), "ada")
        assert not reply.ok and "for the GM" in reply.reason
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)


async def test_a_full_inbox_keeps_each_readers_newest_report_and_refuses_commands() -> None:
    inbox = Inbox()
    inbox.report(ReaderUp("bo"))
    for number in range(2 * MAX_WAITING):
        inbox.report(FieldSeen("ada", (str(number),)))
    reply = await inbox.ask(Pause(id="1"), "gm")
    assert not reply.ok and "busy" in reply.reason
    taken = [await inbox.take(0) for _ in range(MAX_WAITING)]
    assert taken[0] == ReaderUp("bo")
    assert taken[-1] == FieldSeen("ada", (str(2 * MAX_WAITING - 1),))
    assert await inbox.take(0) is None


async def test_a_full_inbox_loses_neither_a_readers_return_nor_an_accepted_command() -> None:
    inbox = Inbox()
    asked = asyncio.ensure_future(inbox.ask(Pause(id="1"), "gm"))
    await asyncio.sleep(0)
    for _ in range(2 * MAX_WAITING):
        inbox.report(FieldSeen("ada", ("of-ada",)))
    for event in (ReaderDown("bo", "unplugged?"), ReaderUp("bo"), FieldSeen("bo", ("of-bo",))):
        inbox.report(event)
    inbox.report(FieldSeen("bo", ()))
    taken = []
    while (item := await inbox.take(0)) is not None:
        taken.append(item)
    first, *others = taken
    assert isinstance(first, Asked) and first.command == Pause(id="1")
    assert [each for each in others if each.reader == "bo"] == [
        ReaderDown("bo", "unplugged?"),
        ReaderUp("bo"),
        FieldSeen("bo", ()),
    ]
    assert len(taken) <= MAX_WAITING + 4
    asked.cancel()


async def test_a_repeated_fault_is_logged_once_and_does_not_spin(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async with Box(DECK, TAGS) as box:
        tries = 0

        def fail(*_: object, **__: object) -> None:
            nonlocal tries
            tries += 1
            raise KeyError("move attack-high")

        monkeypatch.setattr("hub.daemon.runner.step", fail)
        monkeypatch.setattr("hub.daemon.runner.next_due", lambda *_: 0)
        monkeypatch.setattr("hub.daemon.runner._AFTER_FAULT_S", 0.05)
        running = asyncio.create_task(box.runner.run())
        await asyncio.sleep(0.3)
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)
    assert 2 <= tries < 20
    assert sum(r.levelno >= logging.ERROR for r in caplog.records) == 1


async def test_events_due_while_the_hub_was_down_happen_at_its_start() -> None:
    """Even when the clock was set back meanwhile: see ``test_clock.py``."""
    async with Box(DECK, TAGS, reveal_delay_ms=1000) as box:
        running = asyncio.create_task(box.runner.run())
        ask = box.runner.inbox.ask
        assert (await ask(StartScene(id="1"), "gm")).ok
        assert (await ask(Decide(id="2", actor="gm", choice="active ada"), "gm")).ok
        assert (await ask(Decide(id="3", actor="ada", choice="opponent ninja"), "gm")).ok
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)
        for actor, seat in (("ada", "ada"), ("ninja", "gm")):
            await box.give(i.Request(i.Commit(actor, sealed("stance none")), seat))
        box.clock.ms -= 7_200_000
        await box.boot()
        box.clock.ms += 1000
        running = asyncio.create_task(box.runner.run())
        reply = await box.runner.inbox.ask(Pause(id="4"), "gm")
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)
        assert reply.ok
        assert any(b'"type":"revealed"' in data for _, data in box.out)


async def ask(box: Box, command: Command) -> str:
    """Return why the command is refused, or an empty string when it was done."""
    return (await box.runner.inbox.ask(command, "gm")).reason


async def test_a_story_is_begun_once_and_outlives_the_hub() -> None:
    tide = parse_deed("countdown new 6 The tide")
    begin = i.BeginStory("unroll", StorySheets(cast()), (tide,))
    async with Box(DECK, TAGS) as box:
        await box.runner.begin_story(begin)
        running = asyncio.create_task(box.runner.run())
        assert await ask(box, TellStory(id="1", deed="countdown mark The tide")) == ""
        assert "no countdown" in await ask(box, TellStory(id="2", deed="countdown mark Rain"))
        unknown = StartScene(id="3", scene={"type": "conflict", "stakes": 1})
        reply = await box.runner.inbox.ask(unknown, "gm")
        assert (reply.ok, reply.code) == (False, Code.MALFORMED)
        assert reply.reason == "not a command: Expected `str`, got `int` - at `$.scene.stakes`"
        duel = {"type": "conflict", "stakes": "A boat"}
        assert await ask(box, StartScene(id="3", scene=duel)) == ""
        assert "has to wait" in await ask(box, TellStory(id="4", deed="rest full"))
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)
        before = box.runner._announcement(())
        await box.boot()
        await box.runner.begin_story(begin)
        after = box.runner._announcement(())
        assert after == before
        assert after.view.story is not None
        assert after.view.story.countdowns[0].marked == 1
        assert after.view.story.stakes == "A boat"
        assert sum(b"story-begun" in row.line for row in box.journal.stored) == 1
        assert box.runner.cast() == ("ada", "bo", "ninja", "crow")


async def test_a_story_does_not_begin_in_the_middle_of_a_scene(
    caplog: pytest.LogCaptureFixture,
) -> None:
    async with Box(DECK, TAGS) as box:
        running = asyncio.create_task(box.runner.run())
        assert await ask(box, StartScene(id="1")) == ""
        assert "no story" in await ask(box, TellStory(id="2", deed="rest full"))
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)
        await box.runner.begin_story(i.BeginStory("unroll", StorySheets(cast())))
        assert box.runner._announcement(()).view.story is None
    assert "the story begins at the next start" in caplog.text


@asynccontextmanager
async def running(box: Box) -> AsyncIterator[None]:
    """Run the box's hub while the context lasts."""
    playing = asyncio.create_task(box.runner.run())
    try:
        yield
    finally:
        playing.cancel()
        await asyncio.gather(playing, return_exceptions=True)


def card(actor: str, choice: str, id: str = "") -> c.Commit:
    return c.Commit(id=id, actor=actor, choice=Sealed(Choice.parse(choice)))


async def begin_turn(box: Box) -> None:
    for command in (
        StartScene(),
        Decide(actor="gm", choice="active ada"),
        Decide(actor="ada", choice="opponent ninja"),
    ):
        assert (await box.runner.inbox.ask(command, "gm")).ok


def version(box: Box) -> Version:
    return box.runner._announcement(()).view.version


async def test_a_stale_command_does_nothing_and_says_what_happened() -> None:
    async with Box(DECK, TAGS) as box, running(box):
        old = version(box)
        await begin_turn(box)
        stored = len(box.journal.stored)
        for command in (
            c.StartScene(id="1", version=old),
            c.Pause(id="2", version=old),
            c.Decide(id="3", actor="gm", choice="active bo", version=old),
            c.Commit(id="4", actor="ada", choice=sealed("stance none"), version=old),
            c.Undo(id="5", version=Version(old.scene + 1, old.phase + 1, old.revision)),
        ):
            reply = await box.runner.inbox.ask(command, "gm")
            assert (reply.ok, reply.code, reply.id) == (False, Code.STALE, command.id)
            assert "nothing was done" in reply.reason
        assert len(box.journal.stored) == stored
        reply = await box.runner.inbox.ask(c.Pause(id="6", version=version(box)), "gm")
        assert reply.ok and reply.code is Code.DONE


async def test_of_two_gms_who_press_at_once_one_is_refused() -> None:
    """Both act on the same state; the second command finds another phase."""
    async with Box(DECK, TAGS) as box, running(box):
        await begin_turn(box)
        for actor, seat in (("ada", "ada"), ("ninja", "gm")):
            assert (await box.runner.inbox.ask(card(actor, "stance none"), seat)).ok
        seen = version(box)
        ask = box.runner.inbox.ask
        first, second = await asyncio.gather(
            ask(c.Undo(id="a", version=seen), "gm"), ask(c.Undo(id="b", version=seen), "gm")
        )
        assert first.ok and second.code is Code.STALE
        assert sum(b'"undone"' in row.line for row in box.journal.stored) == 1


async def test_a_seat_seals_and_takes_back_only_for_its_own_actors() -> None:
    async with Box(DECK, TAGS) as box, running(box):
        await begin_turn(box)
        ask = box.runner.inbox.ask
        reply = await ask(card("ada", "stance none"), "bo")
        assert reply.code is Code.ILLEGAL and "seat ada" in reply.reason
        assert (await ask(card("ada", "stance none"), "gm")).code is Code.ILLEGAL
        assert (await ask(card("ada", "stance none"), "ada")).ok
        assert not (await ask(c.TakeBack(actor="ada"), "bo")).ok
        assert (await ask(c.TakeBack(actor="ada"), "ada")).ok
        for command in (c.DropSeal(actor="ada"), c.Undo(), c.Resume(), c.EndScene()):
            assert "for the GM" in (await ask(command, "ada")).reason


async def test_a_repeated_command_is_done_once_and_gets_the_same_answer() -> None:
    async with Box(DECK, TAGS) as box:
        async with running(box):
            await begin_turn(box)
            ask = box.runner.inbox.ask
            first = await ask(card("ada", "stance none", "x"), "ada", "x")
            stored = len(box.journal.stored)
            assert await ask(card("ada", "stance none", "x"), "ada", "x") == first
            late = c.Commit(
                id="x", actor="ada", choice=sealed("stance none"), version=Version(0, 0, 0)
            )
            assert await ask(late, "ada", "x") == first
            assert len(box.journal.stored) == stored
            assert (await ask(card("ninja", "stance none", "x"), "gm", "x")).ok
        await box.boot()
        async with running(box):
            again = await box.runner.inbox.ask(card("ada", "stance none", "x"), "ada", "x")
            assert again == first


async def test_the_same_id_with_another_command_is_refused_and_not_answered_as_done() -> None:
    async with Box(DECK, TAGS) as box:
        running = asyncio.create_task(box.runner.run())
        ask = box.runner.inbox.ask
        start = StartScene(id="1")
        assert (await ask(start, "gm", "x" * 22)).ok
        version = Version(scene=0, phase=0, revision=0)
        again = await ask(StartScene(id="other", version=version), "gm", "x" * 22)
        assert again.ok and again.seq == box.runner._state.seq
        for boot in (False, True):
            if boot:  # the journal kept each id's command over the kill
                running.cancel()
                await asyncio.gather(running, return_exceptions=True)
                await box.boot()
                running = asyncio.create_task(box.runner.run())
                ask = box.runner.inbox.ask
            other = await ask(Pause(id="1"), "gm", "x" * 22)
            assert not other.ok and other.code is Code.ILLEGAL
            assert "another command has already used" in other.reason
            assert (await ask(start, "gm", "x" * 22)).ok
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)


async def test_the_same_command_twice_in_the_queue_is_done_once() -> None:
    async with Box(DECK, TAGS) as box:
        twice = [asyncio.create_task(box.runner.inbox.ask(StartScene(), "gm", "x")) for _ in "ab"]
        await asyncio.sleep(0)
        async with running(box):
            first, second = await asyncio.gather(*twice)
        assert first == second and first.ok
        assert sum(b'"scene-started"' in row.line for row in box.journal.stored) == 1


async def test_a_refused_command_may_be_sent_again() -> None:
    async with Box(DECK, TAGS) as box, running(box):
        ask = box.runner.inbox.ask
        assert (await ask(Pause(), "gm", "x")).code is Code.ILLEGAL
        assert (await ask(StartScene(), "gm", "y")).ok
        assert (await ask(Pause(), "gm", "x")).ok


async def test_a_hub_killed_before_it_answers_has_done_the_command_once() -> None:
    """It dies between storing and answering: the records are stored, but no client has been
    told."""
    async with Box(DECK, TAGS) as box:
        append, stored = box.journal.append, asyncio.Event()
        loop = asyncio.get_running_loop()

        def append_and_hang(*given: object) -> None:
            append(*given)  # type: ignore[arg-type]
            loop.call_soon_threadsafe(stored.set)

        box.journal.append = append_and_hang  # type: ignore[method-assign]
        playing = asyncio.create_task(box.runner.run())
        asking = asyncio.create_task(box.runner.inbox.ask(StartScene(id="1"), "gm", "x"))
        await stored.wait()
        playing.cancel()
        asking.cancel()
        await asyncio.gather(playing, asking, return_exceptions=True)
        box.journal.append = append  # type: ignore[method-assign]
        await box.boot()
        async with running(box):
            reply = await box.runner.inbox.ask(StartScene(id="1"), "gm", "x")
        assert reply == Reply("1", ok=True, seq=len(box.journal.stored))
        assert sum(b'"scene-started"' in row.line for row in box.journal.stored) == 1


async def test_the_hub_forgets_the_oldest_commands(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hub.daemon.repeats.MOST_DONE", 2)
    async with Box(DECK, TAGS) as box, running(box):
        ask = box.runner.inbox.ask
        assert (await ask(StartScene(), "gm", "start")).ok
        for number in range(2):
            assert (await ask(Pause(), "gm", f"pause {number}")).ok
            assert (await ask(c.Resume(), "gm", f"resume {number}")).ok
        assert [seq for _, seq in box.runner._done._done.values()] == [
            row.seq for row in box.journal.stored[-2:]
        ]
        assert (await ask(c.Resume(), "gm", "resume 1")).ok
        assert not (await ask(StartScene(), "gm", "start")).ok


async def test_a_commands_id_is_only_journalled_as_a_hash() -> None:
    async with Box(DECK, TAGS) as box, running(box):
        assert (await box.runner.inbox.ask(StartScene(), "gm", "x" * 10_000)).ok
        assert [len(key) for key in box.journal.done()] == [64 + 1 + 64]


async def test_the_chronicle_goes_on_over_a_restart_and_is_bounded(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async with Box(DECK, TAGS) as box:
        async with running(box):
            await begin_turn(box)
            entries = box.runner.chronicle(0)
            seqs = [entry["seq"] for entry in entries]
            assert seqs == [row.seq for row in box.journal.stored]
            assert entries[0]["event"]["type"] == "log-begun"
            assert (await box.runner.inbox.ask(Pause(), "gm")).ok
            assert [e["event"]["type"] for e in box.runner.chronicle(seqs[-1])] == ["paused"]
            whole = box.runner.chronicle(0)
        await box.boot()
        assert box.runner.chronicle(0) == whole
        assert box.runner.chronicle(10_000) == []
        monkeypatch.setattr("hub.daemon.chronicle.MOST_ENTRIES", 2)
        await box.boot()
        assert box.runner.chronicle(0) == whole[-2:]


async def test_hands_and_the_console_are_built_on_request() -> None:
    async with Box(DECK, TAGS) as box, running(box):
        await begin_turn(box)
        (actor,) = box.runner.hand("ada")["actors"]
        assert actor["name"] == "ada" and actor["awaited"] and actor["offers"]
        ways = [{"what": "step", "to_seq": 3}, {"what": "play", "to_seq": 2}]
        assert box.runner.console()["undo"] == ways


async def test_each_readers_state_is_announced_once_known(
    caplog: pytest.LogCaptureFixture,
) -> None:
    class Listener:
        readers: str = ""

        def announce(self, told: Announcement) -> None:
            self.readers = " ".join(seat.reader for seat in told.view.seats)

    async with Box(DECK, TAGS) as box:
        shown, seats = Listener(), list(box.runner.settings.seats)
        box.runner.add_publisher(shown)  # type: ignore[arg-type]

        async def hear(event: ReaderUp | ReaderDown | ReaderTroubled) -> str:
            await box.runner.apply(box.runner.reported(event))
            return shown.readers

        assert shown.readers == "lost lost lost"
        assert await hear(ReaderUp(seats[0])) == "ok lost lost"
        assert await hear(ReaderDown(seats[1], "unplugged")) == "ok lost lost"
        assert await hear(ReaderUp(seats[1])) == "ok ok lost"
        assert await hear(ReaderDown(seats[0], "unplugged")) == "lost ok lost"
        for _ in range(3):
            await hear(ReaderTroubled(seats[1], 0, 0, blind=True))
            await hear(ReaderTroubled(seats[1], 1, 0, blind=False))
        assert caplog.text.count("cannot tell a dead radio from an empty field") == 1


async def test_a_command_is_queued_behind_the_looks_it_waits_for() -> None:
    """One look serves all commands that came before it began; later ones wait for the next, in
    order."""
    inbox, begun, go_on = Inbox(), asyncio.Queue[int](), asyncio.Event()
    rounds = 0

    async def look() -> None:
        nonlocal rounds
        rounds += 1
        begun.put_nowait(rounds)
        await go_on.wait()
        inbox.report(FieldSeen("ada", (f"look {rounds}",)))

    inbox.look_first = look
    asking = [asyncio.create_task(inbox.ask(Pause(id="1"), "gm"))]
    assert await begun.get() == 1
    asking += [asyncio.create_task(inbox.ask(Pause(id=n), "gm")) for n in "23"]
    await asyncio.sleep(0)
    assert await inbox.take(0) is None
    go_on.set()
    taken = [await inbox.take(5) for _ in range(5)]
    said = [t.tags[0] if isinstance(t, FieldSeen) else t.command.id for t in taken]  # type: ignore[union-attr]
    assert said == ["look 1", "1", "look 2", "2", "3"]
    go_on.clear()
    asking.append(asyncio.create_task(inbox.ask(Pause(id="4"), "gm")))
    assert [await begun.get(), await begun.get()] == [2, 3]
    inbox.refuse_all("the hub is stopping")
    assert not (await asking[-1]).ok
    for each in asking:
        each.cancel()
    await asyncio.gather(*asking, return_exceptions=True)


async def test_a_hanging_reader_is_not_awaited_for_long() -> None:
    class Hanging:
        def look(self, done: object) -> bool:
            return True

    async with asyncio.timeout(5):
        await fresh_looks([Hanging(), Hanging()])  # type: ignore[list-item]


async def test_lines_are_told_once_stored_and_before_their_state() -> None:
    async with Box(DECK, TAGS) as box, running(box):
        told: list[tuple[str, int]] = []

        class Ear:
            def announce(self, announcement: Announcement) -> None:
                told.append(("state", announcement.view.seq))

        def hear(seq: int) -> None:
            # A listener's exceptions are logged, so what it sees is compared below.
            kept = box.journal.stored[-1].seq, *(r.seq for r in box.runner.lines_after(seq - 1, 9))
            told.append(("lines", seq) if kept == (seq, seq) else ("lines too early", seq))

        box.runner.add_log_listener(hear)
        box.runner.add_publisher(Ear())
        told.clear()
        await begin_turn(box)
        lines = [seq for what, seq in told if what == "lines"]
        assert len(lines) == 3
        assert told == [(what, seq) for seq in lines for what in ("lines", "state")]
