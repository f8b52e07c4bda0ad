"""Random conflicts with specials: invariants, and R12 against a naive implementation."""

import json
from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from hub.games.triangle.rules.cards import face_up
from hub.games.triangle.rules.edition import Edition
from tests.rules.brawl import Brawl, brawl
from tests.rules.duel import play, play_until_fault, setup, turn, where
from tests.rules.walk import EDITIONS
from tests.support.editions import IRON_TRIANGLE, IRON_TRIANGLE_1E, UNROLL

TYPES = ("attack", "defend", "grapple")
seeds = st.integers(0, 2**32)
books = st.sampled_from(EDITIONS)
few = settings(max_examples=80, suppress_health_check=list(HealthCheck))


def total(points: dict[str, int]) -> int:
    return sum(points.values())


@few
@given(seeds, books)
def test_random_conflicts_with_specials(seed: int, edition: Edition) -> None:
    """Each is played once for all properties."""
    fought = brawl(Random(seed), edition)
    printed = play(fought.script)
    the_invariants_hold_after_every_turn(fought, printed)
    losses_and_gains_match_a_naive_implementation(fought.script, edition, printed[:-1])
    assert play(explicit(fought, printed[:-1])) == printed, "defaults may be written out"
    turned = json.loads(json.dumps(fought.script))
    for each in turned["turns"]:
        each["special"] = dict(reversed(each.get("special", {}).items()))
    assert play(turned) == printed, "the order of the players does not matter"


def the_invariants_hold_after_every_turn(fought: Brawl, printed: list[dict[str, Any]]) -> None:
    *turns, closing = printed
    characters = fought.script["characters"]
    before = {name: c["energy"] for name, c in characters.items()}
    out: set[str] = set()
    for found, state in zip(turns, fought.states, strict=True):
        for name, points in found["energy"].items():
            lost = found["loss"].get(name, {}).get("split", dict.fromkeys(TYPES, 0))
            gained = found["gain"].get(name, dict.fromkeys(TYPES, 0))
            for key in TYPES:
                assert 0 <= points[key] <= characters[name]["max"][key]
                assert points[key] == before[name][key] - lost[key] + gained[key]
                assert points[key] or key in found["zero"][name]
            cards = face_up(state, name)
            assert len(cards) == len(set(map(str, cards))), "no card twice in play"
            assert all(map(total, found["gain"].values()))
        assert out <= set(found["out"])
        out, before = set(found["out"]), found["energy"]
        for name, fighter in state.fighters.items():
            spent = [s for s in fighter.used if s.effect != "nothing"]
            assert len(spent) == len(set(spent)), "no special twice"
            assert not (fighter.last_stand and fighter.out)
            assert not (fighter.last_stand and name not in fought.script["sides"]["players"])
            assert fighter.dead == (name in found["dead"])
            if fighter.last_stand:
                assert fighter.dead == bool(state.result)
    assert closing["over"] == bool(fought.states and fought.states[-1].result)


