"""Random conflicts: no dead end, both ways of playing agree, R9 against a naive implementation."""

from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from hub.games.triangle.rules.edition import Edition
from hub.games.triangle.rules.passing import may_act
from tests.rules.duel import play
from tests.rules.walk import BEARER, BLUFF, EDITIONS, LATE, SEVERAL, brawl, json_move, walk

LEAST_BRAWLS = 6
seeds = st.integers(0, 2**32)
books = st.sampled_from(EDITIONS)
few = settings(max_examples=60, suppress_health_check=list(HealthCheck))


@few
@given(seeds, books)
def test_the_table_and_the_script_agree(seed: int, edition: Edition) -> None:
    walked = walk(Random(seed), edition=edition)
    *turns, closing = play(walked.script)
    losses_add_up(walked.script, turns)
    assert len(turns) == len(walked.settled)
    for number, (turn, state) in enumerate(zip(turns, walked.settled, strict=True), 1):
        assert turn["turn"] == number
        assert turn["may_act"] == list(may_act(state))
        for name, fighter in state.fighters.items():
            energy = fighter.energy
            assert list(turn["energy"][name].values()) == [
                energy.attack,
                energy.defend,
                energy.grapple,
            ]
            assert turn["face_up"].get(name, []) == [json_move(str(m)) for m in fighter.face_up]
            assert (name in turn["out"], name in turn["dead"]) == (fighter.out, fighter.dead)
            assert turn["zero"][name] == list(fighter.zero)
        run = state.run
        assert turn["combo"] == (
            {"victim": run.victim, "moves": [json_move(str(m)) for _, m in run.cards]}
            if run
            else None
        )
    assert closing["over"] == bool(walked.settled and walked.settled[-1].result)


@pytest.mark.parametrize("edition", EDITIONS, ids=lambda edition: edition.id)
def test_no_dead_end_with_specials_in_every_window(edition: Edition) -> None:
    """Play random conflicts until every special has been used; each is checked at every step."""
    bluffs = {BLUFF} if "to-blave" in edition.specials else set()
    wanted = {*edition.specials, SEVERAL, LATE, BEARER, *bluffs}
    used: set[str] = set()
    for seed in range(24):
        end, came_by = brawl(Random(seed), 12, edition)
        used |= came_by
        if seed == 0:
            assert end == brawl(Random(seed), 12, edition)[0], "chance is all that is random"
        if used == wanted and seed >= LEAST_BRAWLS:
            return
    assert used == wanted


def losses_add_up(script: dict[str, Any], turns: list[dict[str, Any]]) -> None:
    left = {name: sum(c["energy"].values()) for name, c in script["characters"].items()}
    for turn in turns:
        for name, loss in turn["loss"].items():
            keys = ("stance", "own_stance", "base", "combo", "disadvantage", "special")
            raw = sum(loss[key] for key in keys)
            assert loss["total"] == min(raw, left[name]) == sum(loss["split"].values())
            assert loss["capped"] == (raw > left[name])
        left = {name: sum(points.values()) for name, points in turn["energy"].items()}
        gone = [name for name, points in left.items() if not points]
        assert set(gone) <= set(turn["out"])


class NaivePassing:
    """R9 and R3 computed again from the script and the winners, from the start each time."""

    def __init__(self, script: dict[str, Any], turns: list[dict[str, Any]]) -> None:
        self.script, self.turns = script, turns
        self.side = {n: s for s, names in script["sides"].items() for n in names}

    def run(self, n: int) -> tuple[str, list[tuple[str, Any]]] | None:
        """Victim and cards of the run after n turns, face up or not."""
        if n == 0 or self.turns[n - 1]["outcome"] != "win":
            return None
        given, turn = self.script["turns"][n - 1], self.turns[n - 1]
        winner, loser = turn["winner"], turn["loser"]
        card = (winner, given["move"][winner])
        before = self.face_up(n - 1)
        if before and before[0] == loser and not given.get("end_combo"):
            follow_ups = self.follow_ups(winner, before[1][-1][1])
            if self.original(card[1]) in follow_ups:
                return loser, [*before[1], card]
        return loser, [card]

    def face_up(self, n: int) -> tuple[str, list[tuple[str, Any]]] | None:
        run = self.run(n)
        if run is None or run[0] in self.turns[n - 1]["out"]:
            return None
        winners = self.side[self.turns[n - 1]["winner"]]
        knows = any(
            self.follow_ups(ally, run[1][-1][1])
            for ally in self.script["sides"][winners]
            if ally not in self.turns[n - 1]["out"]
        )
        return run if knows else None

    def follow_ups(self, name: str, move: Any) -> list[str]:
        return list(self.script["characters"][name]["combos"].get(self.original(move), []))

    @staticmethod
    def original(move: Any) -> str:
        return str(move["move"] if isinstance(move, dict) else move)

    def streak(self, n: int, name: str) -> int:
        return 0 if n == 0 or self.turns[n - 1]["winner"] != name else 1 + self.streak(n - 1, name)

    def may_keep(self, n: int, name: str) -> bool:
        """Whether the character may keep turn n + 1."""
        run = self.face_up(n)
        if n == 0 or self.turns[n - 1]["winner"] != name or run is None:
            return False
        lying = [move for player, move in run[1] if player == name]
        free = [m for m in self.script["characters"][name]["moves"] if m not in lying]
        follow_ups = self.follow_ups(name, run[1][-1][1])
        return self.streak(n, name) < 3 and any(self.original(m) in follow_ups for m in free)

    def kept(self, n: int) -> bool:
        """Whether turn n + 1 was kept."""
        given, run = self.script["turns"][n], self.face_up(n)
        return bool(
            self.may_keep(n, given["active"])
            and run
            and run[0] == given["opponent"]
            and not given.get("end_combo")
        )

    def counts(self, n: int) -> dict[str, int]:
        counts = dict.fromkeys(self.side, 0)
        for k in range(n):
            counts[self.script["turns"][k]["active"]] += not self.kept(k)
        return counts

    def may_act(self, n: int) -> list[str]:
        turn, counts = self.turns[n - 1], self.counts(n)
        still_in = [name for name in self.script["characters"] if name not in turn["out"]]
        sides = self.script["sides"].values()
        ended = self.script["minor"] or any(not set(names) & set(still_in) for names in sides)
        winner = turn["winner"]
        if ended or winner is None:
            return [] if ended else still_in
        side = self.script["sides"][self.side[winner]]
        mine = [name for name in still_in if name in side]
        if self.streak(n, winner) >= 3 and mine != [winner]:
            mine.remove(winner)
        fewer = [m for m in mine if any(counts[m] < counts[other] for other in side)] or mine
        return [n_ for n_ in still_in if n_ in fewer or self.may_keep(n, n_)]


@pytest.mark.book("passing.winner")
@few
@given(seeds)
def test_who_may_act_matches_a_naive_implementation(seed: int) -> None:
    script = walk(Random(seed), turns=25).script
    *turns, _ = play(script)
    naive = NaivePassing(script, turns)
    for n, turn in enumerate(turns, 1):
        assert turn["may_act"] == naive.may_act(n), n
        run = naive.face_up(n)
        if turn["combo"] is None:
            assert run is None or not turn["may_act"]
        else:
            assert run and turn["combo"]["moves"] == [move for _, move in run[1]]
