"""Leaks to plant, each a change of one line of the hub, as a slip could cause.

A leak names its channel and the feints that show it (see :class:`tests.support.twins.hands.Hands`).
It lets out ``lies``: all cards that lie face down now.
"""

import logging
import sys
import time
from asyncio import iscoroutinefunction
from collections.abc import Callable, Iterable
from functools import wraps
from pathlib import Path
from typing import Any
from unittest.mock import patch
from zlib import crc32

import msgspec
import pytest
from aiohttp import WSCloseCode, web
from msgspec.structs import replace
from prometheus_client.core import GaugeMetricFamily, InfoMetricFamily

import hub.cli.replay
import hub.cli.verify
import hub.daemon.health
import hub.daemon.lights
import hub.daemon.logs
import hub.daemon.reports
import hub.daemon.restore
import hub.daemon.runner
import hub.daemon.serve
import hub.daemon.status
import hub.daemon.systemd
import hub.mqtt.commands
import hub.mqtt.connection
import hub.mqtt.homeassistant
import hub.mqtt.homie
import hub.mqtt.outbox
import hub.mqtt.publisher
import hub.mqtt.wled
import hub.panel.panel
import hub.readers.lamp
import hub.recap.page
import hub.table.acts.commit
import hub.table.acts.field
import hub.table.acts.reveal
import hub.table.private_views
import hub.table.transaction
import hub.table.views
import hub.web.client
import hub.web.feeds
import hub.web.live
import hub.web.login
import hub.web.metrics
import hub.web.server
import hub.wire.homie
from hub.journal import SqliteJournal
from hub.kernel.reasons import put as as_written
from hub.mqtt.outbox import Outgoing
from hub.panel.signals import Call
from hub.players.players import HubPlayers
from hub.ports import JournalError
from hub.readers.lamp import Pattern
from hub.table import acts as r
from hub.table.desk import Signal
from hub.table.preview import Difference
from hub.table.state import Scene, SeatFault
from hub.wire.parts import Kind, Part
from hub.wire.replies import Code
from tests.support.twins.world import World

log = logging.getLogger("hub.daemon.runner")
Tour = tuple[str, str, tuple[str, ...]]
"""A scene, a step of it, and the feints there."""
LAID: Tour = ("file", "stance", ("drop", "again", "lift"))
STARED: Tour = ("file", "stance", ("stare",))
BESIDE: Tour = ("file", "move", ("beside", "several"))
NUMBERS: Tour = ("problem", "option", ("drop", "lift"))
LEFT: Tour = ("file", "stance", ("undo", "scene", "locked"))
KILLED: Tour = ("file", "stance", ("kill", "stop"))
BROKEN: Tour = ("file", "stance", ("broker",))
FOLLOWED: Tour = ("file", "stance", ("stare", "page"))
GUESSED: Tour = ("file", "stance", ("guesses", "page"))
PAUSED: Tour = ("file", "stance", ("pause", "outage", "doubt"))
PANELLED: Tour = ("file", "stance", ("panel", "drop"))
PRACTISED: Tour = ("file", "stance", ("practice",))


class Planted(msgspec.Struct):
    """A leak, and the tour that shows it."""

    name: str
    plant: Callable[[World], None]
    tour: Tour
    virtual: bool = False
    """Whether it shows only at a virtual table."""
    panel: bool = False
    """Whether it shows only with a panel."""


CATALOGUE: list[Planted] = []


def leak(
    tour: Tour = LAID, *, virtual: bool = False, panel: bool = False
) -> Callable[[Callable[[World], None]], Callable[[World], None]]:
    def noted(plant: Callable[[World], None]) -> Callable[[World], None]:
        line(plant.__name__, tour, plant=plant, virtual=virtual, panel=panel)
        return plant

    return noted


def line(
    name: str,
    tour: Tour = LAID,
    *,
    plant: Callable[[World], None],
    virtual: bool = False,
    panel: bool = False,
) -> None:
    """Note a leak that is one expression."""
    CATALOGUE.append(Planted(name, plant, tour, virtual, panel))


