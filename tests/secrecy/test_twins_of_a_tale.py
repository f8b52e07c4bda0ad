"""In a tale, nothing that leaves the hub depends on sealed approaches, difficulties or dice.

Twins as in :mod:`tests.secrecy.test_twins`: see :mod:`tests.support.twins.tale`. Leaks are planted
here too, each a change of one line of the hub.
"""

import logging
from collections import Counter
from collections.abc import Callable
from functools import cache
from typing import Any
from zlib import crc32

import pytest
from msgspec.structs import replace

import hub.daemon.runner
import hub.games.tricube.rules.game
import hub.mqtt.outbox
import hub.players.players
import hub.table.private_views
import hub.web.live
from hub.games.tricube.rules.throwing import thrown
from tests.secrecy.leaks import after, before
from tests.support.twins.plans import Pair
from tests.support.twins.tale import FEINTS, twins_of_a_tale
from tests.support.twins.world import Leak, World

PLANS = 6


@cache
def played(seed: int, leak: Leak | None = None) -> Pair:
    some = FEINTS[seed % PLANS :: PLANS]
    return twins_of_a_tale(seed, *some, leak=leak)


@pytest.mark.parametrize("seed", range(PLANS))
def test_two_hubs_with_different_cards_say_the_same(seed: int) -> None:
    assert not played(seed).difference


def test_the_tales_cover_everything_that_could_leak() -> None:
    done, said = Counter[str](), set[str]()
    for seed in range(PLANS):
        pair = played(seed)
        done += pair.done
        said |= {each.channel.split()[0] for each in pair.told[0].said}
        assert pair.told[0].over, "what lies there in the end is shown"
    wanted = {*(f"feint {name}" for name in FEINTS), "own bytes", "locked", "undone while locked"}
    ways = {"reader", "page"}
    wanted |= {f"{who} by {way}" for who in ("ada", "bo", "gm") for way in ways}
    assert wanted | {"gm by console"} <= {*done}
    assert not done["not sealed"]
    assert said >= {"mqtt", "web", "log", "facedown", "lamp", "file"}
    assert not said & {"crash", "stuck"}


# Leaks


def sealed(world: World, actor: str) -> str:
    """The actor's face-down choice."""
    scene = world.runner._state.scene
    seal = scene.seals.get(actor) if scene else None
    return str(seal.choice()) if seal else ""


def dice(world: World) -> str:
    """The dice that the table will throw for ada."""
    scene = world.runner._state.scene
    if scene is None or scene.chance is None:
        return ""
    return str(thrown(bytes.fromhex(scene.chance.unseal().nonce), "ada", 3))


def the_difficulty_in_a_frame(world: World) -> None:
    """Shown by the frame's length."""

    def longer(frame: Any, *_: Any) -> Any:
        return replace(frame, data=frame.data + b" " * (crc32(sealed(world, "gm").encode()) % 97))

    after(world, hub.web.live, "state_frame", longer)


def the_difficulty_at_the_broker(world: World) -> None:
    after(world, hub.mqtt.outbox, "state_payload", lambda data, *_:
          data + sealed(world, "gm").encode())  # fmt: skip


def an_approach_in_a_log_line(world: World) -> None:
    before(world, hub.daemon.runner.Runner, "hand", lambda *_:
           logging.getLogger("hub.daemon.runner").debug("%s", sealed(world, "ada")))  # fmt: skip


def the_dice_in_a_log_line(world: World) -> None:
    before(world, hub.daemon.runner.Runner, "hand", lambda *_:
           logging.getLogger("hub.daemon.runner").debug("%s", dice(world)))  # fmt: skip


def the_dice_in_the_view(world: World) -> None:
    def shown(view: Any, *_: Any) -> Any:
        return replace(view, turns=view.turns + sum(map(int, filter(str.isdigit, dice(world)))))

    after(world, hub.games.tricube.rules.game, "public_view", shown)


def what_is_offered_beside_the_difficulty(world: World) -> None:
    after(world, hub.table.private_views, "hand_offers", lambda offers, *_:
          offers[::-1] if sealed(world, "gm") == "difficulty 6" else offers)  # fmt: skip


LEAKS: list[Callable[[World], None]] = [
    the_difficulty_in_a_frame,
    the_dice_in_the_view,
    the_difficulty_at_the_broker,
    an_approach_in_a_log_line,
    the_dice_in_a_log_line,
    what_is_offered_beside_the_difficulty,
]
IN_EVERY_RUN = 2


@pytest.mark.parametrize(
    "leak",
    [
        pytest.param(leak, id=leak.__name__, marks=[] if at < IN_EVERY_RUN else [pytest.mark.leaks])
        for at, leak in enumerate(LEAKS)
    ],
)
def test_a_planted_leak_is_found(leak: Leak) -> None:
    assert any(played(seed, leak).difference for seed in range(PLANS))


# A hub player


@cache
def watched(leak: Leak | None = None) -> list[Pair]:
    return [twins_of_a_tale(seed, leak=leak, watched=True) for seed in range(3)]


def test_a_hub_player_chooses_the_same_beside_any_card() -> None:
    pairs = watched()
    assert [pair.difference for pair in pairs] == [""] * len(pairs)
    assert sum(pair.done["chosen by the hub"] for pair in pairs) >= len(pairs)


def a_player_of_the_hubs_that_peeks(world: World) -> None:
    """It sees its own offers in an order that depends on ada's card."""

    def turned(seen: Any, *_: Any) -> Any:
        if seen.held is None or crc32(sealed(world, "ada").encode()) % 2:
            return seen
        return replace(seen, held=seen.held | {"offers": seen.held["offers"][::-1]})

    after(world, hub.players.players, "look", turned)


def test_a_hub_player_that_peeks_is_found() -> None:
    assert any(pair.difference for pair in watched(a_player_of_the_hubs_that_peeks))
