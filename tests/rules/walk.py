"""Whole conflicts played at random through the Game protocol, checked at every step.

The walk records its choices as a script, so that both ways of playing can be compared.
"""

from collections.abc import Iterator
from random import Random
from typing import Any

from msgspec import Struct

from hub.games.game import GM, Choice, Game, Kind, Offer
from hub.games.registry import game_of
from hub.games.triangle.rules.conflict import Conflict
from hub.games.triangle.rules.edition import Edition
from hub.games.triangle.rules.grammar import parse_split
from hub.games.triangle.rules.special_steps import players_of
from tests.support.editions import IRON_TRIANGLE, IRON_TRIANGLE_1E, UNROLL

EDITIONS = (UNROLL, IRON_TRIANGLE, IRON_TRIANGLE_1E)
SEVERAL, LATE = "several beside", "after the moves"
BLUFF, BEARER = "a bluff from outside the turn", "somebody who bears a loss before the stances"
"""Events of a brawl besides the specials."""


class Walk(Struct):
    """A played conflict: its script, and the state after each of its turns."""

    script: dict[str, Any]
    settled: list[Conflict]
    end: Conflict


def game(state: Conflict) -> Game[Conflict]:
    return game_of(state.scene.edition.id)


def random_setup(random: Random, edition: Edition) -> dict[str, Any]:
    ids = list(edition.moves)
    sides = {"players": ["ada", "bo", "cy"], "gm": ["ninja", "oni", "rat"]}
    sides = {side: names[: random.randint(1, 3)] for side, names in sides.items()}
    characters = {}
    for name in [*sides["players"], *sides["gm"]]:
        energy = {key: random.choice((0, 4, 9, 40)) for key in ("attack", "defend", "grapple")}
        energy["attack"] += not any(energy.values())
        moves: list[Any] = random.sample(ids, random.randint(0, len(ids)))
        if edition.variants and moves and random.random() < 0.3:
            variants = [v for v in ("+1", "-1") if edition.variant(edition.moves[moves[0]], v)]
            moves += [{"move": moves[0], "variant": v} for v in variants]
        characters[name] = {
            "energy": energy,
            "max": {key: points + random.randint(0, 2) for key, points in energy.items()},
            "moves": moves,
            "combos": {m: random.sample(ids, 5) for m in random.sample(ids, 6)},
        }
    lethal, minor = random.random() < 0.5, random.random() < 0.1
    setup = {"sides": sides, "characters": characters, "lethal": lethal, "minor": minor}
    return {"ruleset": edition.id, **setup}


def json_move(text: str) -> Any:
    move, _, variant = text.partition(" ")
    return {"move": move, "variant": variant} if variant else move


def pick(random: Random, offers: tuple[Offer, ...]) -> Choice:
    """An open choice; surrender only rarely, or if nothing else is open."""
    found = [offer.choice for offer in offers if not offer.reason]
    bold = [choice for choice in found if choice != Choice("move", "surrender")]
    return random.choice(bold if bold and random.random() < 0.99 else found)


def own_offers(state: Conflict, actor: str) -> tuple[Offer, ...]:
    """The offers that answer the step, without declarations beside it."""
    kinds = game(state).pending(state).kinds
    return tuple(offer for offer in game(state).offers(state, actor) if offer.choice.kind in kinds)


def check(state: Conflict) -> None:
    """Check the invariants of every step."""
    pending = game(state).pending(state)
    for name, fighter in state.fighters.items():
        sheet = state.scene.sheets[name]
        for points, most in zip(_points(fighter.energy), _points(sheet.max), strict=True):
            assert 0 <= points <= most
    for actor in (*game(state).actors(state), GM):
        offers = game(state).offers(state, actor)
        for offer in offers:
            assert game(state).why_not(state, actor, offer.choice) == offer.reason
            assert not (offer.default and offer.reason)
        own = [offer for offer in offers if offer.choice.kind in pending.kinds]
        assert bool(own) == (actor in pending.must)
        assert sum(o.default for o in own) <= 1
        if actor in pending.must:
            assert any(not offer.reason for offer in own), (pending, actor)
    if state.turn and state.turn.opponent:
        sheets = state.scene.sheets
        assert sheets[state.turn.active].side != sheets[state.turn.opponent].side
    view = game(state).view(state)
    assert set(view.characters) == set(game(state).actors(state))


def _points(energy: Any) -> Iterator[int]:
    return iter((energy.attack, energy.defend, energy.grapple))


