"""The hub's players play tales to their end, sensibly, and are never stuck."""

import asyncio
import tomllib
from collections import Counter
from collections.abc import Callable, Mapping
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from hub.games.game import GM, Choice
from hub.games.tricube import demo
from hub.games.tricube.playing import PLAYING
from hub.games.tricube.rules.view import AskedView, TricubeView
from hub.players.players import HubPlayers, showing_s
from hub.ports import Announcement
from hub.table import acts as i
from hub.table import step as table_step
from hub.table.acts import SceneSetup
from hub.table.sealed import Sealed
from hub.table.state import Phase, phase_of
from tests.adapters.web import playing
from tests.adapters.web.playing import PlayedTable

SCENE: dict[str, Any] = tomllib.loads(demo.files()["scene.toml"])
SEATS: Mapping[str, tuple[str, ...]] = {
    each["name"]: tuple(each.get("characters", ())) for each in tomllib.loads(demo.SEATS)["seat"]
}
EVERYBODY = (*(who for actors in SEATS.values() for who in actors), GM)
MOST_CHOICES = 1_000


class Evening:
    """A table at which the hub plays a tale, as fast as it can think."""

    def __init__(self, seed: int, monkeypatch: pytest.MonkeyPatch, **game: Any) -> None:
        chance = Random(seed)

        def step(*given: Any, entropy: bytes, **more: Any) -> Any:
            return table_step.step(*given, entropy=chance.randbytes(32), **more)

        monkeypatch.setattr(playing, "step", step)
        self.asked: list[tuple[str, str, Choice]] = []
        self.stuck: list[Any] = []
        self.refused: list[Any] = []
        self.longest = 0.0
        self.before: TricubeView | None = None
        self.step = ""
        self.table = PlayedTable(self._heard, seats=SEATS)
        self.players = HubPlayers(
            self.table,
            self._obey,
            chance=Random(seed),
            pace_s=0.02,
            gm_seat="gm",
            stuck=self.stuck.append,
            rest=lambda _: asyncio.sleep(0),
        )
        self.setup = {key: SCENE[key] for key in ("characters", "challenges", "dice")} | game

    def _heard(self, told: Announcement) -> None:
        view = told.view.game
        assert view is None or isinstance(view, TricubeView)
        self.longest = max(self.longest, showing_s(self.before, view))
        self.before, self.step = view, told.view.step
        self.players.announce(told)

    async def _obey(self, asked: Any, by: str, once: str = "", browser: str = "") -> Any:
        choice = asked.choice if isinstance(asked.choice, str) else str(asked.choice.unseal())
        self.asked.append((self.step, asked.actor, Choice.parse(choice, 1000)))
        assert len(self.asked) < MOST_CHOICES
        reply = await self.table.obey(asked, by, once, browser)
        if not reply.ok:
            self.refused.append((self.step, asked.actor, choice, reply.why))
        return reply

    async def play(self, *actors: str) -> None:
        async with self.players:
            self.table.tell(i.LetHubPlay(actors or EVERYBODY, True))
            self.table.tell(
                i.Request(i.StartScene(), scene=("", SceneSetup("tricube", self.setup)))
            )
            for _ in range(20 * MOST_CHOICES):
                if phase_of(self.table.state) is Phase.LOCKED:
                    self.table.tell(i.Tick(), after_ms=5_000)
                if phase_of(self.table.state) is Phase.OVER or any(self.stuck):
                    break
                await asyncio.sleep(0)

    @property
    def view(self) -> TricubeView:
        view = self.table.announcement().view.game
        assert isinstance(view, TricubeView)
        return view


@pytest.fixture
def evening(monkeypatch: pytest.MonkeyPatch) -> Callable[..., Evening]:
    return lambda seed, **game: Evening(seed, monkeypatch, **game)