def some_now(planted: Iterable[tuple[str, Any]], each: int = 6) -> list[Any]:
    """Parameters by name, of which ``make test`` takes each sixth, and ``make leaks`` all."""
    return [
        pytest.param(
            *(what if isinstance(what, tuple) else (what,)),
            id=name,
            marks=[pytest.mark.leaks] if at % each else [],
        )
        for at, (name, what) in enumerate(planted)
    ]


def lies(world: World) -> str:
    """All cards that lie face down now, as text."""
    runner = getattr(world, "runner", None)
    scene = runner._state.scene if runner else None
    if scene is None:
        return ""
    seals = [*scene.seals.values(), *(s for some in scene.beside.values() for s in some)]
    return " ".join(sorted(str(seal.choice()) for seal in seals))


def number(world: World) -> int:
    """:func:`lies` as a number below 1000; 0 without cards."""
    return crc32(lies(world).encode()) % 997 if lies(world) else 0


def odd(world: World) -> bool:
    return bool(number(world) % 2)


def put(world: World, owner: Any, name: str, make: Callable[[Any], Any]) -> None:
    original = getattr(owner, name)
    world.planted.enter_context(patch.object(owner, name, wraps(original)(make(original))))


def after(world: World, owner: Any, name: str, change: Callable[..., Any]) -> None:
    """``change`` gets the original's result, and then its arguments."""

    def make(original: Any) -> Any:
        async def later(*given: Any, **named: Any) -> Any:
            return change(await original(*given, **named), *given)

        def now(*given: Any, **named: Any) -> Any:
            return change(original(*given, **named), *given)

        return later if iscoroutinefunction(original) else now

    put(world, owner, name, make)


def before(world: World, owner: Any, name: str, do: Callable[..., Any]) -> None:
    """``do`` gets the arguments before the original does."""

    def make(original: Any) -> Any:
        async def later(*given: Any, **named: Any) -> Any:
            do(*given)
            return await original(*given, **named)

        def now(*given: Any, **named: Any) -> Any:
            do(*given)
            return original(*given, **named)

        return later if iscoroutinefunction(original) else now

    put(world, owner, name, make)


# fmt: off
# To the broker


line("a_topic_for_debugging", plant=lambda world:
    after(world, hub.mqtt.outbox.Retained, "changed", lambda found, *_: [
        *found, Outgoing("facedown/test/debug", lies(world).encode(), retain=True)]))
line("what_the_stage_says", plant=lambda world:
    after(world, hub.mqtt.outbox, "stage_of", lambda stage, *_:
          replace(stage, more=(*stage.more, lies(world)))))
line("whom_the_stage_waits_for", plant=lambda world:
    after(world, hub.mqtt.outbox, "stage_of", lambda stage, *_:
          replace(stage, waits_for=stage.waits_for[: len(stage.waits_for) - odd(world)])))
line("what_home_assistant_finds", plant=lambda world:
    after(world, hub.mqtt.homeassistant, "parts", lambda found, *_, **__: [
        *found, Part(Kind.COUNTDOWN, "x", lies(world))]))
line("a_component_that_goes", plant=lambda world:
    after(world, hub.mqtt.homeassistant, "parts", lambda found, *_, **__:
          found[: len(found) - odd(world)]))
line("a_value_of_homies", plant=lambda world:
    after(world, hub.wire.homie, "_number", lambda value, *_:
          value + b"0" * odd(world)))
line("the_description_of_homies", plant=lambda world:
    after(world, hub.mqtt.homie, "device", lambda found, *_, **__:
          replace(found, description=found.description + b" " * number(world))))
line("a_light_of_a_clock", plant=lambda world:
    after(world, hub.mqtt.wled.WledClock, "_painted", lambda lights, *_: [
        (number(world) % 256, 0, 0), *lights[1:]]))
line("a_seats_lamps", plant=lambda world:
    after(world, hub.readers.lamp, "pattern_of", lambda pattern, *_:
          Pattern((pattern + odd(world)) % len(Pattern))))
line("what_systemd_shows_of_the_table", plant=lambda world:
    after(world, hub.daemon.systemd, "status_line", lambda line, *_, **__: f"{line} {lies(world)}"))
