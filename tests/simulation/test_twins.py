"""Pairs of simulated lives that differ in sealed cards only, and leaks that are planted in them."""

from random import Random
from typing import Any
from unittest.mock import patch

import pytest
from msgspec.structs import replace

from hub.journal.journal import SqliteJournal
from hub.ports import Announcement
from tests.simulation import plan
from tests.simulation.room import Room
from tests.simulation.twins import TwinLife, difference


def pair(seed: int, plants: Any = ()) -> tuple[str, bool]:
    turn = Random(seed).randrange(3)
    made = plan.drawn(seed, mqtt=False)
    # Other acts of hands may depend on the cards: they withdraw a tapped one, for example.
    public = tuple(d for d in made.decisions if d.kind not in (*plan.HANDS, "near"))
    return difference(replace(made, turns=turn + 1, decisions=public), turn, plants)


def test_nothing_shows_a_sealed_card_and_no_moment_does() -> None:
    found = [pair(seed) for seed in range(1, 15)]
    assert [why for why, _ in found if why] == []
    assert sum(differed for _, differed in found) > 8, "they were alike in everything"


def _length_of_secrets(rows: Any) -> int:
    return sum(len(row.secret or b"") for row in rows)


def a_seal_takes_as_long_as_its_secret(life: TwinLife) -> None:
    append = SqliteJournal.append

    def slow(self: SqliteJournal, rows: Any, *more: Any, **how: Any) -> None:
        life.machine.sleep(1e-5 * _length_of_secrets(rows))
        append(self, rows, *more, **how)

    life.planted.enter_context(patch.object(SqliteJournal, "append", slow))


def an_announcement_has_one_line_more(life: TwinLife) -> None:
    announce, heard = Room.announce, life.hear

    def telling(room: Room, told: Announcement) -> None:
        if scene := room.stage and room.runner.state.scene:
            sealed = [str(seal.choice()) for seal in scene.seals.values()]
            heard("leak", "x" * sum(map(len, sealed)))
        announce(room, told)

    life.planted.enter_context(patch.object(Room, "announce", telling))


@pytest.mark.parametrize(
    "leak", [a_seal_takes_as_long_as_its_secret, an_announcement_has_one_line_more]
)
def test_a_planted_leak_is_found(leak: Any) -> None:
    assert any(pair(seed, [leak])[0] for seed in range(1, 11))
