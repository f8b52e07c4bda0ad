"""Conflicts, problems and stories in English sentences, for ``facedown replay``."""

from collections.abc import Iterator

from hub.games.family import Words
from hub.games.game import Choice, Consequence, GameView
from hub.games.story import StoryView
from hub.games.triangle.rules import consequences as q
from hub.games.triangle.rules.edition import Action, Energy
from hub.games.triangle.rules.problem.state import Because
from hub.games.triangle.rules.problem.views import ProblemOver, ProblemView
from hub.games.triangle.rules.views import CharacterView, TriangleView
from hub.games.triangle.story.views import PersonView, TriangleStoryView

_DECIDED = {
    "active": "{value} takes the turn",
    "opponent": "{actor} faces {value}",
    "target": "{actor} names {value}",
    "split": "{actor} gives up {value}",
    "aim": "{actor} takes {value}",
    "gain": "{actor} takes back {value}",
    "describe": "{actor} tells how it goes, with {value}",
    "substitute": "{actor} tells it otherwise, with {value}",
    "decider": "{actor} names {value} to tell how it goes",
    "outcome": "{actor} decides: a {value}",
    "winner": "{value} win, as {actor} decides",
    "let-be": "{actor} lets it be",
}


_BECAUSE = {
    Because.HIGHEST: "the highest number tells how it goes",
    Because.ONES_AND_FOURS: "there are only 1s and 4s, and then a 1 tells",
    Because.LONGEST_AGO: "the numbers are level, and who told longest ago tells",
    Because.TIED: "the numbers are level, and the GM names who tells",
    Because.NAMED: "the numbers are level, and the GM has named who tells",
    Because.PASSED_ON: "it was passed on",
    Because.RULED: "by the GM's word, whatever the numbers",
    Because.NOBODY: "nobody is left to tell, so the GM does",
}


class TriangleWords(Words):
    """The three books' events, in the books' terms."""

    def card(self, choice: Choice) -> str:
        """``Attack High``, ``Grapple 3``, ``No stance``, ``Option 4``, ``Energy Attack``."""
        if choice.value == "none":
            return f"No {choice.kind}"
        if choice.kind == "option":
            return f"Option {choice.value}"
        if choice.kind == "split":
            return f"Energy {choice.value.removesuffix(' 1').title()}"
        return super().card(choice)

    def decided(self, who: str, choice: Choice) -> str:
        """A sentence for a decision."""
        template = _DECIDED.get(choice.kind, "")
        if not template or (not choice.value and "{value}" in template):
            return super().decided(who, choice)
        return template.format(actor=who, value=choice.value)

    def followed(self, came: Consequence) -> str:
        """Winners, losses, characters who are out, and the outcome of a problem."""
        return _followed(came) or super().followed(came)

    def standing(self, view: GameView) -> Iterator[str]:
        """Each character in a conflict, or the progress of a problem."""
        match view:
            case TriangleView():
                yield from _conflict(view)
            case ProblemView():
                yield from _problem(view)

    def story(self, view: StoryView, *, between: bool) -> Iterator[str]:
        """The stakes and, between scenes, the party."""
        if isinstance(view, TriangleStoryView):
            yield from _story(view, between=between)


WORDS = TriangleWords()


def _followed(came: Consequence) -> str:
    match came:
        case q.Replaced(name=name, first=first, move=move):
            return f"{name}'s {first} is replaced by {move}"
        case q.TurnWon(winner=winner, why=why, losses=losses):
            return _with_losses(f"{winner} wins by {why}", losses)
        case q.TurnTied(losses=losses):
            return _with_losses("a tie", losses)
        case q.TurnSurrendered(winner=winner, loser=loser, losses=losses):
            who = f"{loser} surrenders to {winner}" if winner else "both surrender"
            return _with_losses(who, losses)
        case q.Out(name=name):
            return f"{name} is out"
        case q.Dead(name=name):
            return f"{name} is dead"
        case q.ConflictOver(undecided=True, reason=reason):
            return f"the conflict is over ({reason}); the GM names the winner"
        case q.ConflictOver(winner=winner, reason=reason):
            who = f"{winner} win" if winner else "nobody wins"
            return f"the conflict is over ({reason}): {who}"
        case ProblemOver(decider=decider, success=success):
            return f"the problem is {'solved' if success else 'not solved'}, as {decider} tells it"
    return ""


def _with_losses(who: str, losses: dict[str, int]) -> str:
    lost = "; ".join(f"{name} loses {points}" for name, points in losses.items())
    return f"{who}; {lost}" if lost else who


def _because(view: ProblemView) -> str:
    reasons = "; ".join(_BECAUSE[each] for each in view.because)
    return f"{view.decider} tells how it goes: {reasons}" if view.decider else reasons


def _conflict(view: TriangleView) -> Iterator[str]:
    for name, character in view.characters.items():
        yield f"{name} ({character.side}): {'; '.join(_fighter(character))}"
    if view.combo:
        yield f"a combo against {view.combo.victim} lies there: {', '.join(view.combo.moves)}"
    result = view.result
    if result:
        over = q.ConflictOver(
            winner=result.winner, reason=result.reason, undecided=result.undecided
        )
        yield _followed(over)


def _fighter(character: CharacterView) -> Iterator[str]:
    yield _points(character.energy, character.max)
    if character.face_up:
        yield f"at disadvantage by {', '.join(character.face_up)}"
    if character.dead:
        yield "dead"
    elif character.surrendered:
        yield "surrendered"
    elif character.out:
        yield "out"


def _problem(view: ProblemView) -> Iterator[str]:
    if view.problem:
        yield f"the problem: {view.problem}"
    if view.options:
        yield "; ".join(f"{name} has shown {number}" for name, number in view.options.items())
    if view.because:
        yield _because(view)
    if view.result:
        yield _followed(ProblemOver(decider=view.result.decider, success=view.result.success))


def _story(view: TriangleStoryView, *, between: bool) -> Iterator[str]:
    if view.stakes:
        yield f"at stake: {view.stakes}"
    if between:
        for name, person in view.party.items():
            yield f"{name}, level {person.level}: {'; '.join(_person(person))}"


def _person(person: PersonView) -> Iterator[str]:
    yield _points(person.energy, person.max)
    used = [name for name, left in person.specials.items() if not left]
    if used:
        yield f"used up: {', '.join(used)}"
    if person.dead:
        yield "dead"


def _points(energy: Energy, most: Energy) -> str:
    return ", ".join(f"{action} {energy.of(action)}/{most.of(action)}" for action in Action)
