"""How the hub's players and the hub's GM play a tale, and how much text each consequence takes.

They use only public information. Their texts are words taken from the scene, such as the name of a
challenge or a quirk, and so are in the language of the scene.
"""

from collections.abc import Collection, Iterator
from random import Random

from hub.games.family import Playing
from hub.games.game import GM, Choice, GameView
from hub.games.tricube import acting
from hub.games.tricube.acting import called, liking, standing
from hub.games.tricube.rules import consequences as q
from hub.games.tricube.rules.following import of_tale, rolls_of
from hub.games.tricube.rules.roll import FACES, RollOutcome
from hub.games.tricube.rules.said import FateSaid, KarmaSaid, PriceSaid, read, write
from hub.games.tricube.rules.settling import Token
from hub.games.tricube.rules.view import RollingView, RollView, TaleCharacterView, TricubeView

_WORDS: dict[type[q.AnyConsequence], int] = {
    q.ChallengeCame: 6,
    q.ChallengeChanged: 6,
    q.ChallengeOvercome: 4,
    q.ChallengeGone: 3,
    q.ChallengeBypassed: 5,
    q.DiceFell: 6,
    q.RollMadeEasier: 7,
    q.OutcomeChanged: 4,
    q.CameToNothing: 5,
    q.EffortTaken: 6,
    q.TokenRegained: 4,
    q.PricePaid: 6,
    q.LastResolveGone: 3,
    q.ContestDecided: 3,
    q.AfflictionCame: 6,
    q.AfflictionGone: 4,
    q.QuirkCame: 4,
    q.QuirkGone: 4,
    q.KarmaNow: 3,
    q.ResolveNow: 3,
    q.AbsentNow: 4,
}
_SELDOM, _RATHER, _GLADLY, _SURELY = 0.3, 1.0, 3.0, 9.0
_LOW = 1
"""The resolve at which the next failure may defeat the character."""


class TricubePlaying(Playing):
    """Plays a character or the GM.

    A character uses quirks more often when short of karma, and spends karma mostly on failures and
    cures. The GM calls for rolls until it ends the scene.
    """

    weighs = (
        *("call", "turn", "end", "karma", "regain", "price", "complication", "dice", "fate"),
        "nod",
    )

    def liking(self, view: GameView | None, actor: str, choice: Choice) -> float:
        """The weight of an approach, of spending or regaining karma, of accepting a complication,
        or of the GM's next choice."""
        if not isinstance(view, TricubeView):
            return 1
        if actor == GM:
            return liking(view, choice)
        own = view.cast.get(actor)
        if own is None:
            return 1
        match choice.kind:
            case "approach":
                short = own.karma < own.karma_max
                return _GLADLY if choice.value == "plain" else _RATHER if short else _SELDOM
            case "karma":
                return _spends(view, actor, own, choice.value)
            case "regain":
                return _regains(own, choice.value)
            case "accept":
                return _accepts(view, own, yes=choice.value == "yes")
        return 1

    def made(
        self, view: GameView | None, kinds: Collection[str], actor: str, chance: Random
    ) -> Choice | None:
        """Dice as if thrown by hand, a fate, or, for the GM, a call, a price or a complication.
        None if there is nothing to choose."""
        if not isinstance(view, TricubeView):
            return None
        if "dice" in kinds:
            return _thrown(view.rolling, actor, chance)
        if "fate" in kinds:
            return _fate(view, chance)
        if actor != GM:
            return None
        if "call" in kinds:
            return called(view, chance)
        if "price" in kinds:
            return _price(view, chance)
        if "complication" in kinds:
            said = _something(view, view.asked.who if view.asked else "", chance)
            return Choice("complication", said) if said else None
        return None

    def unasked(self, step: str, view: GameView | None, actor: str) -> Choice | None:
        """A cure or a perk between two rolls; usually None."""
        if step != "scene" or not isinstance(view, TricubeView):
            return None
        return acting.moved(view, actor)

    def words(self, before: GameView | None, after: GameView | None) -> int:
        """The number of words for all consequences between the two views."""
        if not isinstance(after, TricubeView):
            return 0
        earlier = before if isinstance(before, TricubeView) else None
        return sum(_WORDS[type(came)] for came in of_tale(earlier, after))

    def shown(self, view: GameView | None) -> set[tuple[str, tuple[int, ...]]]:
        """The visible dice of the newest rolls, each with the character that rolled them."""
        if not isinstance(view, TricubeView):
            return set()
        now = rolls_of(view)
        rolls = now.rolls.items() if now else ()
        return {(who, roll.dice) for who, roll in rolls if roll.dice is not None}