line("how_often_systemd_is_told", plant=lambda world:
    after(world, hub.daemon.systemd.StatusLine, "announce", lambda _, line, *__:
          line._notifier.tell(STATUS=line._told) if odd(world) else None))
line("a_lamp_of_the_virtual_table", virtual=True, plant=lambda world:
    after(world, hub.daemon.lights.lamps, "colours", lambda lights, *_: [
        (number(world) % 256, 0, 0), *lights[1:]]))
line("the_clock_of_the_virtual_table", virtual=True, plant=lambda world:
    after(world, hub.daemon.lights, "learn", lambda _, facts, *__:
          setattr(facts, "committed", facts.committed + odd(world))))


@leak()
def the_order_of_keys_in_the_state(world: World) -> None:
    def shuffled(payload: bytes, *_: Any) -> bytes:
        keys = msgspec.json.decode(payload)
        return msgspec.json.encode(dict(reversed(keys.items()))) if odd(world) else payload

    after(world, hub.mqtt.outbox, "state_payload", shuffled)


line("the_length_of_a_payload", plant=lambda world:
    after(world, hub.mqtt.outbox, "state_payload", lambda data, *_: data + b" " * number(world)))
line("the_length_of_a_steps_events", plant=lambda world:
    after(world, hub.mqtt.publisher, "events_payload", lambda data, *_:
          data + b" " * number(world)))
line("the_lines_that_come_in_one_message", plant=lambda world:
    after(world, hub.daemon.runner.Runner, "lines_after", lambda rows, *_:
          rows[:1] if odd(world) else rows))
line("a_seat_that_is_told_again", plant=lambda world:
    after(world, hub.mqtt.outbox.Retained, "changed", lambda found, *_:
          found + found[-1:] * odd(world)))
line("the_order_of_topics", plant=lambda world:
    after(world, hub.mqtt.outbox.Retained, "changed", lambda found, *_:
          found[::-1] if odd(world) else found))
line("a_topic_that_is_not_retained", plant=lambda world:
    after(world, hub.mqtt.outbox.Retained, "changed", lambda found, *_:
          [replace(one, retain=not odd(world)) for one in found]))


@leak()
def a_message_that_comes_late(world: World) -> None:
    def make(send: Any) -> Any:
        def late(self: Any, messages: Any) -> None:
            loop = hub.mqtt.connection.asyncio.get_running_loop()
            loop.call_later(number(world) / 1000, send, self, messages)

        return late

    put(world, hub.mqtt.connection.Link, "send", make)


line("an_answer_over_the_broker", BROKEN, plant=lambda world:
    after(world, hub.mqtt.commands, "reply_payload", lambda data, *_: data + lies(world).encode()))
line("the_last_will_of_a_new_connection", BROKEN, plant=lambda world:
    after(world, hub.mqtt.publisher.MqttPublisher, "_status", lambda message, *_:
          replace(message, payload=message.payload + lies(world).encode())))
line("what_is_told_to_a_broker_that_is_back", BROKEN, plant=lambda world:
    before(world, hub.mqtt.publisher.Retained, "__init__", lambda *_:
           log.info("the broker is back", extra={"seals": number(world)})))
line("when_an_event_happened", plant=lambda world:
    before(world, hub.table.acts.reveal, "lock_if_complete", lambda work:
           setattr(work, "now_ms", work.now_ms + number(world))))
line("how_surely_a_message_is_sent", plant=lambda world:
    after(world, hub.mqtt.outbox.Retained, "changed", lambda found, *_:
          [replace(one, qos=1 - odd(world)) for one in found]))
line("a_topic_that_is_emptied", plant=lambda world:
    after(world, hub.mqtt.outbox.Retained, "changed", lambda found, *_: [
        *found, *[Outgoing("facedown/test/seat/ada", b"", retain=True)] * odd(world)]))


@leak(LEFT)
def the_order_of_those_who_have_committed(world: World) -> None:
    def by_card(actor: str) -> int:
        scene = world.runner._state.scene
        seal = scene.seals.get(actor) if scene else None
        return crc32(str(seal.choice()).encode()) if seal else 0

    after(world, hub.daemon.runner, "public_view", lambda view, *_:
          replace(view, committed=tuple(sorted(view.committed, key=by_card))))  # fmt: skip


