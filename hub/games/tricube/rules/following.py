"""Derives the consequences in a tale from two successive public views."""

from collections.abc import Iterator

from hub.games.tricube.rules import consequences as q
from hub.games.tricube.rules.roll import RollOutcome
from hub.games.tricube.rules.settling import Token
from hub.games.tricube.rules.table import What
from hub.games.tricube.rules.view import RollingView, RollView, TaleCharacterView, TricubeView


def of_tale(before: TricubeView | None, after: TricubeView) -> list[q.AnyConsequence]:
    """All consequences that lead from the view ``before`` to ``after``; none if ``before`` is
    None."""
    if before is None:
        return []
    return [
        *_challenges_that_came(before, after),
        *_of_rolls(before, after),
        *_of_challenges(before, after),
        *_of_people(before, after),
    ]


def rolls_of(view: TricubeView) -> RollingView | None:
    """The rolls in progress, or else the newest settled ones; None if there are neither."""
    return view.rolling or view.last_rolling


def _rolls_before(before: TricubeView, after: TricubeView) -> RollingView | None:
    """The rolls of ``after`` as they were in ``before``; None if they began since."""
    if before.rolling is None and after.rolling is not None:
        return None
    then, now = rolls_of(before), rolls_of(after)
    if then is None or now is None or then.order != now.order:
        return None
    return then


def _challenges_that_came(before: TricubeView, after: TricubeView) -> Iterator[q.AnyConsequence]:
    for name in after.listed:
        one = after.challenges[name]
        if name not in before.challenges:
            yield q.ChallengeCame(
                name=name, difficulty=one.difficulty, effort=one.effort, deadly=one.deadly
            )


def _of_rolls(before: TricubeView, after: TricubeView) -> Iterator[q.AnyConsequence]:
    now, then = rolls_of(after), _rolls_before(before, after)
    if now is None:
        return
    for who in now.order:
        yield from _of_dice(who, then.rolls.get(who) if then else None, now.rolls[who])
    known = then is not None and _is_decided(before) and then.winner == now.winner
    if now.what is not What.CHALLENGE and _is_decided(after) and not known:
        yield q.ContestDecided(sides=now.order, winner=now.winner)
    for at, who in enumerate(now.order):
        was = then.rolls.get(who) if then else None
        removed = now.rolls[who].removed - (was.removed if was else 0)
        if removed > 0 and now.challenge is not None:
            met = after.challenges.get(now.challenge)
            later = sum(now.rolls[other].removed for other in now.order[at + 1 :])
            left = met.left + later if met else 0
            yield q.EffortTaken(who=who, challenge=now.challenge, removed=removed, left=left)
        yield from _of_settling(who, was, now.rolls[who])


def _is_decided(view: TricubeView) -> bool:
    """Whether the winner of the view's opposed rolls can no longer change."""
    return view.rolling is None or view.rolling.now is not None


def _of_dice(who: str, then: RollView | None, now: RollView) -> Iterator[q.AnyConsequence]:
    if now.dice is None:
        return
    fell = then is None or then.dice != now.dice
    if fell:
        yield q.DiceFell(
            who=who,
            dice=now.dice,
            final=now.difficulty.final,
            quirk=now.quirk,
            hindered=now.hindered,
            hits=now.hits,
            outcome=now.outcome,
        )
    if now.karma is not None and (then is None or then.karma != now.karma):
        yield q.RollMadeEasier(
            who=who,
            by=now.karma.by,
            perks=now.karma.perks,
            paid=now.karma.paid,
            complication=now.karma.complication,
        )
    if now.moot:
        if then is None or not then.moot:
            yield q.CameToNothing(who=who)
    elif not fell and then is not None and _judged(then) != _judged(now):
        yield q.OutcomeChanged(
            who=who, final=now.difficulty.final, hits=now.hits, outcome=now.outcome
        )


def _judged(roll: RollView) -> tuple[int | None, RollOutcome | None]:
    return roll.hits, roll.outcome


def _of_settling(who: str, then: RollView | None, now: RollView) -> Iterator[q.AnyConsequence]:
    if now.gain is not None and (then is None or then.gain is None):
        yield q.TokenRegained(who=who, regained=now.gain.what, amount=now.gain.amount)
    if now.price is not None and (then is None or then.price is None):
        yield q.PricePaid(who=who, resolve=now.price.resolve, complication=now.price.complication)
    if now.defeated and not (then and then.defeated):
        yield q.LastResolveGone(who=who)


