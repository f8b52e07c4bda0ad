"""Scripted players: what was shown can be read before they go on."""

import asyncio
import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

import hub.web
from hub.ports import Announcement
from hub.rules.game import Choice, GameView
from hub.sim import pace
from hub.sim.pace import showing_s
from hub.sim.players import Players
from hub.table import inputs as i
from hub.table.views import hand_offers
from hub.wire.commands import Code, PageCommand, Reply
from tests.adapters.web.playing import SCENE, HandField, PlayedTable

SCORE = Path(hub.web.__file__).parent / "static" / "js" / "core" / "score.js"
CHARACTERS: dict[str, dict[str, object]] = SCENE["characters"]  # type: ignore[assignment]
NONE = {"ada": "none", "ninja": "none"}


def played(heard: Callable[[Announcement], None] = lambda _: None) -> PlayedTable:
    """The stances are open."""
    table = PlayedTable(heard)
    ada = {**CHARACTERS["ada"], "specials": ["wax-on-attack"]}
    table.start(characters={**CHARACTERS, "ada": ada})
    table.decide("gm", "active ada")
    table.decide("ada", "opponent ninja")
    table.both("stance", **NONE)
    return table


def views(play: Callable[[PlayedTable], None]) -> tuple[GameView | None, GameView | None]:
    table = played()
    before = table.announcement().view.game
    play(table)
    return before, table.announcement().view.game


def test_the_players_know_the_displays_clock() -> None:
    js = SCORE.read_text(encoding="utf-8")
    ms = {name: int(number) for name, number in re.findall(r"const (\w+_MS) = (\d+);", js)}
    assert ms["TURN_MS"] == pace.TURN_S * 1000
    assert ms["NEXT_MS"] == pace.NEXT_S * 1000


def test_what_was_shown_stands_as_long_as_its_text_is_long() -> None:
    tie = views(lambda table: table.both("move", ada="attack-high", ninja="attack-high"))
    win = views(lambda table: table.both("move", ada="grapple-high", ninja="defend-low"))

    def with_a_special(table: PlayedTable) -> None:
        table.lay("north", "special wax-on-attack")
        table.lay("north")
        table.both("move", ada="grapple-high", ninja="defend-low")

    more = views(with_a_special)
    nothing = views(lambda _: None)
    clock = pace.TURN_S + pace.NEXT_S
    assert showing_s(*nothing) == 0
    assert clock + 2 < showing_s(*win) < showing_s(*tie) < 20  # a tie costs both
    assert showing_s(*win) + 2 < showing_s(*more) < 20


def test_cards_without_a_verdict_are_seen_to_turn_over() -> None:
    table = PlayedTable(lambda _: None)
    table.start()
    table.decide("gm", "active ada")
    table.decide("ada", "opponent ninja")
    before = table.announcement().view.game
    table.both("stance", **NONE)
    after = table.announcement().view.game
    assert showing_s(before, after) == pace.TURN_S + pace.NEXT_S


@pytest.mark.parametrize(("pace_s", "part"), [(2.0, 1), (0.5, 1), (0.05, 0.1)])
async def test_players_go_on_when_the_verdict_was_read(pace_s: float, part: float) -> None:
    rested: list[float] = []
    acted = asyncio.Event()

    async def rest(seconds: float) -> None:
        rested.append(seconds)

    async def command(asked: PageCommand, by: str, once: str = "") -> Reply:
        acted.set()
        return Reply(asked.id, ok=True, code=Code.DONE)

    table = played()
    players = Players(
        fields={},
        hands={},
        offers=lambda actor: hand_offers(table.state, actor),
        questions=table.questions,
        command=command,
        pace_s=pace_s,
        rest=rest,
    )
    first = table.announcement()
    table.both("move", ada="grapple-high", ninja="defend-low")
    then = table.announcement()
    players.announce(first)
    players.announce(then)
    async with players, asyncio.timeout(10):
        await acted.wait()
    wanted = showing_s(first.view.game, then.view.game) * part
    assert rested[0] > wanted * 0.5
    assert rested[0] <= wanted
    assert rested[1] == pace_s


async def test_players_lay_a_special_late(monkeypatch: pytest.MonkeyPatch) -> None:
    """Once the moves are shown, who may still bear the loss lays that card openly (R17)."""
    monkeypatch.setattr("hub.sim.players._DARING", 1.0)
    table = PlayedTable(lambda _: None)
    bo = {**CHARACTERS["bo"], "specials": ["yojimbo"]}
    table.start(characters={**CHARACTERS, "bo": bo})
    table.decide("gm", "active ada")
    table.decide("ada", "opponent ninja")
    table.both("stance", **NONE)
    table.both("move", ada="grapple-high", ninja="attack-low")
    table.tell(i.Decide("ada", Choice.parse("split attack 1 defend 1 grapple 1"), "north"))
    assert table.announcement().view.awaited == ("ada", "bo")
    laid = asyncio.Event()

    def lay(seat: str, tags: Sequence[str]) -> None:
        if tags:
            assert (seat, [*tags]) == ("south", ["bo-yojimbo"])
            table.lay("south", "special yojimbo")
            laid.set()

    players = Players(
        fields={seat: HandField(seat, lay) for seat in table.settings.seats},
        hands={seat: {} for seat in ("north", "gm")}
        | {"south": {"bo-yojimbo": Choice("special", "yojimbo")}},
        offers=lambda actor: hand_offers(table.state, actor),
        questions=table.questions,
        command=table.obey,
        rest=lambda _: asyncio.sleep(0),
    )
    players.announce(table.announcement())
    async with players, asyncio.timeout(10):
        await laid.wait()
    game: Any = table.announcement().view.game
    assert [*game.turn.losses] == ["bo"]
