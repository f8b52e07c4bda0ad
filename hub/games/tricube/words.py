"""The words for tales and their stories, taken from the catalogues."""

# ruff: noqa: D102  (the base class Words documents the methods)

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from hub.games.game import Choice, Consequence, GameView
from hub.games.telling import Deed, Words
from hub.games.tricube.chosen import chosen
from hub.games.tricube.deeds_told import deed_told, held
from hub.games.tricube.rules import consequences as q
from hub.games.tricube.rules.roll import RollOutcome
from hub.games.tricube.rules.view import ChallengeView, TaleCharacterView, TricubeView
from hub.kernel.texts import Part, Said, name, names, said

_CARDS: Mapping[str, Callable[[str], Part]] = {
    "approach": lambda value: (
        said("tricube.card.quirk", quirk=value.removeprefix("quirk "))
        if value.startswith("quirk ")
        else Said("tricube.card.plain")
    ),
    "difficulty": lambda number: said("tricube.card.difficulty", number=number),
    "die": lambda face: said("tricube.own.dice.face", face=face),
    "dice": lambda dice: said("tricube.card.dice", dice=dice),
    "karma": lambda perk: (
        Said("tricube.own.karma.none") if perk == "none" else said("tricube.card.karma", perk=perk)
    ),
    "regain": lambda token: Said(f"tricube.card.regain.{token}"),
    "accept": lambda answer: Said(f"tricube.own.accept.{answer}"),
    "take-back": lambda _: Said("tricube.card.take-back"),
}


class TricubeWords(Words):
    """Tells tales and their stories in the book's words."""

    def card(self, choice: Choice) -> Part:
        tell = _CARDS.get(choice.kind)
        return tell(choice.value) if tell else super().card(choice)

    def chosen(self, who: str, choice: Choice) -> Said:
        return chosen(who, choice.kind, choice.value) or super().chosen(who, choice)

    def begins(self, choice: Choice) -> bool:
        """Whether the choice is a call for rolls or begins a turn."""
        return choice.kind in ("call", "oppose", "npcs", "turn")

    def held(self, holds: Mapping[str, Any]) -> Part:
        return held(holds) or super().held(holds)

    def followed(self, came: Consequence, shown: Mapping[str, Choice]) -> Sequence[Said]:
        """The words for a consequence: dice and their results, and changes to challenges and
        characters."""
        if told := _of_roll(came):
            return told
        found = _of_price(came) or _of_challenge(came) or _of_person(came)
        return (found,) if found else super().followed(came, shown)

    def deed(self, deed: Deed) -> Said:
        return deed_told(deed) or super().deed(deed)

    def scene(self, ruleset: str) -> Said:
        """The kind of scene: *a scene*."""
        return Said("tricube.log.a.scene")

    def left(self, step: str) -> Said:
        return Said(f"tricube.at-step.{step}")

    def standing(self, view: GameView) -> Iterator[Said]:
        """The words for the present state: every challenge, every character with its tokens and
        afflictions, and what the scene has come to."""
        if not isinstance(view, TricubeView):
            return
        for listed in view.listed:
            facts = [*_challenge(view.challenges[listed])]
            yield said("standing.of", name=listed, facts=facts)
        for who in view.around:
            yield said("standing.of", name=name(who), facts=[*_character(view.cast[who])])
        yield over_said(view)


WORDS = TricubeWords()


def outcome_said(who: str, outcome: RollOutcome | None) -> Said:
    """How the roll of ``who`` came out; ``outcome`` None: it is no longer needed."""
    key = f"tricube.stage.outcome.{outcome}" if outcome else "tricube.stage.moot"
    return said("tricube.stage.came", who=name(who), outcome=Said(key))


def against_said(dice: Sequence[int], final: int) -> Said:
    """A roll's dice, and the difficulty that they were thrown against."""
    return said("tricube.stage.against", dice=_dice(dice), final=final)


def dice_said(who: str, dice: Sequence[int]) -> Said:
    """The dice that ``who`` has thrown, whatever they come to."""
    return said("tricube.stage.line", who=name(who), dice=_dice(dice))


def won_said(winner: str) -> Said:
    """Who has won opposed rolls."""
    return said("tricube.stage.wins", who=name(winner))


def over_said(tale: TricubeView) -> Said:
    """What a scene has come to: how many challenges are overcome, if there were any."""
    if not tale.listed:
        return Said("tricube.stage.over")
    done = sum(tale.challenges[of].overcome for of in tale.listed)
    return said("tricube.stage.over.why", count=len(tale.listed), number=done)


def _of_roll(came: Consequence) -> tuple[Said, ...]:
    match came:
        case q.DiceFell(who=who, dice=dice, final=int(final), outcome=RollOutcome() as outcome):
            against = against_said(dice, final)
            if because := came.quirk or came.hindered:
                against = said("tricube.came.dice.because", against=against, because=because)
            return outcome_said(who, outcome), against
        case q.DiceFell(who=who, dice=dice):
            return (dice_said(who, dice),)
        case q.OutcomeChanged(who=who, final=int(final), outcome=RollOutcome() as outcome):
            return outcome_said(who, outcome), said("tricube.came.now", final=final)
        case q.OutcomeChanged(who=who):
            return (said("tricube.came.open", who=name(who)),)
        case q.RollMadeEasier():
            return (_easier(came),)
        case q.CameToNothing(who=who):
            return (outcome_said(who, None),)
        case q.ContestDecided(sides=sides, winner=None):
            return (said("tricube.came.contest.even", sides=names(sides)),)
        case q.ContestDecided(winner=str(winner)):
            return (won_said(winner),)
    return ()


