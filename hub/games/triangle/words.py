"""The sentences in which the log and the pages tell conflicts, problems and stories, as texts of
the catalogues."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from hub.games.game import Choice, Consequence, GameView
from hub.games.story import StoryView
from hub.games.telling import Deed, Words
from hub.games.triangle.deeds_told import deed_told, holds_told
from hub.games.triangle.naming import (
    choice_name,
    energy_name,
    move_name,
    points_name,
    side_name,
    special_name,
)
from hub.games.triangle.rules import consequences as q
from hub.games.triangle.rules.problem.views import ProblemOver, ProblemView
from hub.games.triangle.rules.views import CharacterView, TriangleView
from hub.games.triangle.stage import came_said, problem_why, told_said, why_said, won_said
from hub.games.triangle.story.views import PersonView, TriangleStoryView
from hub.kernel.texts import Part, Said, name, said

_CHOSEN = {
    **dict.fromkeys(("active", "agreed", "opponent", "target", "decider", "first"), "name"),
    **dict.fromkeys(("verdict", "winner"), "side"),
    **dict.fromkeys(("split", "aim", "gain"), "points"),
    **dict.fromkeys(("describe", "substitute"), "value"),
    **dict.fromkeys(("use", "end-combo", "let-be", "veto", "next-highest"), ""),
    **dict.fromkeys(("kill yes", "kill no", "replace yes", "replace no", "veto no"), ""),
    **dict.fromkeys(("outcome stands", "outcome success", "outcome failure"), ""),
}
"""Kind of choice, or kind and value, with a sentence of its own → what the sentence calls the
value: ``name``, ``side``, ``points`` or ``value``; empty if the value does not appear in it."""


class TriangleWords(Words):
    """Tells what happens, in the terms of the three books."""

    def card(self, choice: Choice) -> Part:
        """The name of a card, or of a choice that has no sentence of its own."""
        return choice_name(choice.kind, choice.value)

    def chosen(self, who: str, choice: Choice) -> Said:
        """The sentence for an open choice, or for a declaration beside a step."""
        kind, value = choice.kind, choice.value
        if str(choice) in _CHOSEN and value:
            return said(f"gm.log.{kind}.{value}", actor=name(who))
        if kind not in _CHOSEN:
            return super().chosen(who, choice)
        of = {"name": name, "side": side_name, "points": points_name}.get(_CHOSEN[kind], str)
        place = "name" if _CHOSEN[kind] == "side" else _CHOSEN[kind]
        return said(f"gm.log.{kind}", actor=name(who), **{place: of(value)} if place else {})

    def begins(self, choice: Choice) -> bool:
        """Whether a turn begins with this choice, and so a paragraph of the chronicle."""
        return choice.kind in ("active", "agreed")

    def held(self, holds: Mapping[str, Any]) -> Part:
        """The content of an overrule."""
        return holds_told(holds)

    def followed(self, came: Consequence, shown: Mapping[str, Choice]) -> Sequence[Said]:
        """The sentences for a consequence by the rules. ``shown``: actor → card of the reveal that
        led to it."""
        match came:
            case q.Replaced(name=who, first=first, move=move):
                places = {"first": move_name(first), "move": move_name(move)}
                return (said("special.replaced", player=name(who), **places),)
            case q.TurnWon() | q.TurnTied() | q.TurnSurrendered():
                lost = came.losses.items()
                losses = (said("loss.total", name=name(who), total=total) for who, total in lost)
                return (_verdict(came, shown), *losses)
            case q.Out(name=who):
                return (said("gm.came.out", name=name(who)),)
            case q.Dead(name=who):
                return (said("gm.came.dead", name=name(who)),)
            case q.ConflictOver(winner=winner, reason=reason):
                return (won_said(winner), said(f"over.{reason}"))
            case ProblemOver(decider=decider, success=success):
                return (told_said(decider, success=success),)
        return super().followed(came, shown)

    def deed(self, deed: Deed) -> Said:
        """The sentence for a deed of the story."""
        return deed_told(deed) or super().deed(deed)

    def scene(self, ruleset: str) -> Said:
        """The kind of a scene: a conflict or a problem."""
        return Said("gm.log.a.problem" if ruleset.endswith("-problem") else "gm.log.a.conflict")

    def left(self, step: str) -> Said:
        """The sentence that says which decision is left open if a scene is closed at this step."""
        return Said(f"between.at-step.{step}")

    def standing(self, view: GameView) -> Iterator[Said]:
        """A line for each character and one for the combo in a conflict, or the lines of a problem,
        with the result last."""
        match view:
            case TriangleView():
                yield from _conflict(view)
            case ProblemView():
                yield from _problem(view)

    def story(self, view: StoryView, *, between: bool) -> Iterator[Said]:
        """The stakes and, ``between`` scenes, a line for each player character."""
        yield from super().story(view, between=between)
        if between and isinstance(view, TriangleStoryView):
            for who, person in view.party.items():
                facts = [*_person(person)]
                yield said("standing.person", name=name(who), level=person.level, facts=facts)


WORDS = TriangleWords()


def _verdict(came: q.TurnWon | q.TurnTied | q.TurnSurrendered, shown: Mapping[str, Choice]) -> Said:
    why = "surrender" if isinstance(came, q.TurnSurrendered) else came.why
    winner, loser = (None, None) if isinstance(came, q.TurnTied) else (came.winner, came.loser)
    moves = {who: choice.value for who, choice in shown.items()}
    reason = why_said(why, winner, loser, moves)
    came_out = came_said(why, winner)
    return said("turn.told", why=reason[0], came=came_out) if reason else came_out


def _conflict(view: TriangleView) -> Iterator[Said]:
    for who, character in view.characters.items():
        side, facts = side_name(character.side), [*_fighter(character)]
        yield said("standing.fighter", name=name(who), side=side, facts=facts)
    if view.combo:
        moves = [move_name(move) for move in view.combo.moves]
        yield said("standing.combo", name=name(view.combo.victim), moves=moves)
    if view.result:
        why = Said(f"over.{view.result.reason}")
        yield said("standing.over", result=won_said(view.result.winner), why=why)


def _fighter(character: CharacterView) -> Iterator[Said]:
    yield from energy_name(character.energy, character.max)
    if character.face_up:
        yield said("standing.disadvantage", moves=[move_name(each) for each in character.face_up])
    if character.dead:
        yield Said("standing.dead")
    elif character.surrendered:
        yield Said("standing.surrendered")
    elif character.out:
        yield Said("standing.out")


def _problem(view: ProblemView) -> Iterator[Said]:
    if view.problem:
        yield said("standing.problem", text=view.problem)
    for who, number in (view.options or {}).items():
        option = Said(f"option.{number}")
        yield said("standing.number", name=name(who), number=number, option=option)
    if view.decider and view.because:
        yield said("gm.log.decider", name=name(view.decider))
    yield from problem_why(view)
    if view.result:
        yield told_said(view.result.decider, success=view.result.success)


def _person(person: PersonView) -> Iterator[Said]:
    yield from energy_name(person.energy, person.max)
    used = [special_name(each) for each, left in person.specials.items() if not left]
    if used:
        yield said("standing.used", specials=used)
    if person.dead:
        yield Said("standing.dead")