class Naive:
    """R12's arithmetic computed again for one turn of a script, by name and from the output."""

    def __init__(
        self, edition: Edition, given: dict[str, Any], found: dict[str, Any], before: Any
    ) -> None:
        self.edition, self.given, self.found, self.before = edition, given, found, before
        self.two = (given["active"], given["opponent"])
        self.uses: list[tuple[str, str, str | None, str | None]] = []
        self.move = {name: self.action(card) for name, card in given["move"].items()}
        for player, items in given.get("special", {}).items():
            for item in items:
                self.read(player, item if isinstance(item, dict) else {"name": item})

    @staticmethod
    def action(card: Any) -> str:
        return str(card["move"] if isinstance(card, dict) else card).partition("-")[0]

    def read(self, player: str, item: dict[str, Any]) -> None:
        special = self.edition.specials[item.get("as", item["name"])]
        if "replace" in item:
            self.move[player] = self.action(item["replace"])
        self.uses.append((player, special.effect, special.action, item.get("for")))

    def foe(self, name: str) -> str:
        return self.two[name == self.two[0]]

    def uses_of(self, name: str, effect: str, against: str) -> bool:
        """Whether the character used it in the variation that fits the move ``against``."""
        return any(u[:3] == (name, effect, against) for u in self.uses)

    def bearer(self, name: str) -> str:
        found = [u[0] for u in self.uses if u[1] == "bear" and u[3] == name]
        return found[0] if len(found) == 1 else name

    def has(self, name: str) -> int:
        """The energy it can lose; a samurai's has been restored by then."""
        refill = any(u[:2] == (name, "last") for u in self.uses)
        gained = self.found["gain"].get(name, {}) if refill else {}
        return total(self.before[name]) + total(gained)

    def own(self, name: str) -> tuple[int, int]:
        """A character's loss by its own moves, and the part that specials take off."""
        loss = self.found["loss"].get(self.bearer(name))
        if loss is None or name not in (self.found["loser"] or self.two):
            return 0, 0
        keys = ("stance", "own_stance", "base", "combo", "disadvantage")
        raw, against = sum(loss[key] for key in keys), self.move[self.foe(name)]
        off = loss["stance"] * self.uses_of(name, "calm", against)
        off += raw * self.uses_of(name, "parry", against)
        return raw - off, -off

    def loss(self, name: str) -> tuple[int, int, bool]:
        """The values to be printed as special, total and capped."""
        foe, (own, special) = self.foe(name), self.own(name)
        returned = 0
        if self.uses_of(foe, "return", self.move[name]) and self.bearer(foe) == foe:
            returned = min(self.own(foe)[0], self.has(foe))
        left = min(self.has(name), self.has(self.bearer(name)))
        return special + returned, min(own + returned, left), own + returned > left

    def gain(self, name: str) -> int:
        """The points that return, as far as there is room."""
        stance = self.given["stance"][name].split()
        due = 0
        if self.found["winner"] == name and self.uses_of(name, "recover", self.move[name]):
            due = int(stance[1]) if stance[0] == self.move[name] else 0
        if self.uses_of(name, "drain", self.move[name]):
            due = self.found["loss"].get(self.foe(name), {"total": 0})["total"]
        return due


def losses_and_gains_match_a_naive_implementation(
    script: dict[str, Any], edition: Edition, turns: list[dict[str, Any]]
) -> None:
    before = {name: c["energy"] for name, c in script["characters"].items()}
    for given_turn, found in zip(script["turns"], turns, strict=True):
        naive = Naive(edition, given_turn, found, before)
        printed = {}
        if found["outcome"] != "surrender":
            for name in naive.two:
                special, lost, capped = naive.loss(name)
                if name != found["winner"] or lost:  # R24: a winner at zero has none
                    printed[naive.bearer(name)] = (special, lost, capped)
        assert printed == {
            name: (loss["special"], loss["total"], loss["capped"])
            for name, loss in found["loss"].items()
        }
        for name in naive.two:
            if any(u[:2] == (name, "last") for u in naive.uses):
                continue
            lost = found["loss"].get(name, {"total": 0})["total"]
            most = total(script["characters"][name]["max"])
            room = most - (total(before[name]) - lost)
            gained = total(found["gain"].get(name, {}))
            assert gained == min(naive.gain(name), room)
        before = found["energy"]


def explicit(fought: Brawl, turns: list[dict[str, Any]]) -> dict[str, Any]:
    """The script with every default written out: splits and gains as printed."""
    script = json.loads(json.dumps(fought.script))
    for given_turn, found, state in zip(script["turns"], turns, fought.states, strict=True):
        assert state.turn
        losses = {name: loss["split"] for name, loss in found["loss"].items() if loss["total"]}
        for use in state.turn.uses:
            items = given_turn["special"][use.player]
            item = items[0] if isinstance(items[0], dict) else {"name": items[0]}
            if use.effect == "aim" and state.turn.other(use.player) in losses:
                item["loss"] = losses.pop(state.turn.other(use.player))
            if use.effect in ("recover", "drain") and use.player in found["gain"]:
                item["gain"] = found["gain"][use.player]
            items[0] = item
        given_turn["loss"] = losses
    return dict(script)


