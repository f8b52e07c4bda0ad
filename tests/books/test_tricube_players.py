"""The hub's players play tales to their end, sensibly, and are never stuck."""

import asyncio
from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest
from msgspec.structs import replace

from hub.games.game import GM, Choice
from hub.games.tricube import demo
from hub.games.tricube.playing import PLAYING
from hub.games.tricube.rules.view import AskedView, TricubeView
from hub.table import acts as i
from hub.table.sealed import Sealed
from tests.books.evening import Demo, Evening

DEMO = Demo(demo, "characters", "challenges", "dice")
SCENE = DEMO.scene


@pytest.fixture
def evening(monkeypatch: pytest.MonkeyPatch) -> Callable[..., Evening]:
    return DEMO.evening(monkeypatch)


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
        assert table.over
        assert table.longest < 30
        steps.update(step for step, _, _ in table.asked)
        said.update(choice.kind for _, _, choice in table.asked)
    # Every step that can await an actor has done so, and the GM has made every kind of call.
    throws = {"dice"} if dice == "hand" else {"throw"}
    wanted = {"scene", "approach", "karma", "accept", "regain", "price", "fate", "victor"} | throws
    assert {*steps} >= (wanted | {"nod"}) - {"throw"}
    assert {*said} >= {"call", "oppose", "offer", "turn", "end", "difficulty", "perk", "cure"}


async def test_the_hub_as_gm_answers_players_requests(evening: Callable[..., Evening]) -> None:
    """The GM nods to a perk's use; without karma, it offers a complication or refuses."""
    answers: Counter[str] = Counter()
    for seed in range(6):
        for karma, perk in ((1, "Throwing knives"), (0, "Throwing knives")):
            people = {who: dict(each) for who, each in SCENE["characters"].items()}
            people["Ada"] |= {"karma": karma}
            table = evening(seed, characters=people)
            table.start()
            table.table.decide("Ada", f'perk {{"perks":["{perk}"],"use":"impact"}}')
            async with table.players:
                table.table.tell(i.LetHubPlay(DEMO.everybody, True))
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


@pytest.mark.parametrize("seed", range(3))
async def test_a_player_without_karma_and_resolve_plays_on(
    evening: Callable[..., Evening], seed: int
) -> None:
    """No karma, no resolve to lose: only complications and fates are left."""
    people = {who: each | {"karma": 0, "resolve": 1} for who, each in SCENE["characters"].items()}
    table = evening(seed, characters=people)
    await table.play()
    assert not any(table.stuck), table.refused
    assert table.over
    assert {"fate", "price"} <= {step for step, _, _ in table.asked}


HURT = {"afflictions": [{"name": "A torn coat", "lasts": "longer"}]}


def people_with(**changes: dict[str, Any]) -> dict[str, Any]:
    return {who: each | changes.get(who, {}) for who, each in SCENE["characters"].items()}


def begun(table: Evening) -> TricubeView:
    view = table.start()
    assert isinstance(view, TricubeView)
    return view


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


async def test_perks_are_used_rarely_and_deterministically(evening: Callable[..., Evening]) -> None:
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
    table.start()
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