def _of_challenges(before: TricubeView, after: TricubeView) -> Iterator[q.AnyConsequence]:
    taken = _taken(before, after)
    for name in before.listed:
        then, now = before.challenges[name], after.challenges.get(name)
        if now is None:
            yield q.ChallengeGone(name=name)
            continue
        by_rolls = then.left - taken.get(name, 0)
        was = (then.difficulty, then.effort, by_rolls, then.deadly)
        if was != (now.difficulty, now.effort, now.left, now.deadly):
            yield q.ChallengeChanged(
                name=name,
                difficulty=now.difficulty,
                effort=now.effort,
                left=now.left,
                deadly=now.deadly,
            )
    for name in after.listed:
        now, earlier = after.challenges[name], before.challenges.get(name)
        if now.overcome != (earlier.overcome if earlier else False):
            yield q.ChallengeOvercome(name=name, overcome=now.overcome)
        had = earlier.bypassed if earlier else ()
        for who in dict.fromkeys((*now.bypassed, *had)):
            if (who in had) != (who in now.bypassed):
                yield q.ChallengeBypassed(name=name, who=who, bypassed=who in now.bypassed)


def _taken(before: TricubeView, after: TricubeView) -> dict[str, int]:
    """Challenge → how many effort tokens rolls have removed between the views."""
    now, then = rolls_of(after), _rolls_before(before, after)
    if now is None or now.challenge is None:
        return {}
    told = (
        max(0, roll.removed - (then.rolls[who].removed if then else 0))
        for who, roll in now.rolls.items()
    )
    return {now.challenge: sum(told)}


def _of_people(before: TricubeView, after: TricubeView) -> Iterator[q.AnyConsequence]:
    karma, resolve = _by_rolls(before, after)
    for who, now in after.cast.items():
        then = before.cast.get(who)
        if then is None:
            continue
        yield from _of_afflictions(who, then, now)
        if (now.karma, now.karma_max) != (then.karma + karma.get(who, 0), then.karma_max):
            yield q.KarmaNow(who=who, karma=now.karma, most=now.karma_max)
        expected = then.resolve + resolve.get(who, 0), then.resolve_max
        if (now.resolve, now.resolve_max) != expected:
            yield q.ResolveNow(who=who, resolve=now.resolve, most=now.resolve_max)
        if now.absent != then.absent:
            yield q.AbsentNow(who=who, absent=now.absent)


def _by_rolls(before: TricubeView, after: TricubeView) -> tuple[dict[str, int], dict[str, int]]:
    """Two dicts, for karma and for resolve: character → the change that is already reported as a
    part of rolls."""
    karma: dict[str, int] = {}
    resolve: dict[str, int] = {}
    now, then = rolls_of(after), _rolls_before(before, after)
    for who, roll in (now.rolls if now else {}).items():
        was = then.rolls.get(who) if then else None
        if roll.karma is not None and (was is None or was.karma is None):
            karma[roll.karma.by] = karma.get(roll.karma.by, 0) - roll.karma.paid
        if roll.gain is not None and (was is None or was.gain is None):
            counted = karma if roll.gain.what is Token.KARMA else resolve
            counted[who] = counted.get(who, 0) + roll.gain.amount
        if roll.price is not None and (was is None or was.price is None):
            resolve[who] = resolve.get(who, 0) - roll.price.resolve
    return karma, resolve


def _of_afflictions(
    who: str, then: TaleCharacterView, now: TaleCharacterView
) -> Iterator[q.AnyConsequence]:
    names = {each.name for each in now.afflictions}
    for each in then.afflictions:
        if each.name not in names:
            yield q.AfflictionGone(who=who, name=each.name)
    for each in now.afflictions:
        if each not in then.afflictions:
            yield q.AfflictionCame(who=who, name=each.name, lasts=each.lasts)
    for quirk in then.quirks:
        if quirk not in now.quirks:
            yield q.QuirkGone(who=who, name=quirk)
    for quirk in now.quirks:
        if quirk not in then.quirks:
            yield q.QuirkCame(who=who, name=quirk)
