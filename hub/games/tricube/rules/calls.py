"""The beginning of rolls: the GM calls for rolls at a challenge, for two opposed rolls, or for a
roll of NPCs."""

from msgspec.structs import replace

from hub.games.game import GM
from hub.games.tricube.reasons import Reason, Refused
from hub.games.tricube.rules import roll as rolls
from hub.games.tricube.rules import said as s
from hub.games.tricube.rules.roll import MOST_NPC_DICE, Roll
from hub.games.tricube.rules.said import check_effort, check_name, kind_of
from hub.games.tricube.rules.table import DICE, Rolling, Table, What
from hub.games.tricube.rules.tale import Tale
from hub.kernel.faults import shown

TWO = 2


def begin_challenge(tale: Tale, said: s.NewChallenge) -> Tale:
    """The tale with a challenge added to the scene. Raises :class:`Refused`."""
    check_name(said.name)
    check_effort(said.effort)
    return tale.begin_challenge(said.name, said.difficulty, said.effort, deadly=said.deadly)


# book: c8.relative
def called(state: Table, said: s.Call) -> Table:
    """The table after the GM called characters for rolls at a challenge, all at once. Raises
    :class:`Refused`."""
    tale, new = state.tale, isinstance(said.challenge, s.NewChallenge)
    hidden = state.sealed_challenges
    if isinstance(said.challenge, s.NewChallenge):
        name = said.challenge.name
        try:
            tale = begin_challenge(tale, said.challenge)
        except Refused as no:
            raise no.within("challenge") from None
        if said.sealed:
            hidden |= {name}
    else:
        name = said.challenge
        tale.standing(name)
        if name in hidden and not said.sealed:
            raise Refused("sealed", Reason("difficulty-unknown", text=shown(name)))
    if not said.rollers:
        raise Refused("rollers", Reason("nobody-rolls"))
    for who in said.rollers:
        tale.named(who, "rollers")
    around = [who for who in tale.characters if who in said.rollers]
    there = replace(state, tale=tale)
    made = {who: _one(there, said, name, who) for who in around}
    rolling = Rolling(
        what=What.CHALLENGE,
        rolls=made,
        challenge=name,
        defense=said.defense,
        again=frozenset(who for who in around if said.rollers[who].again),
        sealed=said.sealed,
        is_new=new or name in hidden,
        by_hand=(said.dice or state.dice) == DICE[1],
        deadly=tale.challenges[name].deadly,
    )
    return _begun(replace(state, tale=tale, sealed_challenges=hidden), rolling)


def _one(state: Table, said: s.Call, name: str, who: str) -> Roll:
    own = said.rollers[who]
    try:
        check_here(state, who)
        if said.sealed and own.difficulty is not None:
            raise Refused("difficulty", Reason("sealed-for-all"))
        made = rolls.call(
            state.tale,
            who,
            kind_of(own.type or said.type),
            name,
            difficulty=own.difficulty,
            scope=own.scope,
            defense=said.defense,
            again=own.again,
        )
        made = hindered(state.tale, made, own.hindered)
    except Refused as no:
        raise no.within("rollers", who) from None
    return replace(made, difficulty=None) if said.sealed else made


def hindered(tale: Tale, roll: Roll, affliction: str | None) -> Roll:
    """The roll with the affliction that the GM lets count, if any. Raises :class:`Refused`."""
    return roll if affliction is None else rolls.with_hindrance(tale, roll, affliction)


def check_here(state: Table, who: str) -> None:
    """Raise :class:`Refused` for a character that takes no part in the scene or whose player has
    left."""
    state.tale.able(who)
    if who in state.away:
        raise Refused("who", Reason("player-has-left", who=who))


def opposed(state: Table, said: s.Oppose) -> Table:
    """The table after the GM called two characters for opposed rolls. Raises :class:`Refused`."""
    if len(said.sides) != TWO:
        raise Refused("sides", Reason("two-sides"))
    made = {}
    for who, side in said.sides.items():
        try:
            check_here(state, who)
            one = rolls.call(state.tale, who, kind_of(side.type), scope=side.scope)
            made[who] = hindered(state.tale, one, side.hindered)
        except Refused as no:
            raise no.within("sides", who) from None
    hand = (said.dice or state.dice) == DICE[1]
    return _begun(state, Rolling(what=What.OPPOSED, rolls=made, by_hand=hand, deadly=said.deadly))


def npcs(state: Table, said: s.Npcs) -> Table:
    """The table after the GM called for opposed rolls of two NPCs. Raises :class:`Refused`."""
    if len(said.sides) != TWO:
        raise Refused("sides", Reason("two-sides"))
    made = {}
    for name, count in said.sides.items():
        check_name(name, "sides")
        if name in state.tale.characters or name == GM:
            raise Refused(("sides", name), Reason("npc-called-so", who=name))
        if not 1 <= count <= MOST_NPC_DICE:
            raise Refused(("sides", name), Reason("dice-of-npc", most=MOST_NPC_DICE, n=count))
        made[name] = Roll(name, None, count)
    for name, who in said.by.items():
        if name not in made:
            names = [*made]
            raise Refused("by", Reason("not-one-of", text=shown(name), names=names))
        if who != GM:
            state.tale.named(who, ("by", name))
            if who in state.away:
                raise Refused(("by", name), Reason("player-has-left", who=who))
    throwers = {name: said.by.get(name, GM) for name in made}
    hand = (said.dice or state.dice) == DICE[1]
    rolling = Rolling(what=What.NPCS, rolls=made, by_hand=hand, throwers=throwers, approached=True)
    return _begun(state, rolling)


def _begun(state: Table, rolling: Rolling) -> Table:
    return replace(state, rolling=rolling, last=None)
