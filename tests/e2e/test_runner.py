"""The runner: one order for everything, and what it does when the program itself is at fault."""

import asyncio
import logging

import pytest

from hub.daemon.inbox import MAX_WAITING, Inbox
from hub.ports import FieldSeen, ReaderUp
from hub.rules.story import ConflictWish, parse_deed
from hub.table import inputs as i
from hub.table.records import StorySheets
from hub.wire.commands import AnyCommand, Decide, Pause, StartScene, TellStory
from tests.e2e.test_noninterference import DECK, TAGS
from tests.support.box import Box, sealed
from tests.support.evening import cast


async def test_a_fault_in_the_rules_is_logged_without_its_words_and_the_table_plays_on(
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


async def test_a_stopping_hub_answers_whoever_still_waits() -> None:
    async with Box(DECK, TAGS) as box:
        asking = asyncio.create_task(box.runner.inbox.ask(Pause(id="1"), "gm"))
        await asyncio.sleep(0)
        running = asyncio.create_task(box.runner.run())
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)
        box.runner.inbox.refuse_all("the hub is stopping")
        assert not (await asking).ok


async def test_only_the_gm_gives_commands_but_for_decisions() -> None:
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


async def test_a_fault_that_comes_again_is_logged_once_and_does_not_spin(
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


async def test_what_came_due_while_the_hub_was_down_happens_at_its_start() -> None:
    """A reveal that a clock set back would put off for hours."""
    async with Box(DECK, TAGS, reveal_delay_ms=1000) as box:
        running = asyncio.create_task(box.runner.run())
        ask = box.runner.inbox.ask
        assert (await ask(StartScene(id="1"), "gm")).ok
        assert (await ask(Decide(id="2", actor="gm", choice="active ada"), "gm")).ok
        assert (await ask(Decide(id="3", actor="ada", choice="opponent ninja"), "gm")).ok
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)
        for actor, seat in (("ada", "ada"), ("ninja", "gm")):
            await box.give(i.Commit(actor, sealed("stance none"), seat))
        box.clock.ms -= 7_200_000
        await box.boot()
        running = asyncio.create_task(box.runner.run())
        reply = await box.runner.inbox.ask(Pause(id="4"), "gm")
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)
        assert reply.ok
        assert any(b'"type":"revealed"' in data for _, data in box.out)


async def ask(box: Box, command: AnyCommand) -> str:
    """What is refused, and why; empty when it was done."""
    return (await box.runner.inbox.ask(command, "gm")).reason


async def test_a_story_is_begun_once_and_outlives_the_hub() -> None:
    tide = parse_deed("countdown new 6 The tide")
    begin = i.BeginStory("unroll", StorySheets(cast()), (tide,))
    async with Box(DECK, TAGS) as box:
        await box.runner.begin_story(begin)
        running = asyncio.create_task(box.runner.run())
        assert await ask(box, TellStory(id="1", deed="countdown mark The tide")) == ""
        assert "no countdown" in await ask(box, TellStory(id="2", deed="countdown mark Rain"))
        assert await ask(box, StartScene(id="3", scene=ConflictWish(stakes="A boat"))) == ""
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
        assert after.cast == ("ada", "bo", "ninja", "crow")


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
