"""The hub's players: they play by the rules, and know no more than their seat's page shows."""

import asyncio
import re
from collections.abc import Callable, Collection
from pathlib import Path
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

import hub.web
from hub.games.game import GM, Choice, GameView
from hub.kernel.reasons import Reason
from hub.players import players
from hub.players.players import HubPlayers, showing_s
from hub.ports import MOMENT_S, Announcement
from hub.table import acts as c
from hub.table import acts as i
from hub.table import acts as r
from hub.table.sealed import Sealed
from hub.table.state import Phase, SeatFault, phase_of
from hub.wire.private_frames import Hand
from hub.wire.replies import Code, Reply
from tests.adapters.web.playing import SCENE, PlayedTable

SCORE = Path(hub.web.__file__).parent / "static" / "js" / "core" / "score.js"
CHARACTERS: dict[str, dict[str, object]] = SCENE["characters"]  # type: ignore[assignment]
NONE = {"ada": "none", "ninja": "none"}


def played(heard: Callable[[Announcement], None] = lambda _: None) -> PlayedTable:
    """Return a table whose stances are open."""
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
    assert ms["TURN_MS"] == players.TURN_S * 1000
    assert ms["NEXT_MS"] == players.NEXT_S * 1000


def test_the_hub_knows_how_long_a_moment_is() -> None:
    js = SCORE.read_text(encoding="utf-8")
    found = re.search(r"const LONGEST_MS = (\d+);", js)
    assert found and int(found[1]) == MOMENT_S * 1000


def test_a_result_is_shown_for_longer_if_its_text_is_longer() -> None:
    tie = views(lambda table: table.both("move", ada="attack-high", ninja="attack-high"))
    win = views(lambda table: table.both("move", ada="grapple-high", ninja="defend-low"))

    def with_a_special(table: PlayedTable) -> None:
        table.lay("north", "special wax-on-attack")
        table.lay("north")
        table.both("move", ada="grapple-high", ninja="defend-low")

    more = views(with_a_special)
    nothing = views(lambda _: None)
    clock = players.TURN_S + players.NEXT_S
    assert showing_s(*nothing) == 0
    assert clock + 2 < showing_s(*win) < showing_s(*tie) < 20  # a tie costs both
    assert showing_s(*win) + 2 < showing_s(*more) < 20


def test_cards_without_a_verdict_get_time_to_turn_over() -> None:
    table = PlayedTable(lambda _: None)
    table.start()
    table.decide("gm", "active ada")
    table.decide("ada", "opponent ninja")
    before = table.announcement().view.game
    table.both("stance", **NONE)
    after = table.announcement().view.game
    assert showing_s(before, after) == players.TURN_S + players.NEXT_S


class Watched:
    """A table at which the hub plays as far as it can without time passing."""

    def __init__(
        self, seed: int = 1, pace_s: float = 2.0, seats: Any = None, *, directs: bool = False
    ) -> None:
        self.rested: list[float] = []
        self.asked: list[tuple[str, str]] = []
        self.stuck: list[Collection[str]] = []
        self.idle = asyncio.Event()
        self.table = PlayedTable(self._heard)
        self.players = HubPlayers(
            seats(self.table) if seats else self.table,
            self._obey,
            chance=Random(seed),
            pace_s=pace_s,
            directs=directs,
            stuck=self.stuck.append,
            rest=self._rest,
        )

    def _heard(self, told: Announcement) -> None:
        self.players.announce(told)

    async def _rest(self, seconds: float) -> None:
        self.rested.append(seconds)
        await asyncio.sleep(0)

    async def _obey(self, asked: c.Command, by: str, once: str = "", browser: str = "") -> Reply:
        assert browser == "hub"
        if isinstance(asked, c.StartScene):
            self.table.start()
            return Reply(Code.DONE)
        assert isinstance(asked, c.Commit | c.Decide)
        choice = asked.choice if isinstance(asked, c.Decide) else str(asked.choice.unseal())
        self.asked.append((asked.actor, choice))
        return await self.table.obey(asked, by, once, browser)

    def let_play(self, *actors: str, on: bool = True, by: str = GM) -> None:
        self.table.tell(i.Request(i.LetHubPlay(actors, on), by))

    async def settle(self, turns: int = 50) -> None:
        for _ in range(turns):
            await asyncio.sleep(0)

    @property
    def phase(self) -> Phase:
        return phase_of(self.table.state)


def stances_open(watched: Watched, **changes: Any) -> None:
    watched.table.start(**changes)
    watched.table.decide("gm", "active ada")
    watched.table.decide("ada", "opponent ninja")


@pytest.mark.parametrize(("pace_s", "part"), [(2.0, 1), (0.5, 1), (0.05, 0.1)])
async def test_they_go_on_after_the_time_to_read_the_verdict(pace_s: float, part: float) -> None:
    watched = Watched(pace_s=pace_s)
    watched.let_play("ninja")
    stances_open(watched)
    watched.table.both("stance", **NONE)
    before = watched.table.announcement().view.game
    watched.table.both("move", ada="grapple-high", ninja="defend-low")
    after = watched.table.announcement().view.game
    async with watched.players:
        await watched.settle()
    turn = (players.NEXT_S + players.TURN_S) * part
    wanted = showing_s(before, after) * part
    assert wanted * 0.5 < watched.rested[0] <= wanted + turn
    assert 0.6 * pace_s <= watched.rested[1] <= 1.6 * pace_s
    assert watched.asked[0][0] == "ninja"