def _easier(came: q.RollMadeEasier) -> Said:
    by, perks = name(came.by), names(came.perks)
    if came.complication is not None:
        key = "tricube.came.easier.instead"
        return said(key, by=by, who=name(came.who), perks=perks, text=came.complication)
    if came.who == came.by:
        return said("tricube.came.easier", by=by, perks=perks)
    return said("tricube.came.easier.for", by=by, who=name(came.who), perks=perks)


def _of_price(came: Consequence) -> Said | None:
    match came:
        case q.EffortTaken(who=who, challenge=challenge, removed=removed, left=left):
            places = {"who": name(who), "removed": removed, "count": removed}
            if left:
                return said("tricube.came.taken", challenge=challenge, left=left, **places)
            return said("tricube.came.taken.all", challenge=challenge, **places)
        case q.TokenRegained(who=who, regained=regained, amount=amount):
            full = "" if amount else ".full"
            return said(f"tricube.came.regained.{regained}{full}", who=name(who))
        case q.PricePaid(who=who, resolve=resolve, complication=complication):
            paid: list[Said] = []
            if resolve:
                paid.append(said("tricube.came.price.resolve", resolve=resolve, count=resolve))
            if complication:
                paid.append(said("tricube.came.price.complication", text=complication))
            if not paid:
                return said("tricube.came.price.told", who=name(who))
            return said("tricube.came.price", who=name(who), parts=paid)
        case q.LastResolveGone(who=who):
            return said("tricube.came.defeated", who=name(who))
    return None


def _of_challenge(came: Consequence) -> Said | None:
    match came:
        case q.ChallengeCame(name=of, effort=effort):
            hard = [*_hard(came.difficulty, effort, None, deadly=came.deadly)]
            return said("tricube.came.challenge", name=of, hard=hard)
        case q.ChallengeChanged(name=of, effort=effort, left=left):
            hard = [*_hard(came.difficulty, effort, left, deadly=came.deadly)]
            return said("tricube.came.changed", name=of, hard=hard)
        case q.ChallengeOvercome(name=of, overcome=overcome):
            return said(f"tricube.came.{'overcome' if overcome else 'stands'}", name=of)
        case q.ChallengeGone(name=of):
            return said("tricube.came.gone", name=of)
        case q.ChallengeBypassed(name=of, who=who, bypassed=bypassed):
            return said(f"tricube.came.past{'' if bypassed else '.not'}", name=of, who=name(who))
    return None


def _of_person(came: Consequence) -> Said | None:
    match came:
        case q.AfflictionCame(who=who, name=of, lasts=lasts):
            lasting = Said(f"tricube.lasts.{lasts}")
            return said("tricube.came.affliction", who=name(who), name=of, lasts=lasting)
        case q.AfflictionGone(who=who, name=of):
            return said("tricube.came.affliction.gone", who=name(who), name=of)
        case q.QuirkCame(who=who, name=of):
            return said("tricube.came.quirk", who=name(who), name=of)
        case q.QuirkGone(who=who, name=of):
            return said("tricube.came.quirk.gone", who=name(who), name=of)
        case q.KarmaNow(who=who, karma=karma, most=most):
            return said("tricube.came.karma", who=name(who), karma=karma, most=most)
        case q.ResolveNow(who=who, resolve=resolve, most=most):
            return said("tricube.came.resolve", who=name(who), resolve=resolve, most=most)
        case q.AbsentNow(who=who, absent=absent):
            return said(f"tricube.came.absent.{absent or 'back'}", who=name(who))
    return None


def _hard(difficulty: int | None, effort: int, left: int | None, *, deadly: bool) -> Iterator[Said]:
    if difficulty is None:
        yield Said("tricube.came.sealed")
    else:
        yield said("tricube.came.difficulty", difficulty=difficulty)
    if effort and left is None:
        yield said("tricube.came.effort", effort=effort, count=effort)
    elif effort and left is not None:
        yield said("tricube.came.left", left=left, effort=effort)
    if deadly:
        yield Said("tricube.came.deadly")


def _dice(dice: Sequence[int]) -> str:
    return " ".join(map(str, dice))


def _challenge(one: ChallengeView) -> Iterator[Said]:
    if one.overcome:
        yield Said("tricube.held.part.over.yes")
        return
    yield from _hard(one.difficulty, one.effort, one.left, deadly=one.deadly)
    if one.bypassed:
        yield said("tricube.standing.bypassed", names=names(one.bypassed))


def _character(one: TaleCharacterView) -> Iterator[Said]:
    if one.absent is not None:
        yield Said(f"tricube.stage.{one.absent}")
    yield said("tricube.lasting.karma", has=one.karma, most=one.karma_max)
    yield said("tricube.lasting.resolve", has=one.resolve, most=one.resolve_max)
    for each in one.afflictions:
        lasts = Said(f"tricube.lasts.{each.lasts}")
        yield said("tricube.lasting.affliction", name=each.name, lasts=lasts)
