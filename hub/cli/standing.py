"""How a table stands, in words: the end of what ``facedown replay`` tells."""

from collections.abc import Iterator

from hub.cli.story import because, sentence
from hub.rules.triangle import consequences as q
from hub.rules.triangle.edition import Action, Energy
from hub.rules.triangle.problem.consequences import ProblemOver
from hub.rules.triangle.problem.views import ProblemView
from hub.rules.triangle.story.views import PersonView, TriangleStoryView
from hub.rules.triangle.views import CharacterView, TriangleView
from hub.table.views import PublicView


def standing(view: PublicView) -> Iterator[str]:
    """What everybody can see now, a line for each thing; the result last."""
    if view.game is not None:
        titled = f" “{view.title}”" if view.title else ""
        yield f"scene {view.scene}{titled}, turn {view.turn}, step {view.step}"
        if view.awaited:
            yield f"awaited: {', '.join(view.awaited)}"
            yield f"chosen already: {', '.join(view.committed) or 'nobody'}"
    match view.game:
        case TriangleView() as conflict:
            yield from _conflict(conflict)
        case ProblemView() as problem:
            yield from _problem(problem)
    match view.story:
        case TriangleStoryView() as campaign:
            yield from _story(campaign, between=view.game is None)


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
        yield sentence(over)


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
        yield because(view)
    if view.result:
        yield sentence(ProblemOver(decider=view.result.decider, success=view.result.success))


def _story(view: TriangleStoryView, *, between: bool) -> Iterator[str]:
    if view.stakes:
        yield f"at stake: {view.stakes}"
    if between:
        for name, person in view.party.items():
            yield f"{name}, level {person.level}: {'; '.join(_person(person))}"
    for each in view.countdowns:
        full = ", full" if each.marked == each.boxes else ""
        yield f"countdown {each.name}: {each.marked} of {each.boxes} boxes marked{full}"


def _person(person: PersonView) -> Iterator[str]:
    yield _points(person.energy, person.max)
    used = [name for name, left in person.specials.items() if not left]
    if used:
        yield f"used up: {', '.join(used)}"
    if person.dead:
        yield "dead"


def _points(energy: Energy, most: Energy) -> str:
    return ", ".join(f"{action} {energy.of(action)}/{most.of(action)}" for action in Action)