async def test_their_choices_are_sealed_like_a_pages() -> None:
    watched = Watched()
    async with watched.players:
        stances_open(watched)
        watched.let_play("ninja")
        await watched.settle()
        view = watched.table.announcement().view
        assert view.hub_plays == ("ninja",)
        assert view.committed == ("ninja",)
        seal = watched.table.state.scene.seals["ninja"]  # type: ignore[union-attr]
        assert (seal.seat, seal.page, len(seal.digest)) == ("gm", True, 64)
        assert seal.origin == "hub:gm"
        watched.table.lay("north", "stance none")
        watched.table.reveal()
        await watched.settle()
        assert watched.table.announcement().view.committed == ("ninja",)


async def test_taking_over_drops_the_hubs_choice() -> None:
    """Only the seat's own press or the GM's does."""
    watched = Watched()
    async with watched.players:
        stances_open(watched)
        watched.let_play("ada")
        await watched.settle()
        assert watched.table.announcement().view.committed == ("ada",)
        with pytest.raises(SeatFault, match="is played at seat north"):
            watched.let_play("ada", on=False, by="south")
        with pytest.raises(SeatFault, match="this is for the GM"):
            watched.let_play("bo", by="south")
        with pytest.raises(SeatFault, match="no one here plays 'Nobody'"):
            watched.let_play("Nobody")
        watched.let_play("ada", on=False, by="north")
        view = watched.table.announcement().view
        assert (view.committed, view.hub_plays) == ((), ())
        await watched.settle()
        assert watched.table.announcement().view.committed == ()
        watched.table.lay("north", "stance none")
        watched.let_play("ada")
        watched.let_play("ada", on=False, by="north")
        assert watched.table.announcement().view.committed == ("ada",)  # one's own card stays


async def test_a_seal_from_a_page_stays_while_the_hub_has_the_seat() -> None:
    """Neither the GM nor the player can drop a seal by giving the seat to the hub and back."""
    watched = Watched()
    stances_open(watched)
    for by in ("north", GM):
        if by == GM:
            watched.table.tell(i.PlayFor("ada", True))
            watched.table.tell(i.Request(i.TakeBack("ada"), "north"))
        watched.table.tell(i.Request(i.Commit("ada", Sealed(Choice("stance", "none"))), by))
        mine = watched.table.state.scene.seals["ada"]  # type: ignore[union-attr]
        watched.let_play("ada")
        watched.let_play("ada", on=False)
        assert watched.table.state.scene.seals["ada"] is mine  # type: ignore[union-attr]


async def test_a_late_choice_of_the_hubs_seals_nothing() -> None:
    watched = Watched()
    stances_open(watched)
    late = i.Request(i.Commit("ada", Sealed(Choice("stance", "none"))), "north", "hub")
    with pytest.raises(SeatFault, match="no longer plays for ada"):
        watched.table.tell(late)


async def test_a_special_it_has_set_beside_is_withdrawn_too() -> None:
    watched = Watched()
    ninja = {**CHARACTERS["ninja"], "specials": ["wax-on-attack"]}
    async with watched.players:
        stances_open(watched, characters={**CHARACTERS, "ninja": ninja})
        watched.table.both("stance", **NONE)
        for _ in range(40):
            watched.let_play("ninja")
            await watched.settle()
            if watched.table.announcement().view.beside:
                break
            watched.let_play("ninja", on=False)
        assert watched.table.announcement().view.beside == ("ninja",)
        watched.let_play("ninja", on=False, by="gm")
        assert watched.table.announcement().view.beside == ()


async def test_a_placed_card_stays_the_players() -> None:
    watched = Watched()
    stances_open(watched)
    watched.table.lay("north", "stance attack 2")
    watched.let_play("ada")
    async with watched.players:
        await watched.settle()
    assert watched.asked == []


async def test_a_player_without_a_choice_is_named_until_the_table_goes_on() -> None:
    class Bare:
        """Seats whose pages offer nothing."""

        def __init__(self, table: PlayedTable) -> None:
            self.table = table
            self.questions = table.questions

        def hand(self, seat: str) -> Hand:
            hand = self.table.hand(seat)
            for held in hand["actors"]:
                held["offers"] = []
            return hand

    watched = Watched(seats=Bare)
    async with watched.players:
        watched.let_play("ninja")
        stances_open(watched)
        await watched.settle()
        assert watched.stuck == [["ninja"]]
        assert watched.asked == []
        watched.table.both("stance", **NONE)
        await watched.settle()
        assert watched.stuck[1] == []