# To the pages


line("a_frame_that_comes_twice", plant=lambda world:
    after(world, hub.web.feeds.Feeds, "news", lambda found, *_: found + found[-1:] * odd(world)))
line("the_order_of_a_pages_frames", plant=lambda world:
    after(world, hub.web.feeds.Feeds, "news", lambda found, *_:
          found[::-1] if odd(world) else found))


@leak()
def a_page_that_hears_later(world: World) -> None:
    def make(put_frames: Any) -> Any:
        def late(client: Any, frames: Any) -> None:
            wait_s = number(world) / 1000 if client.role.startswith("seat:") else 0
            hub.web.live.asyncio.get_running_loop().call_later(
                wait_s, put_frames, client, [*frames]
            )

        return late

    put(world, hub.web.client.Client, "put", make)


line("what_another_browser_of_a_seat_hears", FOLLOWED, plant=lambda world:
    after(world, hub.web.live, "elsewhere_frame", lambda frame, *_:
          replace(frame, data=frame.data + b" " * number(world))))
line("the_code_of_a_refusal", GUESSED, plant=lambda world:
    after(world, hub.daemon.runner.Runner, "_refusal", lambda reply, *_:
          replace(reply, code=Code.STALE if odd(world) else reply.code)))


@leak(STARED)
def a_http_header(world: World) -> None:
    async def telltale(_: web.Request, response: web.StreamResponse) -> None:
        response.headers["X-Table"] = str(number(world))

    def make(add: Any) -> Any:
        async def both(request: web.Request, response: web.StreamResponse) -> None:
            await add(request, response)
            await telltale(request, response)

        return both

    put(world, hub.web.server, "add_headers", make)


line("the_status_of_healthz", STARED, plant=lambda world:
    after(world, hub.web.server.WebServer, "_healthz", lambda _, *__:
          web.Response(status=503 if odd(world) else 200, text="ok\n")))
line("a_metric", STARED, plant=lambda world:
    after(world, hub.web.server.WebServer, "_healthz", lambda _, *__:
          web.Response(text=f"ok\nsealed_bytes {len(lies(world)) + number(world)}\n")))
line("the_age_of_a_cookie", STARED, plant=lambda world:
    after(world, hub.web.server.Login, "_exchange", lambda response, *_:
          response.headers.add("X-Age", str(number(world))) or response))
line("the_words_at_a_locked_door", STARED, plant=lambda world:
    after(world, hub.web.login.Login, "paper", lambda paper, *_:
          setattr(paper, "text", f"{paper.text} {number(world)}") or paper))


@leak(STARED)
def the_close_code(world: World) -> None:
    async def close(self: Any, *, code: int = 1000, message: bytes = b"", **_: Any) -> Any:
        code = WSCloseCode.TRY_AGAIN_LATER if odd(world) else code
        return await original(self, code=code, message=message)

    original = web.WebSocketResponse.close
    world.planted.enter_context(patch.object(web.WebSocketResponse, "close", close))


@leak(STARED)
def the_pulse_of_a_stream(world: World) -> None:
    def make(init: Any) -> Any:
        def paced(self: Any, *given: Any, heartbeat: float = 20, **named: Any) -> None:
            init(self, *given, heartbeat=heartbeat - number(world) / 1000, **named)

        return paced

    put(world, web.WebSocketResponse, "__init__", make)


line("the_size_of_frames", plant=lambda world:
    after(world, hub.web.live, "state_frame", lambda frame, *_:
          replace(frame, data=frame.data + b" " * number(world))))
line("a_frame_that_is_left_out", plant=lambda world:
    after(world, hub.web.live, "event_frames", lambda frames, *_: [] if odd(world) else frames))
line("the_order_of_frames", plant=lambda world:
    after(world, hub.web.live, "event_frames", lambda frames, *_: frames * (1 + odd(world))))
line("the_console_of_the_gm", plant=lambda world:
    after(world, hub.daemon.runner.Runner, "console", lambda console, *_:
          console | {"sealed": lies(world)}))