@pytest.mark.parametrize("dice", ["table", "hand"])
async def test_hub_players_play_tales_to_their_end(
    evening: Callable[..., Evening], dice: str
) -> None:
    steps: Counter[str] = Counter()
    said: Counter[str] = Counter()
    for seed in range(30):
        table = evening(seed, dice=dice)
        await table.play()
        assert not any(table.stuck), f"seed {seed}: {table.stuck} {table.refused}"
        assert phase_of(table.table.state) is Phase.OVER
        assert table.longest < 30
        steps.update(step for step, _, _ in table.asked)
        said.update(choice.kind for _, _, choice in table.asked)
    # Every step that can await an actor has done so, and the GM has made every kind of call.
    throws = {"dice"} if dice == "hand" else {"throw"}
    wanted = {"scene", "approach", "karma", "accept", "regain", "price", "fate", "victor"} | throws
    assert {*steps} >= (wanted | {"nod"}) - {"throw"}
    assert {*said} >= {"call", "oppose", "offer", "turn", "end", "difficulty", "perk", "cure"}


async def test_the_hub_as_gm_answers_players_requests(
    evening: Callable[..., Evening],
) -> None:
    """The GM nods to a perk's use; without karma, it offers a complication or refuses."""
    answers: Counter[str] = Counter()
    for seed in range(6):
        for karma, perk in ((1, "Throwing knives"), (0, "Throwing knives")):
            people = {who: dict(each) for who, each in SCENE["characters"].items()}
            people["Ada"] |= {"karma": karma}
            table = evening(seed, characters=people)
            table.table.tell(
                i.Request(i.StartScene(), scene=("", SceneSetup("tricube", table.setup)))
            )
            table.table.decide("Ada", f'perk {{"perks":["{perk}"],"use":"impact"}}')
            async with table.players:
                table.table.tell(i.LetHubPlay(EVERYBODY, True))
                for _ in range(200):
                    await asyncio.sleep(0)
                    if table.asked and table.step == "scene":
                        break
            step, actor, choice = table.asked[0]
            assert actor == GM
            answers[f"{step} {choice.kind} {bool(choice.value)}"] += 1
            assert not any(table.stuck), table.refused
    assert answers["nod nod True"] == 6
    assert answers["instead complication True"] > 0


async def test_hub_players_wait_for_people_at_the_table(
    evening: Callable[..., Evening],
) -> None:
    table = evening(3)
    await table.play("Cy", GM)
    assert not any(table.stuck), table.refused
    view = table.table.announcement().view
    assert {*view.awaited} - {*view.committed} <= {"Ada", "Bo"}
    assert {*view.awaited} & {"Ada", "Bo"}
    assert all(actor in ("Cy", GM) for _, actor, _ in table.asked)


@pytest.mark.parametrize("seed", range(3))
async def test_a_player_without_karma_and_resolve_plays_on(
    evening: Callable[..., Evening], seed: int
) -> None:
    """No karma, no resolve to lose: only complications and fates are left."""
    people = {who: each | {"karma": 0, "resolve": 1} for who, each in SCENE["characters"].items()}
    table = evening(seed, characters=people)
    await table.play()
    assert not any(table.stuck), table.refused
    assert phase_of(table.table.state) is Phase.OVER
    assert {"fate", "price"} <= {step for step, _, _ in table.asked}


HURT = {"afflictions": [{"name": "A torn coat", "lasts": "longer"}]}


def people_with(**changes: dict[str, Any]) -> dict[str, Any]:
    return {who: each | changes.get(who, {}) for who, each in SCENE["characters"].items()}


def begun(table: Evening) -> TricubeView:
    table.table.tell(i.Request(i.StartScene(), scene=("", SceneSetup("tricube", table.setup))))
    return table.view


def of_own_accord(view: TricubeView, who: str) -> str:
    return str(PLAYING.unasked("scene", view, who) or "")


async def test_a_healer_cures_a_friend_with_a_karma(evening: Callable[..., Evening]) -> None:
    """A lasting affliction, of the friend who has most; not one that ends by itself or costs a
    maximum.
    """
    view = begun(evening(1, characters=people_with(Ada=HURT, Bo={"karma": 1})))
    cure = 'cure {"affliction":"A torn coat","perks":["Bandages anybody"],"who":"Ada"}'
    assert of_own_accord(view, "Bo") == cure
    assert PLAYING.unasked("karma", view, "Bo") is None
    poor = begun(evening(1, characters=people_with(Ada=HURT, Bo={"karma": 0})))
    for lasts in ("scene", "permanent"):
        other = {"afflictions": [{"name": "A torn coat", "lasts": lasts}]}
        left = begun(evening(1, characters=people_with(Ada=other)))
        assert not of_own_accord(left, "Bo").startswith("cure")
    assert not of_own_accord(poor, "Bo").startswith("cure")
    own = begun(evening(1, characters=people_with(Bo=HURT)))
    assert of_own_accord(own, "Bo") == cure.replace(',"who":"Ada"', "")
    assert not of_own_accord(own, "Ada").startswith("cure"), "nobody heals without such a perk"
    most = HURT["afflictions"] + [{"name": f"Scratch {n}", "lasts": "longer"} for n in range(3)]
    retired = begun(evening(1, characters=people_with(Ada=HURT, Cy={"afflictions": most})))
    assert '"who":"Cy"' in of_own_accord(retired, "Bo")


