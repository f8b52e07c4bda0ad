"""In a Conflict, nothing that leaves the hub depends on a future draw or an ambiguous card.

A card is ambiguous if no reader may tell which it is. Twins as in :mod:`tests.secrecy.test_twins`:
see :mod:`tests.support.twins.conflict`. Leaks are planted here too, each a change of one line of
the hub.
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
import hub.mqtt.outbox
import hub.table.acts.field
import hub.table.preview
import hub.web.live
from hub.games.tourists.rules.bidding import in_the_deck
from hub.games.tourists.rules.deck import drawn_card
from tests.secrecy.leaks import after, before
from tests.support.twins.conflict import FEINTS, twins_of_a_conflict
from tests.support.twins.plans import Pair
from tests.support.twins.world import Leak, World

PLANS, MOST_PLANS = 3, 8
"""Number of evenings always played, and at most until one shows a planted leak."""
WORDS = {"hub": 5, "table": 10}
LAST = {"hub": ("look", "kill", "undo", "guesses"), "table": FEINTS}


@cache
def played(draws: str, seed: int, leak: Leak | None = None) -> Pair:
    return twins_of_a_conflict(draws, seed, WORDS[draws], *LAST[draws], leak=leak)


COME_BY = {
    "hub": {"own bytes", "undone", "step draw", "step bid", "step answers"},
    "table": {"both heard", "laid", "step draw", "step bid", *(f"feint {name}" for name in FEINTS)},
}


@pytest.mark.parametrize("draws", ["hub", "table"])
def test_two_hubs_with_different_futures_say_the_same(draws: str) -> None:
    done, said = Counter[str](), set[str]()
    for seed in range(PLANS):
        pair = played(draws, seed)
        assert not pair.difference
        assert pair.told[0].over is (draws == "hub"), "a draw ends what has to be the same"
        done += pair.done
        said |= {each.channel.split()[0] for each in pair.told[0].said}
    assert {*done} >= COME_BY[draws]
    assert said >= {"mqtt", "web", "log", "facedown", "lamp", "file"}
    assert not said & {"crash", "stuck"}


# Leaks


def comes(world: World) -> str:
    """The hub's next draw, or the cards on a reader that may not be read."""
    scene = world.runner._state.scene
    if scene is None:
        return ""
    if scene.chance is None or scene.game.conflict.round is None:
        lying = (spot.laid.unseal() for spot in world.runner._desk.values())
        return " ".join(str(each.card) for cards in lying if len(cards) == 2 for each in cards)
    bytes_ = bytes.fromhex(scene.chance.unseal().nonce)
    return str(drawn_card(bytes_, "ada", [*in_the_deck(scene.game.conflict)]))


def in_a_frame(world: World) -> None:
    """Shown by the frame's length."""
    after(world, hub.web.live, "state_frame", lambda frame, *_:
          replace(frame, data=frame.data + b" " * (crc32(comes(world).encode()) % 97)))  # fmt: skip


def in_the_state_of_the_broker(world: World) -> None:
    after(world, hub.mqtt.outbox, "state_payload", lambda data, *_: data + comes(world).encode())


def in_a_log_line(world: World) -> None:
    before(world, hub.daemon.runner.Runner, "hand", lambda *_:
           logging.getLogger("hub.daemon.runner").debug("next: %s", comes(world)))  # fmt: skip


def by_a_preview(world: World) -> None:
    after(world, hub.table.preview, "_is_by_chance", lambda *_: False)


def the_bytes_themselves(world: World) -> None:
    """Hashes may differ between twins, so these bytes are searched for."""

    def nonce() -> str:
        scene = world.runner._state.scene
        return scene.chance.unseal().nonce if scene and scene.chance else ""

    before(world, hub.daemon.runner.Runner, "hand", lambda *_:
           logging.getLogger("hub.daemon.runner").debug("%s", nonce()))  # fmt: skip


def by_the_order_of_questions(world: World) -> None:
    after(world, hub.daemon.runner, "questions", lambda found, *_:
          found[::-1] if len(comes(world)) % 2 else found)  # fmt: skip


def by_why_it_is_not_read(world: World) -> None:
    """Names a card that has both ends on the reader."""

    def named(found: Any, work: Any, seat: str) -> Any:
        signal, why = found
        logging.getLogger("hub.table").debug("%s", work.spot(seat).laid.unseal()[0].card)
        return signal, why

    after(world, hub.table.acts.field, "_too_many", named)


LEAKS: list[tuple[str, Callable[[World], None]]] = [
    ("hub", in_a_frame),
    ("hub", by_a_preview),
    ("table", by_why_it_is_not_read),
    ("hub", the_bytes_themselves),
    ("hub", in_the_state_of_the_broker),
    ("hub", in_a_log_line),
    ("hub", by_the_order_of_questions),
    ("table", in_a_log_line),
]
IN_EVERY_RUN = 3


@pytest.mark.parametrize(
    ("draws", "leak"),
    [
        pytest.param(
            draws, leak, id=f"{draws}-{leak.__name__}",
            marks=[] if at < IN_EVERY_RUN else [pytest.mark.leaks],
        )
        for at, (draws, leak) in enumerate(LEAKS)
    ],
)  # fmt: skip
def test_a_planted_leak_is_found(draws: str, leak: Leak) -> None:
    assert any(played(draws, seed, leak).difference for seed in range(MOST_PLANS))