line("the_hand_of_a_neighbour", plant=lambda world:
    after(world, hub.daemon.runner.Runner, "hand", lambda hand, *_: hand | {"sealed": lies(world)}))


@leak()
def an_offer_that_disappears(world: World) -> None:
    def without(hand: dict[str, Any], *_: Any) -> dict[str, Any]:
        for actor in hand["actors"]:
            actor["offers"] = [o for o in actor["offers"] if o["choice"] not in lies(world)]
        return hand

    after(world, hub.daemon.runner.Runner, "hand", without)


@leak()
def an_offer_that_is_the_default(world: World) -> None:
    def marked(hand: dict[str, Any], *_: Any) -> dict[str, Any]:
        for actor in hand["actors"]:
            for offer in actor["offers"]:
                offer["default"] = offer["choice"] == lies(world)
        return hand

    after(world, hub.daemon.runner.Runner, "hand", marked)


@leak()
def the_order_of_questions(world: World) -> None:
    def turned(found: Any, *_: Any) -> Any:
        return tuple(replace(q, offers=q.offers[::-1]) for q in found) if odd(world) else found

    after(world, hub.daemon.runner, "questions", turned)
    after(world, hub.daemon.runner, "deeds", lambda found, *_:
          found[::-1] if odd(world) else found)  # fmt: skip


line("the_chronicle", plant=lambda world:
    after(world, hub.daemon.runner.Runner, "chronicle", lambda entries, *_:
          [entry | {"lies": lies(world)} for entry in entries]))
line("what_a_page_that_joins_is_told", STARED, plant=lambda world:
    before(world, hub.web.live.Live, "_join", lambda _, client:
           client.put([hub.web.frames.frame("hint", {"lies": number(world)})])))
line("the_number_in_a_reply", STARED, plant=lambda world:
    after(world, hub.daemon.runner.Runner, "_obey", lambda reply, *_:
          replace(reply, seq=reply.seq + number(world))))


@leak(GUESSED)
def a_refusal_that_names_what_lies_sealed(world: World) -> None:
    def named(*_: Any) -> None:
        if lies(world):
            raise SeatFault(as_written(f"{lies(world)} is already sealed; take it back first"))

    before(world, hub.table.acts.commit, "_to_take", named)


@leak(GUESSED)
def a_refusal_that_knows_a_guess(world: World) -> None:
    def knows(given: Any, *_: Any) -> None:
        if str(given.choice.unseal()) in lies(world):
            raise SeatFault(as_written("it lies there already"))

    before(world, r.Commit, "judge", knows)


@leak(PAUSED)
def a_pause_that_is_refused(world: World) -> None:
    def leaky(*_: Any) -> None:
        if odd(world):
            raise SeatFault(as_written("not now"))

    before(world, r.Resume, "judge", leaky)


@leak(PAUSED)
def a_button_that_is_not_heard(world: World) -> None:
    def make(pressed: Any) -> Any:
        return lambda given, work: odd(world) or pressed(given, work)

    put(world, r.ButtonPressed, "judge", make)


# Lamps


line("a_lamp_that_blinks", plant=lambda world:
    before(world, hub.table.acts.reveal, "lock_if_complete", lambda work:
           odd(world) and work.tell("ada", Signal.SEALED)))


@leak()
def another_colour_of_a_lamp(world: World) -> None:
    def make(tell: Any) -> Any:
        def coloured(self: Any, seat: str, signal: Signal, why: str = "") -> None:
            tell(self, seat, Signal.NOT_AWAITED if odd(world) else signal, why)

        return coloured

    put(world, hub.table.transaction.Transaction, "tell", make)


line("a_signal_at_a_neighbours_seat", plant=lambda world:
    after(world, hub.web.live, "seat_of", lambda seat, *_: "bo" if odd(world) and seat else seat))
line("how_bright_a_lamp_is", plant=lambda world:
    before(world, hub.readers.lamp.Lamp, "show", lambda lamp, *_:
           setattr(lamp, "brightness", 100 + number(world) % 100)))


# The panel


