"""A seal's digest hides its card only as long as the nonce is unpredictable.

Every nonce comes from the system's random bytes alone, drawn for the step in which it is made. All
256 bits count, in a seal and in a step's chance. Three broken kinds of nonce are planted, and each
is found.
"""

import os
from collections.abc import Callable
from itertools import chain
from random import Random
from typing import Any
from unittest.mock import patch

import pytest

from hub.daemon.runner import Runner
from hub.table.acts import commit
from hub.table.transaction import Transaction
from tests.secrecy.leaks import put
from tests.support.tabletalk import TableTalk
from tests.support.twins.hands import Hands
from tests.support.twins.moment import Dice
from tests.support.twins.setting import Setting
from tests.support.twins.world import Leak, World, live
from tests.table.test_sealed_chance import TOYS, scene

LEAST_SEALS = 6
BITS = 256


async def play(hands: Hands, *feints: str) -> None:
    """Seal the same card again and again, also from pages and beside."""
    for step, some in (("stance", feints), ("move", ("beside",))):
        await hands._reach("file", step)
        for feint in some:
            await hands.feint(feint)
    await hands.drop_all()
    await hands.world.ask("gm", "end-scene")


def nonces(
    entropy: Callable[[int], bytes], leak: Leak | None = None, twin: int = 0, then: str = ""
) -> tuple[list[str], list[str]]:
    """The nonces of a life's two halves; the hub is killed in the first.

    In the second half other random bytes are drawn if ``then`` names their seed.
    """
    dice, first = [entropy], list[str]()

    async def life(world: World) -> None:
        hands = Hands(world, "nonces", twin)
        await play(hands, "again", "kill", "again")
        first.extend(world.nonces)
        if then:
            dice[0] = Dice(then)
        await play(hands, "again", "page")

    def draw(size: int) -> bytes:
        return dice[0](size)

    world = live(Setting(), life, "", leak, entropy=draw)
    return first, world.nonces[len(first) :]


def problems(leak: Leak | None = None) -> list[str]:
    """The problems with a hub's nonces, in words."""
    one, other_cards = nonces(Dice("one"), leak), nonces(Dice("one"), leak, twin=1)
    another, changed = nonces(Dice("another"), leak), nonces(Dice("one"), leak, then="another")
    hubs = (one, another) if leak else [nonces(os.urandom) for _ in range(2)]
    real = [nonce for hub in hubs for half in hub for nonce in half]
    wrong = {
        "too few seals": min(map(len, one)) < LEAST_SEALS,
        "not 32 bytes": any(len(bytes.fromhex(nonce)) != BITS // 8 for nonce in real),
        "one comes twice, perhaps after a restart or at another hub": len(set(real)) < len(real),
        "they depend on the cards": one != other_cards,
        "they do not depend on the random bytes": bool({*chain(*one)} & {*chain(*another)}),
        "they go on from bytes drawn long before": bool({*one[1]} & {*changed[1]}),
    }
    assert changed[0] == one[0]
    return [what for what, is_so in wrong.items() if is_so]


def test_nonces_come_from_fresh_random_bytes_alone() -> None:
    assert problems() == []


def a_counter(world: World) -> None:
    put(world, Transaction, "nonce", lambda _: lambda work: f"{work.state.seq:064x}")


def made_of_the_card(world: World) -> None:
    def make(seal: Any) -> Any:
        def derived(work: Any, actor: str, seat: str, choice: Any, **more: Any) -> Any:
            nonce = f"{choice} of {actor} in {work.state.seq}".encode().hex()[:64].rjust(64, "0")
            with patch.object(Transaction, "nonce", lambda _: nonce):
                return seal(work, actor, seat, choice, **more)

        return derived

    put(world, commit, "seal", make)


def _drawn_once(world: World, seed: Callable[[Any], object]) -> None:
    def make(init: Any) -> Any:
        def seeded(runner: Runner, **given: Any) -> None:
            dice = Random(str(seed(given)))
            init(runner, **given | {"entropy": lambda: dice.randbytes(32)})

        return seeded

    put(world, Runner, "__init__", make)


def seeded_at_the_start(world: World) -> None:
    _drawn_once(world, lambda given: given["entropy"]())


AGAIN = "one comes twice, perhaps after a restart or at another hub"
CARDS = "they depend on the cards"
RIGID = "they do not depend on the random bytes"
LONG_AGO = "they go on from bytes drawn long before"


@pytest.mark.parametrize(
    ("broken", "found"),
    [
        (a_counter, [AGAIN, RIGID, LONG_AGO]),
        (made_of_the_card, [AGAIN, CARDS, RIGID, LONG_AGO]),
        (seeded_at_the_start, [LONG_AGO]),
    ],
)
def test_a_broken_nonce_is_found(broken: Leak, found: list[str]) -> None:
    assert problems(broken) == found


class Drawn(TableTalk):
    """A table that draws these random bytes at each step."""

    bits = 0

    def entropy(self, step: int) -> bytes:
        return self.bits.to_bytes(32, "big")


def a_seal(bits: int) -> str:
    table = Drawn()
    table.begin_turn()
    table.bits = bits
    table.place("ada", "stance none")
    return _last_nonce(table)


def a_chance(bits: int) -> str:
    table = Drawn(scene(), rulebooks=TOYS)
    table.settings = type(table.settings)(seats={"ada": ("ada",), "bo": ("bo",), "gm": ()})
    table.bits = bits
    table.start()
    return _last_nonce(table)


def _last_nonce(table: TableTalk) -> str:
    secret: Any = table.records[-1].secret
    return str(secret.unseal().nonce)


@pytest.mark.parametrize("made", [a_seal, a_chance])
def test_each_of_256_bits_counts(made: Callable[[int], str]) -> None:
    flipped = {made(0), *(made(1 << bit) for bit in range(BITS))}
    assert len(flipped) == BITS + 1