async def test_a_refusal_is_tried_again_and_then_reported(caplog: pytest.LogCaptureFixture) -> None:
    watched = Watched()
    refused: list[c.Command] = []

    async def refuse(asked: c.Command, by: str, once: str = "", browser: str = "") -> Reply:
        refused.append(asked)
        return Reply(asked.id, ok=False, why=Reason("not-awaited", who="ninja"))

    watched.players._command = refuse
    async with watched.players:
        watched.let_play("ninja")
        stances_open(watched)
        await watched.settle()
    assert (len(refused), watched.stuck) == (3, [["ninja"]])
    assert not caplog.messages


@pytest.mark.parametrize("seed", range(4))
async def test_they_play_a_conflict_to_its_end(seed: int) -> None:
    watched = Watched(seed)
    special = {name: {**sheet, "specials": ["wax-on-attack", "yojimbo", "to-blave"]}
               for name, sheet in CHARACTERS.items()}  # fmt: skip
    async with watched.players, asyncio.timeout(60):
        watched.let_play("ada", "bo", "ninja", "sensei", GM)
        watched.table.start(characters=special)
        while watched.phase is not Phase.OVER:
            if watched.phase is Phase.LOCKED:
                watched.table.reveal()
            await watched.settle(3)
            assert not any(watched.stuck)
    chosen = [choice for _, choice in watched.asked]
    assert not any("surrender" in choice for choice in chosen)
    assert any(choice.startswith("stance attack") for choice in chosen)
    moves = [choice for choice in chosen if choice.startswith("move ")]
    assert len({*moves}) > 2


@pytest.mark.parametrize("seed", range(5))
async def test_as_the_gm_the_hub_gives_people_the_first_turn(seed: int) -> None:
    watched = Watched(seed)
    async with watched.players:
        watched.let_play("ada", "ninja", "sensei", GM)
        watched.table.start()
        await watched.settle()
    assert watched.asked[0] == (GM, "active bo")


@pytest.mark.parametrize("seed", range(20))
async def test_the_first_card_lies_within_ten_seconds(seed: int) -> None:
    """Of the press that lets the hub play everybody else, if the player answers at once."""
    watched = Watched(seed, directs=True)
    async with watched.players:
        watched.let_play("bo", "ninja", "sensei", GM)
        watched.table.announce()
        await watched.settle()
        watched.table.decide("ada", "opponent ninja")
        await watched.settle()
    assert ("ninja", "stance") in [(who, said.split()[0]) for who, said in watched.asked]
    assert watched.rested[0] == 0
    assert 1 < sum(watched.rested) < 10


CARDS = [("stance none", "stance attack 2"), ("stance grapple 3", "stance defend 1")]


def played_beside(other: str, leak: Callable[[Watched], None] = lambda _: None) -> Any:
    """Return what a player of the hub does, and when, next to another actor's face-down card."""

    async def play() -> Any:
        watched = Watched(seed=7)
        async with watched.players:
            stances_open(watched)
            watched.table.lay("north", other)
            leak(watched)
            watched.let_play("ninja")
            await watched.settle()
            assert watched.phase is Phase.LOCKED
            return watched.asked, watched.rested

    return asyncio.run(play())


@pytest.mark.parametrize("cards", CARDS)
def test_others_seals_change_neither_choice_nor_pace(cards: tuple[str, str]) -> None:
    one, other = (played_beside(card) for card in cards)
    assert one == other


def test_a_player_that_peeks_is_found_out() -> None:
    def peeking(watched: Watched) -> None:
        """Make the order of the offers depend on a sealed card."""
        table, honest = watched.table, watched.table.hand

        def hand(seat: str) -> Hand:
            seen = honest(seat)
            sealed = table.state.scene.seals["ada"].choice()  # type: ignore[union-attr]
            for held in seen["actors"]:
                held["offers"] = sorted(
                    held["offers"], key=lambda o: o["choice"], reverse=sealed.value == "none"
                )
            return seen

        watched.players._seats = type("Peeking", (), {
            "hand": staticmethod(hand), "questions": staticmethod(table.questions)})()  # fmt: skip

    one, other = (played_beside(card, peeking) for card in CARDS[0])
    assert one != other


def test_they_are_given_only_what_a_seats_page_is_sent() -> None:
    """They choose from plain values and the public view, with no access to more."""
    from hub.players.choosing import Seen

    assert [*Seen.__struct_fields__] == ["actor", "view", "held", "asked"]
    assert not {"console", "preview", "chronicle", "state"} & {*dir(HubPlayers)}


def test_the_log_records_whom_the_hub_plays() -> None:
    lines: list[bytes] = []
    table = PlayedTable(lambda told: lines.extend(told.lines))
    table.start()
    table.tell(i.LetHubPlay(("ada", "ninja", "ada"), True))
    table.tell(i.LetHubPlay(("ada",), True))
    table.tell(i.LetHubPlay(("ninja",), False))
    told = [line for line in lines if b"played-by-hub" in line]
    assert [b'"on":true' in line for line in told] == [True, True, False]
    assert table.announcement().view.hub_plays == ("ada",)
    assert replace(table.state, hub_plays=frozenset()) != table.state
    assert r.PlayedByHub.__struct_config__.tag == "played-by-hub"