async def test_a_refused_request_is_not_repeated(evening: Callable[..., Evening]) -> None:
    """A GM who refuses is asked once, and the evening goes on."""
    table = evening(2, characters=people_with(Ada=HURT))
    begun(table)
    async with table.players:
        table.table.tell(i.LetHubPlay(tuple(SCENE["characters"]), True))
        for _ in range(200):
            await asyncio.sleep(0)
            if table.step == "nod":
                table.table.decide(GM, "nod no")
    cures = [choice for _, who, choice in table.asked if choice.kind == "cure"]
    assert len(cures) == 1
    assert table.step == "scene"
    assert not any(table.stuck), table.refused
    assert table.view.cast["Ada"].afflictions


async def test_perks_are_used_rarely_and_deterministically(
    evening: Callable[..., Evening],
) -> None:
    view = begun(evening(1))
    uses: Counter[str] = Counter()
    looks = 2_000
    for turns in range(looks):
        now = replace(view, turns=turns)
        for who in ("Ada", "Cy"):
            said = of_own_accord(now, who)
            assert said == of_own_accord(now, who)
            uses[said.partition('"use":"')[2].partition('"')[0]] += 1
            if "bypass" in said:
                assert "The flooded stairs" in said, "what takes effort is not passed by alone"
    assert uses.pop("") > 0.8 * 2 * looks
    assert {*uses} == {"flavour", "impact", "bypass"}
    poor = begun(evening(1, characters=people_with(Ada={"karma": 1})))
    spent = [of_own_accord(replace(poor, turns=turns), "Ada") for turns in range(looks)]
    assert not any("impact" in each or "bypass" in each for each in spent)


async def test_an_evening_is_deterministic_by_its_seed(evening: Callable[..., Evening]) -> None:
    played = []
    for _ in range(2):
        table = evening(4)
        await table.play()
        played.append(table.asked)
    assert played[0] == played[1]


async def test_the_hub_as_gm_sometimes_refuses(evening: Callable[..., Evening]) -> None:
    view = begun(evening(1, characters=people_with(Ada=HURT)))
    for what, least in (("cure", 5), ("perk", 2)):
        asked = AskedView(
            **dict.fromkeys(AskedView.__struct_fields__)
            | {"what": what, "who": "Bo", "perks": (), "told": ""}
        )
        yes, no = likes(replace(view, asked=asked), GM, "nod yes", "nod no")
        assert yes > least * no > 0


def likes(view: TricubeView, who: str, *choices: str) -> list[float]:
    return [PLAYING.liking(view, who, Choice.parse(each)) for each in choices]


async def test_karma_is_spent_where_it_makes_a_success(evening: Callable[..., Evening]) -> None:
    table = evening(1, dice="hand")
    table.table.tell(i.Request(i.StartScene(), scene=("", SceneSetup("tricube", table.setup))))
    call = (
        '{"challenge":"The great lock","type":"agile","rollers":{"Ada":{},"Bo":{}},"dice":"hand"}'
    )
    table.table.decide(GM, f"call {call}")
    for who in ("Ada", "Bo"):
        table.table.tell(i.Request(i.Commit(who, Sealed(Choice("approach", "plain"))), who.lower()))
    table.table.tell(i.Tick(), after_ms=5_000)
    table.table.decide("Ada", "dice 5 1 1")
    table.table.decide("Bo", "dice 6 5")
    assert table.step == "karma"
    own, none = likes(table.view, "Ada", "karma Throwing knives", "karma none")
    assert own > none
    friend = likes(table.view, "Cy", 'karma {"perks":["Reads any mechanism"],"for":"Ada"}')[0]
    assert 0 < friend < own