PLAYING = TricubePlaying()


def _spends(view: TricubeView, actor: str, own: TaleCharacterView, value: str) -> float:
    """The weight of spending karma: high after a failure, lower for a friend's roll, or for a
    character without karma, who would take a complication instead."""
    if value == "none":
        return _RATHER
    roll_of = (read(value, KarmaSaid, "karma").roll if value.startswith("{") else None) or actor
    roll = view.rolling.rolls.get(roll_of) if view.rolling else None
    if roll is None:
        return 0
    if not own.karma and roll_of != actor:
        return 0
    fails = roll.outcome in (RollOutcome.FAILURE, RollOutcome.CRITICAL)
    worth = _GLADLY if fails else _RATHER if _has_work(view) else 0
    if roll_of != actor:
        worth *= _SELDOM
    return worth if own.karma else worth * _SELDOM


def _has_work(view: TricubeView) -> bool:
    """Whether more hits would take more effort tokens."""
    rolling = view.rolling
    if rolling is None or rolling.defense or rolling.challenge is None:
        return False
    return view.challenges[rolling.challenge].left > 1


def _regains(own: TaleCharacterView, value: str) -> float:
    if value == Token.RESOLVE:
        return _SURELY if own.resolve <= _LOW else _RATHER
    return _GLADLY if own.karma == 0 else _RATHER


def _accepts(view: TricubeView, own: TaleCharacterView, *, yes: bool) -> float:
    """The weight of an answer to a complication, which is welcome if it brings or saves karma."""
    brings = view.asked is None or view.asked.brings != 0
    return (_GLADLY if brings else _SELDOM) if yes else _RATHER


def _thrown(rolling: RollingView | None, actor: str, chance: Random) -> Choice | None:
    """Fair random dice for a roll thrown by hand; None if the actor has none to throw."""
    waiting = _waiting(rolling, actor)
    if waiting is None:
        return None
    return Choice("dice", " ".join(str(chance.choice(FACES)) for _ in range(waiting.count)))


def _waiting(rolling: RollingView | None, actor: str) -> RollView | None:
    """The roll that the actor throws next; None if there is none."""
    if rolling is None:
        return None
    able = (
        roll
        for name, roll in rolling.rolls.items()
        if roll.dice is None and (roll.thrown_by or name) == actor
    )
    return next(able, None)


def _price(view: TricubeView, chance: Random) -> Choice | None:
    """A complication as the price, sometimes together with resolve if enough is left. None if no
    complication is at hand."""
    who = view.rolling.now if view.rolling else None
    said = _something(view, who or "", chance)
    if who is None or not said:
        return None
    resolve = view.cast[who].resolve > _LOW and chance.random() < _SELDOM
    return Choice("price", write(PriceSaid(resolve=resolve, complication=said)))


def _fate(view: TricubeView, chance: Random) -> Choice | None:
    """A fate named after the challenge or the opponent, never fatal and usually for the scene. None
    if nothing is being settled."""
    rolling = view.rolling
    who = rolling.now if rolling else None
    if rolling is None or who is None:
        return None
    own = view.cast[who]
    taken = {*own.quirks, *(each.name for each in own.afflictions)}
    others = [name for name in rolling.order if name != who]
    name = _unlike(rolling.challenge or next(iter(others), who), taken)
    critical = rolling.rolls[who].outcome is RollOutcome.CRITICAL
    lasts = None if critical or chance.random() < _SELDOM else "scene"
    return Choice("fate", write(FateSaid(name, lasts, stays=chance.random() < _SELDOM)))  # type: ignore[arg-type]


def _unlike(name: str, taken: Collection[str]) -> str:
    """The name, with the first free number from 2 appended if it is taken."""
    found, number = name, 1
    while found in taken:
        number += 1
        found = f"{name} {number}"
    return found


def _something(view: TricubeView, who: str, chance: Random) -> str:
    """A random complication for ``who``: a quirk, an affliction, or a challenge not yet overcome.
    Empty if there is none."""
    able = [*_troubles(view, who)]
    return chance.choice(able) if able else ""


def _troubles(view: TricubeView, who: str) -> Iterator[str]:
    own = view.cast.get(who)
    if own is not None:
        yield from own.quirks
        yield from (each.name for each in own.afflictions)
    yield from standing(view)