line("a_lamp_of_the_panel_that_glows_otherwise", PANELLED, panel=True, plant=lambda world:
    before(world, hub.panel.panel.Panel, "show_lamp", lambda panel, seat, _: [
        led.dim(0.5 + number(world) / 2000) for led in panel._board.leds.values()]
        if panel._board and lies(world) else None))


@leak(PANELLED, panel=True)
def a_tick_that_sounds_otherwise(world: World) -> None:
    def make(say: Any) -> Any:
        def saying(self: Any, call: Call) -> None:
            say(self, Call.DONE if call is Call.TICK and odd(world) else call)

        return saying

    put(world, hub.panel.panel.Panel, "_say", make)


line("what_a_held_undo_shows", PANELLED, panel=True, plant=lambda world:
    after(
        world,
        hub.panel.panel,
        "newest",
        lambda goes, *_: (
            goes
            and replace(
                goes, entries=({"seq": 1, "at_ms": 1, "came": [], "event": {"type": lies(world)}},)
            )
        ),
    ))


# In the log, and in printed output


line("a_line_at_debug", plant=lambda world:
    before(world, hub.daemon.runner.Runner, "apply", lambda *_: log.debug("lies: %s", lies(world))))
line("the_tag_in_a_line", plant=lambda world:
    before(world, hub.daemon.reports.Reports, "input_of", lambda _, event: log.debug("%r", event)))


@leak()
def a_repr_of_what_is_sealed(world: World) -> None:
    sealed = hub.table.transaction.Sealed
    world.planted.enter_context(patch.object(sealed, "__repr__", lambda self: repr(self.unseal())))
    before(world, hub.daemon.runner.Runner, "apply", lambda _, given, *__:
           log.debug("given: %r", given))  # fmt: skip


line("a_field_of_a_line", plant=lambda world:
    before(world, hub.daemon.runner.Runner, "apply", lambda *_:
           log.info("an input", extra={"weight": number(world)})))
line("the_level_of_a_line", plant=lambda world:
    before(world, hub.daemon.runner.Runner, "apply", lambda *_:
           log.log(logging.WARNING if odd(world) else logging.INFO, "an input")))
line("the_number_of_lines", plant=lambda world:
    before(world, hub.daemon.runner.Runner, "apply", lambda *_: odd(world) and log.debug("sealed")))


@leak()
def a_crash_text_in_the_log(world: World) -> None:
    def make(console: Any) -> Any:
        def failing(self: Any) -> Any:
            if lies(world):
                raise KeyError(lies(world))
            return console(self)

        return failing

    put(world, hub.daemon.runner.Runner, "console", make)
    world.planted.enter_context(patch.object(hub.web.feeds, "_guarded", _loudly))


def _loudly(do: Callable[[], Any], what: str) -> Any:
    try:
        return do()
    except KeyError:
        log.exception("%s cannot be shown", what)
        return None


@leak()
def where_an_exception_came_from(world: World) -> None:
    def failing(*_: Any) -> None:
        if odd(world):
            raise KeyError("nothing is said")

    before(world, hub.daemon.runner.Runner, "apply", failing)


@leak(KILLED)
def a_crash_text_at_the_next_start(world: World) -> None:
    def found(restored: Any, *_: Any) -> Any:
        scene = restored.state.scene
        if scene and scene.seals:
            seal = next(iter(scene.seals.values()))
            raise JournalError(f"a seal was left: {seal.choice()}")
        return restored

    after(world, hub.daemon.serve, "restore", found)


@leak(KILLED)
def a_line_at_the_next_start(world: World) -> None:
    def told(restored: Any, *_: Any) -> Any:
        scene = restored.state.scene
        for seal in scene.seals.values() if scene else ():
            log.info("a seal is restored", extra={"size": len(str(seal.choice()))})
            log.debug("of %s", seal.choice().kind + seal.choice().value)
        return restored

    after(world, hub.daemon.serve, "restore", told)


line("something_printed", plant=lambda world:
    before(world, hub.daemon.runner.Runner, "apply", lambda *_: print(lies(world))))