def walk(random: Random, turns: int = 40, edition: Edition = UNROLL) -> Walk:
    """Play at random until the end, or until this many turns have been played."""
    setup = random_setup(random, edition)
    state: Conflict = game_of(edition.id).begin(setup)
    done: list[dict[str, Any]] = []
    settled: list[Conflict] = []
    while game(state).pending(state).must and len(settled) < turns:
        check(state)
        pending = game(state).pending(state)
        declarations = [
            (actor, offer.choice)
            for actor in (*game(state).actors(state), GM)
            for offer in game(state).offers(state, actor)
            if offer.choice.kind in pending.declarations and offer.choice.kind != "use"
        ]
        before = state
        if declarations and random.random() < 0.1:
            actor, choice = random.choice(declarations)
            state = game(state).declare(state, actor, choice)
            if choice.kind == "agreed":
                done[-1]["next"] = {"agreed": choice.value}
                _begin(done, state)
            else:
                done[-1]["end_combo"] = True
            continue
        chosen = {actor: pick(random, own_offers(state, actor)) for actor in pending.must}
        state = game(state).advance(state, chosen)
        _write(done, pending.step, chosen, state)
        if state.turn and state.turn.splits is not None and pending.step != "verdict":
            assert before.turn and before.turn.number == state.turn.number
            settled.append(state)
    check(state)
    if done and len(done) > len(settled):
        done.pop()
        done[-1].pop("next", None)
    return Walk({**setup, "turns": done}, settled, state)


def brawl(random: Random, turns: int = 40, edition: Edition = UNROLL) -> tuple[Conflict, set[str]]:
    """Play at random with specials laid in every window; return the end and the specials used."""
    setup = random_setup(random, edition)
    for sheet in setup["characters"].values():
        sheet["specials"] = random.sample(list(edition.specials), len(edition.specials) // 2)
    state: Conflict = game_of(edition.id).begin(setup)
    used: set[str] = set()
    while (pending := game(state).pending(state)).must:
        check(state)
        if game(state).turn(state) > turns:
            break
        users = [
            actor
            for actor in game(state).actors(state)
            for offer in game(state).offers(state, actor)
            if offer.choice.kind == "use"
        ]
        if users and random.random() < 0.4:
            state = game(state).declare(state, random.choice(users), Choice("use"))
            continue
        late = laid_late(random, state)
        if late:
            state = game(state).declare(state, *late)
            used.add(LATE)
            continue
        chosen = {actor: pick(random, own_offers(state, actor)) for actor in pending.must}
        beside = lying(random, state)
        if any(len(cards) > 1 for cards in beside.values()):
            used.add(SEVERAL)
        state = game(state).advance(state, chosen, random.randbytes(32), beside)
        assert state.turn
        used |= {use.special.id for use in state.turn.uses}
        if pending.step == "specials":
            outside = {u.effect for u in state.turn.uses if u.player not in players_of(state)}
            used |= {BLUFF} if "nothing" in outside else set()
            used |= {BEARER} if "bear" in outside else set()
        if state.turn.splits is not None:
            assert not state.turn.unsaid and not state.turn.window
    check(state)
    return state, used


def lying(random: Random, state: Conflict) -> dict[str, list[Choice]]:
    """Cards that actors set beside a sealed step."""
    pending = game(state).pending(state)
    if pending.kind is not Kind.SEALED:
        return {}
    return {actor: laid_beside(random, state, actor) for actor in pending.may}


def laid_late(random: Random, state: Conflict) -> tuple[str, Choice] | None:
    """Now and then, a card laid openly beside a decision."""
    pending = game(state).pending(state)
    if pending.kind is Kind.SEALED or not pending.may:
        return None
    found = [(actor, card) for actor in pending.may for card in laid_beside(random, state, actor)]
    return random.choice(found) if found else None


def with_let_be(state: Conflict, chosen: dict[str, Choice]) -> dict[str, Choice]:
    """Add let-be for all awaited actors without a choice (R17)."""
    pending = game(state).pending(state)
    waits = (a for a in pending.must if a not in chosen)
    offers = ((a, o.choice) for a in waits for o in own_offers(state, a))
    return chosen | {actor: choice for actor, choice in offers if choice.kind == "let-be"}


def laid_beside(random: Random, state: Conflict, actor: str) -> list[Choice]:
    """Random cards of the actor that may lie together, in order."""
    laid: list[Choice] = []
    offers = game(state).offers(state, actor)
    for offer in random.sample(offers, len(offers)):
        card = offer.choice
        if card.kind != "special" or random.random() < 0.3:
            continue
        if game(state).why_not(state, actor, card, laid) is None:
            laid.append(card)
    return laid


def _begin(done: list[dict[str, Any]], state: Conflict) -> None:
    assert state.turn
    done.append({"active": state.turn.active})
    if state.turn.opponent:
        done[-1]["opponent"] = state.turn.opponent


def _write(
    done: list[dict[str, Any]], step: str, chosen: dict[str, Choice], state: Conflict
) -> None:
    values = {actor: choice.value for actor, choice in chosen.items()}
    first = next(iter(values.values()))
    if step in {"first", "next"}:
        if step == "next":
            done[-1]["next"] = first
        _begin(done, state)
    elif step == "opponent":
        done[-1]["opponent"] = first
    elif step == "stance":
        done[-1]["stance"] = values
    elif step == "move":
        done[-1]["move"] = {actor: json_move(value) for actor, value in values.items()}
    elif step == "split":
        splits = {actor: parse_split(value) for actor, value in values.items() if value}
        done[-1]["loss"] = done[-1].get("loss", {}) | {
            actor: dict(zip(("attack", "defend", "grapple"), _points(split), strict=True))
            for actor, split in splits.items()
        }
    elif step == "kill":
        done[-1]["kill"] = first == "yes"