@few
@given(seeds)
def test_editions_differ_only_by_their_data(seed: int) -> None:
    """Nine moves, the shared specials, no variants: the later books play alike."""
    text = json.dumps(brawl(Random(seed), UNROLL).script)
    second = text.replace("predictabo", "i-already-know").replace('"unroll"', '"iron-triangle"')
    assert play(json.loads(text)) == play(json.loads(second))


@few
@given(seeds)
def test_the_first_edition_without_specials_differs_only_at_the_end(seed: int) -> None:
    script = brawl(Random(seed), IRON_TRIANGLE).script
    for character in script["characters"].values():
        character["specials"] = []
    script["turns"] = [{**t, "special": {}} for t in script["turns"]]
    second, fault = play_until_fault(script)
    first, other_fault = play_until_fault({**script, "ruleset": IRON_TRIANGLE_1E.id})
    assert str(fault) == str(other_fault).replace("-1e", "")
    if second and second[-1].get("reason") == "both-out":
        assert second.pop()["winner"] == "gm"
        closing = {"over": True, "winner": None, "reason": "both-out", "undecided": True}
        assert first.pop() == closing
    assert first == second


KEYS = ["name", "as", "for", "target", "gain", "loss", "replace"]
words = st.sampled_from([*KEYS, "ada", "ninja", "attack", "attack-low", "surrender"])
words |= st.sampled_from([*UNROLL.specials, *IRON_TRIANGLE_1E.specials])
values = (
    st.none()
    | st.booleans()
    | st.integers(-2, 5)
    | st.floats(allow_nan=False, allow_infinity=False)
    | words
)
garbage = st.recursive(
    values,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(words, inner, max_size=3),
    max_leaves=6,
)


@settings(max_examples=150)
@given(books, st.dictionaries(st.sampled_from(["ada", "bo", "ninja", "zoe"]), garbage))
def test_garbage_for_specials_is_refused_or_played(edition: Edition, special: Any) -> None:
    knows = {"specials": list(edition.specials)}
    document = setup(edition=edition, characters=dict.fromkeys(("ada", "bo", "ninja"), knows))
    second = turn("ada", "ninja", "attack-mid", "attack-mid", special=special)
    first = turn("ada", "ninja", "attack-low", "attack-low", next="ada")
    found, error = play_until_fault({**document, "turns": [first, second]})
    assert found[0]["outcome"] == "tie"
    assert len(found) == 3 or (error and where(error).startswith("turns[1]."))
    told = str(error).split("\n")
    assert error is None or all(line.isprintable() and len(line) < 400 for line in told)


@settings(max_examples=100)
@given(books, garbage)
def test_garbage_on_the_sheet_is_refused(edition: Edition, specials: Any) -> None:
    cast = {"ada": {"specials": specials}}
    found, error = play_until_fault({**setup(edition=edition, characters=cast), "turns": []})
    assert found == [{"over": False}] or (error and where(error).startswith("characters.ada"))


@pytest.mark.parametrize("edition", EDITIONS, ids=lambda e: e.id)
def test_random_conflicts_use_every_effect(edition: Edition) -> None:
    """The properties above would prove little if the random conflicts were tame."""
    seen: set[str] = set()
    wanted = {special.effect for special in edition.specials.values()}
    for seed in range(60):
        for state in brawl(Random(seed), edition).states:
            assert state.turn
            seen |= {use.effect for use in state.turn.uses}
            seen |= {"copy" for use in state.turn.uses if use.copied}
        if seen == wanted:
            return
    assert seen == wanted