line("something_on_standard_error", plant=lambda world:
    before(world, hub.daemon.runner.Runner, "apply", lambda *_:
           print(number(world), file=sys.stderr)))


# In files, and in other commands


@leak(STARED)
def a_journal_that_all_can_read(world: World) -> None:
    def opened(journal: SqliteJournal, path: Path, *_: object) -> SqliteJournal:
        for file in path.parent.glob(f"{path.name}*"):
            file.chmod(0o644)
        return journal

    after(world, SqliteJournal, "open", opened)


@leak(STARED)
def a_copy_that_is_left_behind(world: World) -> None:
    from tests.support.twins.world import FOLDER

    before(world, hub.daemon.runner.Runner, "apply", lambda *_:
           (FOLDER / f"dump-{number(world)}").touch(0o600))  # fmt: skip


line("facedown_log", STARED, plant=lambda world:
    before(world, hub.cli.replay.JournalRows, "read", lambda *_: print(lies(world))))
line("facedown_replay", STARED, plant=lambda world:
    after(world, hub.cli.replay, "_shown", lambda text, *_: text.append(f" {lies(world)}")))
line("how_long_a_sealed_row_is", STARED, plant=lambda world:
    after(world, hub.cli.replay, "_shown", lambda text, record, *_: text.append(
        f" ({len(str(record.secret.unseal()))} bytes)" if record.secret else "")))
line("a_status_that_grows", STARED, plant=lambda world:
    after(world, hub.daemon.status.LocalSocket, "__init__", lambda _, door, __, tell, *___:
          setattr(door, "_tell", lambda: tell() + b" " * number(world))))
line("facedown_replay_as_json", STARED, plant=lambda world:
    after(world, hub.cli.replay, "_json_line", lambda line, *_: f"{number(world)} {line}"))
line("facedown_verify", STARED, plant=lambda world:
    after(world, hub.cli.verify, "verify_log", lambda verdict, *_:
          replace(verdict, seals_unopened=number(world))))


# In the table's actions and their times


line("a_seal_that_takes_its_time", plant=lambda world:
    before(world, hub.table.acts.reveal, "lock_if_complete", lambda *_:
           time.sleep(number(world) / 1000)))


@leak()
def the_moment_of_the_reveal(world: World) -> None:
    def make(lock: Any) -> Any:
        def longer(self: Any) -> None:
            delay_ms = self.settings.reveal_delay_ms + number(world)
            self.settings = replace(self.settings, reveal_delay_ms=delay_ms)
            lock(self)

        return longer

    put(world, hub.table.acts.reveal, "lock_if_complete", make)


line("a_tick_that_waits", plant=lambda world:
    after(world, hub.daemon.runner, "next_due", lambda due, *_:
          due + number(world) if due else due))
line("the_commit_timer", STARED, plant=lambda world:
    after(world, hub.table.views, "_timer", lambda _, *__: hub.table.views.TimerView(
        number(world), 1.0) if lies(world) else None))
line("who_counts_as_committed", plant=lambda world:
    after(world, Scene, "chosen", lambda chosen, *_: () if odd(world) else chosen))
line("how_many_lie_beside", BESIDE, plant=lambda world:
    after(world, hub.daemon.runner, "public_view", lambda view, *_:
          replace(view, beside=view.beside * (1 + odd(world)))))
line("who_may_answer", BESIDE, plant=lambda world:
    after(world, hub.daemon.runner, "public_view", lambda view, *_:
          replace(view, answers=("ada",) if odd(world) else ())))
line("which_card_was_withdrawn", BESIDE, plant=lambda world:
    before(world, hub.table.acts.commit, "withdraw", lambda _, seal, *__:
           log.debug("withdrawn: %d", len(str(seal.choice())) + number(world))))
line("what_lies_beside_at_a_neighbours_page", BESIDE, plant=lambda world:
    after(world, hub.table.private_views, "_held", lambda held, *_:
          replace(held, beside=number(world))))


@leak(LEFT)
def what_an_undo_tells(world: World) -> None:
    def telling(_: Any, work: Any, __: Any) -> None:
        back = r.undo_target(work.scene)
        work.emit(r.Undone(to_phase=number(world), to_seq=back.checkpoint_seq))

    put(world, r.Undo, "judge", lambda _: telling)


