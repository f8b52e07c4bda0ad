"""A random Conflict through the Game protocol, with an overrule now and then."""

from collections import Counter
from random import Random
from typing import Any

from hub.games.game import GM, Choice, IllegalChoice, Word
from hub.games.registry import game_of
from hub.games.tourists.rules.conflict import Conflict
from hub.games.tourists.rules.table import Table
from tests.rules.tourists.walk import parties_of
from tests.support.forms import said_with

GAME: Any = game_of("tourists")


def begun(seed: int, draws: str = "hub") -> Table:
    chance = Random(seed)
    parties = parties_of(chance)
    sheets = [s for p in parties.values() for s in p.get("characters", {"": p}).values()]
    for sheet in sheets:
        if chance.random() < 0.2:  # to be laid at the table
            del sheet["reserve"]
    state: Table = GAME.begin({"parties": parties, "draws": draws})
    return state


def check(state: Table) -> None:
    """Check that no card is in two places; counted here by hand, from the values alone."""
    conflict = state.conflict
    now = conflict.round
    lies: Counter[int] = Counter()
    for name, losses in conflict.losses.items():
        if name not in conflict.out:
            lies.update(losses.temporary)
            for each in losses.lasting:
                assert len({*each.cards}) == 3
                assert each.face_down <= {*each.cards}
                lies.update(each.cards)
            assert [each.gravity for each in losses.lasting] == [
                min(n, 5) for n in range(1, len(losses.lasting) + 1)
            ]
    for cards in conflict.reserves.values():
        lies.update(card.number for card in cards)
    if now is not None and not now.narrate:
        lies.update(each.card.number for laid in now.laid.values() for each in laid)
        drawable = {*conflict.deck} - now.held - now.seen
        assert not drawable & {*lies}, "what lies somewhere could be drawn"
        assert {*now.laid} >= {*conflict.parties_in()}
        aside = {card.number for card in state.discarded}
        assert not aside & {*lies}
        if now.outcome is None and now.speakers:
            assert {*now.speakers} == {*conflict.parties_in()}
    assert {*lies} <= {*conflict.deck}
    assert all(count == 1 for count in lies.values()), f"twice: {lies.most_common(3)}"
    control = conflict.control
    assert control is None or (control.party in conflict.parties_in() and control.ranks > 0)


def step(state: Table, chance: Random) -> Table:
    """Make a random awaited choice, or declare something beside it."""
    pending = GAME.pending(state)
    conflict: Conflict = state.conflict
    actors = [*GAME.actors(state), GM]
    if chance.random() < 0.2:
        free = [
            (actor, offer.choice)
            for actor in actors
            for offer in GAME.offers(state, actor)
            if offer.choice.kind in pending.declarations and offer.choice.kind != "reframe"
        ]
        if free:
            return GAME.declare(state, *chance.choice(free))
    groups = {who: group for group in pending.one_of for who in group}
    chosen: dict[str, Choice] = {}
    for who in pending.must:
        if any(each in chosen for each in groups.get(who, ())):
            continue
        able = [o.choice for o in GAME.offers(state, who) if o.choice.kind in pending.kinds]
        able = [c for c in able if GAME.why_not(state, who, c) is None]
        if "drawn" in pending.kinds:
            taken = {c.value.split()[0] for c in chosen.values() if c.kind == "drawn"}
            numbers = chance.sample(sorted({*conflict.deck}), 12)
            drawn = (
                Choice("drawn", f"{n} {chance.choice(('upright', 'reversed'))}")
                for n in numbers
                if str(n) not in taken
            )
            found = next((c for c in drawn if GAME.why_not(state, who, c) is None), None)
            able += [found] if found and (not able or chance.random() < 0.6) else []
        assert able, f"{who} is stuck at {pending.step}"
        chosen[who] = chance.choice(able)
    return GAME.advance(state, chosen, chance.randbytes(32))


def word(state: Table, chance: Random) -> tuple[Table | None, str]:
    """A random overrule from a form, half of them with something else in it.

    The state is None if it was refused.
    """
    forms = GAME.overrules(state)
    if not forms:
        return None, ""
    form = chance.choice(forms)
    holds: dict[str, Any] = dict(chance.choice([*said_with(form, "what")]))
    if chance.random() < 0.5:
        holds = spoilt(holds, state, chance)
    try:
        said = GAME.word(state, Word(holds=holds, because="so"))
        return GAME.overrule(state, said), form.value
    except IllegalChoice as no:
        assert str(no).isprintable()
        assert "{" not in str(no), str(no)
        return None, form.value


def spoilt(holds: dict[str, Any], state: Table, chance: Random) -> dict[str, Any]:
    cards = sorted({*state.conflict.deck})
    found = dict(holds)
    if holds["what"] == "card":
        names = [*state.conflict.parties, *state.conflict.party_of]
        to = chance.choice(("deck", "before", "reserve", "loss"))
        found |= {"to": to, "name": chance.choice(names), "reversed": False}
    for key, value in holds.items():
        if type(value) is bool:
            found[key] = chance.random() < 0.5
        elif key in ("ranks", "left", "loss", "times"):
            found[key] = chance.randrange(4)
        elif key == "number":
            found[key] = chance.choice(cards)
        elif key in ("cards", "face_down"):
            found[key] = chance.sample(cards, chance.choice((0, 1, 3, 3, 3)))
    return found
