"""When each overrule is possible, and what follows from it: a question is dropped if its character
or its subject is gone, and approaches that are not revealed yet are chosen again."""

from msgspec.structs import replace

from hub.games.game import IllegalChoice
from hub.games.overrules import GmsWord, Holds
from hub.games.tricube.reasons import Reason, Refused
from hub.games.tricube.rules import perks
from hub.games.tricube.rules.flow import flow
from hub.games.tricube.rules.overrules import people, things, throws
from hub.games.tricube.rules.scene_step import cured
from hub.games.tricube.rules.table import Asking, Rolling, Table, What
from hub.games.tricube.rules.view import is_settled

UNKNOWN = "…"
"""A placeholder complication, for checking whether a request is possible."""


def _why_not(state: Table, kind: type[Holds], _: str) -> Reason | None:
    if state.over:
        return Reason("scene-is-over")
    if kind in _OF_CHALLENGES:
        return None if state.tale.challenges else Reason("no-challenges")
    if kind not in _OF_ROLLS:
        return None
    rolling = state.rolling
    if rolling is None:
        return Reason("nothing-rolled")
    match kind:
        case throws.DiceLie:
            why = Reason("roll-settled") if rolling.landed else Reason("dice-lie-not")
            return None if throws.lying(state) else why
        case throws.RollIsHard:
            return None if throws.hard_by_gm(state) else Reason("difficulty-not-by-word")
    settled = any(is_settled(rolling, name) for name in rolling.rolls)
    return Reason("roll-settled") if settled else None


def _after(before: Table, said: Table, _: Holds) -> Table:
    after = before if said == before else flow(_settled_with(before, said))
    if after == before:
        raise IllegalChoice(Reason("so-in-the-tale"))
    return after


def _settled_with(before: Table, after: Table) -> Table:
    """The table after an overrule, with open questions adjusted."""
    gone = {*before.tale.there()} - {*after.tale.there()}
    after = _rolls_on(after, gone)
    asking = after.asking
    if asking is not None and not _can_be(after, asking, gone):
        after = replace(after, asking=None)
    elif asking is not None and _has_karma_now(after, asking):
        after = replace(after, asking=replace(asking, complication=None))
    if after.rolling is not None and not after.rolling.approached:
        # The sealed approaches may no longer fit, so the characters choose again.
        after = replace(after, anew=after.anew + 1)
    return after


def _has_karma_now(state: Table, asking: Asking) -> bool:
    """Whether a complication was offered instead of karma, and the character has karma now."""
    instead = asking.what != "complication" and asking.complication is not None
    return instead and state.tale.characters[asking.who].karma > 0


def _rolls_on(state: Table, gone: set[str]) -> Table:
    rolling = state.rolling
    if rolling is None or not gone:
        return state
    left = {who: each for who, each in rolling.rolls.items() if who not in gone}
    if rolling.what is What.NPCS or len(left) == len(rolling.rolls):
        return state
    if rolling.what is What.OPPOSED and not rolling.judged:
        return replace(throws.taken_back(state, rolling.rolls), rolling=None)
    if not rolling.landed:
        return replace(state, rolling=replace(rolling, rolls=left) if left else None)
    for who in gone & {*rolling.rolls}:
        rolling = _at_its_end(rolling, who, dead=state.tale.characters[who].dead)
    return replace(state, rolling=rolling)


def _at_its_end(rolling: Rolling, who: str, *, dead: bool) -> Rolling:
    """The rolls with one of them ended: its settled parts stay and nothing more follows. A defeated
    character that is alive still gets its fate."""
    if is_settled(rolling, who):
        return rolling
    if who not in rolling.judged:
        return replace(rolling, moot=(*rolling.moot, who))
    told = dead and who in rolling.defeated
    return replace(
        rolling,
        gains={who: None, **rolling.gains},
        prices={who: None, **rolling.prices},
        fated=(*rolling.fated, who) if told else rolling.fated,
        victor=None if rolling.victor == who else rolling.victor,
    )


def _can_be(state: Table, asking: Asking, gone: set[str]) -> bool:
    """Whether a request or an offer is still possible."""
    tale = state.tale
    instead = None if tale.characters[asking.who].karma else asking.complication or UNKNOWN
    try:
        match asking.what:
            case "karma":
                rolling = state.rolling
                return (
                    rolling is not None and asking.roll in rolling.rolls and asking.who not in gone
                )
            case "complication":
                if asking.who in gone:
                    return False
                perks.take_complication(
                    tale, asking.who, asking.quirk, asking.affliction, accepted=False
                )
            case "perk" if asking.use is not None:
                perks.use_perk(
                    *(tale, asking.who, asking.perks, asking.use, asking.challenge),
                    complication=instead,
                )
            case "cure":
                try:
                    cured(state, asking, instead)
                except Refused:
                    cured(state, asking, None)
    except Refused:
        return False
    return True


_OF_CHALLENGES = {each.kind for each in things.CLAUSES}
_OF_ROLLS = {each.kind for each in throws.CLAUSES}
WORD = GmsWord(
    clauses=(*throws.CLAUSES, *things.CLAUSES, *people.CLAUSES), why_not=_why_not, after=_after
)
"""All overrules in a tale, with when they are possible and what follows from them."""
