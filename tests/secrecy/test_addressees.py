"""Every page receives only its own frames, and every lamp shows only its own seat.

Twins cannot find a frame that goes to the wrong page, because both send it there. So each stream is
checked against a table of the frames it may receive (docs/connect/websocket.md), and each
private frame against the characters of its seat, which the test knows from the table's
configuration.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import pytest

import hub.daemon.runner
import hub.readers.lamp
import hub.web.feeds
import hub.web.frames
import hub.web.live
import hub.wire.private_frames
from hub.readers.lamp import REVEAL_S, Pattern
from hub.table.transaction import Transaction
from hub.web.client import Client
from hub.web.frames import Frame
from hub.web.keys import GM_PAGE, seat_role
from tests.secrecy.leaks import after, put, some_now
from tests.support.twins.hands import Hands
from tests.support.twins.setting import Setting
from tests.support.twins.telling import Framed
from tests.support.twins.world import Leak, World, live

PUBLIC = {"state", "event", "sound", "where"}
GMS = {"questions", "deeds", "console", "hand", "chronicle", "reply", "preview", "beginning"}
SEATS = {"questions", "hand", "company", "tell", "elsewhere", "reply", "preview", "beginning"}
TABLES = GMS | {"tabletop", "tell", "lights"}
OF_ONE_SEAT = ("hand", "company", "tell", "elsewhere")
STREAMS = {"/ws": PUBLIC, "/ws/gm": PUBLIC | GMS, "/ws/table": PUBLIC | TABLES}
SEAT_STREAM = "/ws/seat/"
TOURS = (
    ("file", "stance", ("odd", "page", "again", "look")),
    ("file", "move", ("several", "page")),
    ("problem", "option", ("page", "lift")),
)


@dataclass
class Heard:
    """The faults of one life, and the kinds of frame that each kind of stream received."""

    wrong: list[str] = field(default_factory=list)
    kinds: dict[str, set[str]] = field(default_factory=dict)


def faults_of(framed: Framed, setting: Setting) -> Iterator[str]:
    """The reasons why this frame should not have come here."""
    path, frame = framed.stream.split()[-1], framed.frame
    kind, seat = frame["type"], path.removeprefix(SEAT_STREAM)
    at_seat = path.startswith(SEAT_STREAM)
    if kind not in (PUBLIC | SEATS if at_seat else STREAMS[path]):
        yield f"{kind} at {path}"
    if kind in {"reply", "preview"} and not framed.asked:
        yield f"the {kind} to another page's question at {path}"
    if at_seat:
        yield from _faults_at_seat(kind, frame, seat, setting.seats.get(seat, ("nobody",)))
    elif kind == "hand" and path == "/ws/gm" and frame["seat"] != "gm":
        yield f"the hand of {frame['seat']} at the GM's page"


def _faults_at_seat(
    kind: str, frame: dict[str, Any], seat: str, own: tuple[str, ...]
) -> Iterator[str]:
    if kind in OF_ONE_SEAT and frame["seat"] != seat:
        yield f"the {kind} of {frame['seat']} at {seat}"
    strange = {each["name"] for each in frame["actors"]} - {*own} if kind == "hand" else set()
    if kind == "questions":
        strange = {each["actor"] for each in frame["questions"]} - {*own}
    if strange:
        yield f"a {kind} at {seat} is about {', '.join(sorted(strange))}"


def heard(leak: Leak | None = None, *, virtual: bool = False) -> Heard:
    """A life in which every page is open twice, and every seat asks and is refused."""
    setting, found = Setting(virtual=virtual), Heard()

    async def life(world: World) -> None:
        hands = Hands(world, "addressees", 0)
        for page in [*world.keys, "display"]:
            await world.join(page, f"{page} again", "10.0.0.7")
        for kind, step, feints in TOURS:
            for feint in feints:
                await hands._reach(kind, step)
                await hands.feint(feint)
            await world.ask("gm", "end-scene")
        if virtual:
            for command in ("pause", "resume"):
                await world.ask("table", command)
        await hands._reach("file", "stance")
        await _refused_at_each_reader(world, found)

    world = live(setting, life, "addressees", leak)
    for framed in world.telling.frames:
        path = framed.stream.split()[-1]
        stream = SEAT_STREAM if path.startswith(SEAT_STREAM) else path
        found.kinds.setdefault(stream, set()).add(framed.frame["type"])
        found.wrong += faults_of(framed, setting)
    return found


async def _refused_at_each_reader(world: World, found: Heard) -> None:
    """Lay an unknown tag: only that seat's lamps may react."""
    await world.wait(round(REVEAL_S * 1000) + 1000)  # lamps show the last reveal until then
    for seat in world.setting.seats:
        before = len(world.telling.said)
        await world.show(seat, "?")
        await world.wait(400)
        await world.show(seat)
        await world.wait(100)
        refused = {
            said.channel
            for said in world.telling.said[before:]
            if said.channel.startswith("lamp ")
            and said.data.split()[0] == str(int(Pattern.REFUSED)).encode()
        }
        if refused != {f"lamp {seat}"}:
            found.wrong.append(f"a tag at {seat} is refused at {sorted(refused)}")


@pytest.mark.parametrize("virtual", [False, True])
def test_every_page_and_lamp_gets_only_its_own(virtual: bool) -> None:
    assert heard(virtual=virtual).wrong == []