line("what_looking_first_tells", LEFT, plant=lambda world:
    after(world, hub.daemon.runner, "preview", lambda found, *_:
          (*found, Difference("", ("step",), None, number(world)))))


@leak(LEFT)
def what_a_scenes_end_tells(world: World) -> None:
    def telling(_: Any, work: Any, __: Any) -> None:
        for seal in work.scene.seals.values():
            log.info("never shown: %s", seal.choice())

    before(world, r.EndScene, "judge", telling)


line("what_a_lock_tells", LEFT, plant=lambda world:
    after(world, hub.daemon.runner, "public_view", lambda view, *_:
          replace(view, title=f"{number(world)}") if view.phase == "locked" else view))
line("the_options_of_a_problem", NUMBERS, plant=lambda world:
    after(world, hub.daemon.runner, "questions", lambda found, *_: (
        *found, hub.table.views.Question(lies(world), "option", ()))
        if lies(world) else found))


@leak(NUMBERS)
def the_sum_of_the_numbers(world: World) -> None:
    def summed(view: Any, *_: Any) -> Any:
        numbers = sum(int(char) for char in lies(world) if char.isdigit())
        return replace(view, turn_number=view.turn_number + numbers)

    after(world, hub.daemon.runner, "public_view", summed)


# Hub players, and the recap of an evening


@leak(PRACTISED)
def how_long_the_hub_thinks(world: World) -> None:
    def make(think: Any) -> Any:
        async def slower(self: HubPlayers, wish: Any) -> None:
            await self._rest(number(world) / 1000)
            await think(self, wish)

        return slower

    put(world, HubPlayers, "_think", make)


line("what_lies_in_a_recap", STARED, plant=lambda world:
    after(world, hub.recap.page, "gather", lambda found, *_:
          replace(found, log=lies(world))))


# The hub's health


line("how_many_cards_were_sealed", STARED, plant=lambda world:
    after(world, hub.daemon.health.Counters, "health", lambda found, *_, **__:
          replace(found, commits=found.commits + number(world))))
line("how_long_the_disk_took", STARED, plant=lambda world:
    after(world, hub.daemon.health.Counters, "note_stored", lambda _, counters, *__:
          counters._journal.note(number(world)) if lies(world) else None))
line("a_label_for_prometheus", STARED, plant=lambda world:
    after(world, hub.web.metrics, "_readers", lambda found, *_: [
        *found, InfoMetricFamily("seal", "A slip.", {"card": lies(world)})]))
line("a_gauge_for_prometheus", STARED, plant=lambda world:
    after(world, hub.web.metrics, "_readers", lambda found, *_: [
        *found, GaugeMetricFamily("bytes", "A slip.", number(world))]))
line("a_metric_that_prometheus_lacks", STARED, plant=lambda world:
    after(world, hub.web.metrics, "_readers", lambda found, *_: [*found][odd(world) :]))


# Random bytes


line("the_nonce_of_a_card_that_was_taken_back", plant=lambda world:
    before(world, hub.table.acts.reveal, "lock_if_complete", lambda work: [
        log.debug("nonce %s", seal.opening().nonce) for seal in work.scene.seals.values()]
        if work.state.scene else None))
line("the_entropy_of_a_step", plant=lambda world:
    after(world, hub.table.transaction.Transaction, "nonce", lambda nonce, work:
          log.debug("from %s", work._entropy.hex()) or nonce))
line("a_digest_without_a_nonce", plant=lambda world:
    after(world, hub.table.transaction.Transaction, "nonce", lambda *_: "00" * 32))


@leak()
def a_nonce_made_of_the_card(world: World) -> None:
    def make(seal: Any) -> Any:
        def derived(self: Any, actor: str, seat: str, choice: Any, **more: Any) -> Any:
            nonce = f"{crc32(str(choice).encode()):064x}"
            with patch.object(type(self), "nonce", lambda _: nonce):
                return seal(self, actor, seat, choice, **more)

        return derived

    put(world, hub.table.acts.commit, "seal", make)