def test_the_life_sends_every_kind_of_frame() -> None:
    """A frame that never comes cannot come to the wrong page either."""
    kinds = heard(virtual=True).kinds
    on_request = {"preview", "beginning", "sound", "where"}
    assert kinds["/ws"] >= {"state", "event"}
    assert kinds["/ws/gm"] >= GMS - on_request
    assert kinds[SEAT_STREAM] >= SEATS - on_request
    assert kinds["/ws/table"] >= TABLES - on_request - {"tell"}  # none of its seats gets a signal


# Faults, planted one by one


def a_signal_goes_to_every_page(world: World) -> None:
    put(world, hub.web.live.Live, "tell", lambda _: lambda live, seat, signal, why: [
        client.put([hub.web.frames.tell_frame(seat, signal, why)])
        for client in live._clients])  # fmt: skip


def a_signal_goes_to_every_seat(world: World) -> None:
    """At the table itself: pages, lamps and readers alike."""

    def make(tell: Any) -> Any:
        def to_all(work: Transaction, seat: str, signal: Any, why: Any = None) -> None:
            for each in work.settings.seats:
                tell(work, each, signal, why)

        return to_all

    put(world, Transaction, "tell", make)


def a_page_gets_the_next_seats_hand_too(world: World) -> None:
    after(world, hub.web.feeds.Feeds, "topics", lambda topics, feeds, role: [
        *topics, *([("hand", _next_to(feeds, role))] if role.startswith("seat:") else ())
    ])  # fmt: skip


def _next_to(feeds: Any, role: str) -> str:
    seats = [*feeds._settings.seats]
    return str(seats[(seats.index(role.partition(":")[2]) + 1) % len(seats)])


def a_hand_holds_the_next_seats_characters_too(world: World) -> None:
    def make(hand: Any) -> Any:
        def wider(runner: Any, seat: str) -> Any:
            seats, own = [*world.setting.seats], hand(runner, seat)
            if seat not in seats:
                return own
            following = hand(runner, seats[(seats.index(seat) + 1) % len(seats)])
            return own | {"actors": [*own["actors"], *following["actors"]]}

        return wider

    put(world, hub.daemon.runner.Runner, "hand", make)


def the_display_gets_the_console(world: World) -> None:
    after(world, hub.web.feeds.Feeds, "topics", lambda topics, _, role: [
        *topics, *([("console", "")] if role == "" else ())])  # fmt: skip


def a_seat_gets_the_chronicle(world: World) -> None:
    after(world, hub.web.feeds.Feeds, "reads_the_chronicle", lambda *_: True)


def a_seat_gets_everybodys_questions(world: World) -> None:
    after(world, hub.web.frames, "own_actors", lambda *_: ("ada", "bo", "ninja", "crow"))


def a_reply_goes_to_every_page(world: World) -> None:
    def make(put_frames: Any) -> Any:
        def to_all(client: Client, frames: list[Frame]) -> None:
            own = [*frames]
            put_frames(client, own)
            live = getattr(client, "_everybody", None) or ()
            for other in live:
                if other is not client and any(frame.type == "reply" for frame in own):
                    put_frames(other, own)

        return to_all

    put(world, Client, "put", make)
    after(world, hub.web.live.Live, "_join", lambda _, live, client:
          setattr(client, "_everybody", live._clients))  # fmt: skip


def what_a_seat_asked_goes_to_all_seats(world: World) -> None:
    def make(hear: Any) -> Any:
        async def heard_by_all(live: Any, client: Client, data: str) -> Any:
            answer = await hear(live, client, data)
            if client.role.startswith("seat:"):
                told = hub.web.frames.frame(
                    "elsewhere", {"seat": client.role[5:], "command": "commit", "ok": True}
                )
                for other in live._clients:
                    if other.role != client.role and other.role.startswith("seat:"):
                        other.put([told])
            return answer

        return heard_by_all

    put(world, hub.web.live.Live, "_hear", make)


def the_gms_page_gets_a_players_hand(world: World) -> None:
    after(world, hub.web.feeds.Feeds, "topics", lambda topics, _, role: [
        *topics, *([("hand", "ada")] if role == GM_PAGE else ())])  # fmt: skip


def who_watches_a_seat_is_told_to_another(world: World) -> None:
    after(world, hub.web.feeds.Feeds, "topics", lambda topics, _, role: [
        *topics, *([("company", "bo")] if role == seat_role("ada") else ())])  # fmt: skip


def a_refusal_lights_every_lamp(world: World) -> None:
    refused: list[str] = []

    def change(pattern: Pattern, view: Any, seat: Any, signal: Any) -> Pattern:
        if pattern is Pattern.REFUSED:
            refused.append(seat.seat)
        return Pattern.REFUSED if refused else pattern

    after(world, hub.readers.lamp, "pattern_of", change)


PLANTED: list[Callable[[World], None]] = [
    a_signal_goes_to_every_page,
    a_signal_goes_to_every_seat,
    a_page_gets_the_next_seats_hand_too,
    a_hand_holds_the_next_seats_characters_too,
    the_display_gets_the_console,
    a_seat_gets_the_chronicle,
    a_seat_gets_everybodys_questions,
    a_reply_goes_to_every_page,
    what_a_seat_asked_goes_to_all_seats,
    the_gms_page_gets_a_players_hand,
    who_watches_a_seat_is_told_to_another,
    a_refusal_lights_every_lamp,
]


@pytest.mark.parametrize("planted", some_now((each.__name__, each) for each in PLANTED))
def test_a_misdirected_frame_is_found(planted: Leak) -> None:
    assert heard(planted).wrong
