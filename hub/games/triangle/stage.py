"""The words of the stage for conflicts and problems; the pages have the same in ``pages/say.js``
and ``pages/problem.js``."""

# ruff: noqa: D102  (the base class StageWords documents the methods)

from collections.abc import Iterator, Mapping

from hub.games.game import GM
from hub.games.stage import (
    Parts,
    Prompt,
    StageWords,
    Table,
    Verdict,
    beginning,
    left_of,
    readiness,
    ready,
)
from hub.games.triangle.naming import decisive_name, side_name
from hub.games.triangle.rules.problem.views import ProblemView
from hub.games.triangle.rules.views import ResultView, TriangleView, TurnView
from hub.kernel.texts import Part, Said, listed, name, names, said

_PLAIN = ("action", "element")
"""The rules of a win (R1) whose sentences name the action or the element of both moves."""
_WITH_MORE = ("first", "opponent", "kill", "replace", "verdict")
"""Steps with a line of their own below the headline."""
_CHOOSING = ("stance", "move", "specials", "target", "aim", "gain")
_MOST_NAMES = 5
"""How many characters who may go next are named; of more, only their number is said, because the
display marks them."""


class TriangleStage(StageWords):
    """Says the steps and verdicts of the three books."""

    def prompt(self, table: Table) -> Prompt:
        match table.game:
            case ProblemView() as problem:
                return Prompt(_problem_head(table, problem), _problem_more(table, problem))
            case TriangleView() as conflict:
                return _conflict(table, conflict)
        return super().prompt(table)

    def verdict(self, table: Table) -> Verdict | None:
        """The outcome of the conflict or of its turn, or who decides the problem."""
        match table.game:
            case ProblemView(options=None) | ProblemView(because=()):
                return None
            case ProblemView() as problem:
                head, cost = _problem_head(table, problem), tuple(_spent(problem))
                return Verdict(said=(head,), why=problem_why(problem), cost=cost)
            case TriangleView(result=ResultView()) as conflict if table.phase != "locked":
                prompt = _conflict(table, conflict)
                cost = tuple(_cost(conflict))
                return Verdict(said=(prompt.head,), why=prompt.more, cost=cost)
            case TriangleView(turn=TurnView(why=str(why), moves=dict(moves)) as turn) as conflict:
                came = beginning(came_said(why, turn.winner))
                reason = why_said(why, turn.winner, turn.loser, moves)
                return Verdict(said=(came,), why=reason, cost=tuple(_cost(conflict)))
        return None


STAGE = TriangleStage()


def came_said(why: str, winner: str | None) -> Said:
    """How a turn came out. ``why``: a value of :class:`~hub.games.triangle.rules.conflict.Why`."""
    if winner:
        return said("turn.won", winner=name(winner))
    return Said("turn.surrendered" if why == "surrender" else "turn.tied")


def why_said(why: str, winner: str | None, loser: str | None, moves: Mapping[str, str]) -> Parts:
    """Why a turn came out so; empty if both surrender, or if that needs a move that is not in
    ``moves``."""
    if winner is None or loser is None:
        return () if why == "surrender" else (Said(f"why.{why}"),)
    if why not in _PLAIN:
        return (said(f"why.{why}", loser=name(loser)),)
    if winner not in moves or loser not in moves:
        return ()
    winning, losing = (decisive_name(moves[who], why) for who in (winner, loser))
    return (said(f"why.{why}", winning=winning, losing=losing),)


def won_said(winner: str | None) -> Said:
    """Which side has won the conflict, if one has."""
    return said("over", side=side_name(winner)) if winner else Said("over.undecided")


def told_said(decider: str, *, success: bool) -> Said:
    """How a problem ended, and who told it."""
    return said("problem.solved" if success else "problem.failed", by=name(decider))


def problem_why(problem: ProblemView) -> tuple[Said, ...]:
    """Why this character decides, or whose outcome was vetoed; nothing before the numbers."""
    by = name(problem.decider or GM)
    if problem.vetoer:
        return (said("problem.vetoed", name=by),)
    refused = problem.refused
    places: dict[str, Part] = {"by": by, "refused": listed(names(refused))}
    return tuple(
        said(f"problem.because.{each}", count=len(refused), **places) for each in problem.because
    )


def _cost(conflict: TriangleView) -> Iterator[Said]:
    """What the turn costs, and who is out or dead because of it. That someone surrenders is told
    as the reason."""
    turn = conflict.turn
    if turn is None:
        return
    for who, loss in turn.losses.items():
        if loss.total:
            yield said("loss.total", name=name(who), total=loss.total)
    for who in dict.fromkeys((*turn.losses, *((turn.loser,) if turn.loser else ()))):
        character = conflict.characters[who]
        if character.dead:
            yield said("gm.came.dead", name=name(who))
        elif character.out and not character.surrendered:
            yield said("gm.came.out", name=name(who))


def _conflict(table: Table, conflict: TriangleView) -> Prompt:
    turn, step = conflict.turn, table.step
    who = listed(names(table.awaited))
    loser = name(turn.loser or "") if turn else ""
    places: dict[str, Part] = {"who": beginning(who), "loser": loser}
    if step in _WITH_MORE:
        return Prompt(said(step, **places), (said(f"{step}.more", **places),))
    if step == "next":
        may = conflict.may_act
        if len(may) != 1:
            return Prompt(said("next", **places), (_may_go(may),))
        places["next"] = name(may[0])
        return Prompt(said("next.only", **places), (said("next.only.more", **places),))
    if step == "split":
        return _split(table, conflict)
    if step == "over":
        return _over(conflict.result)
    head = said(step, **places) if step in _CHOOSING else said("other", who=who)
    return Prompt(head, ready(table))


def _over(result: ResultView | None) -> Prompt:
    head = beginning(won_said(result.winner if result else None))
    return Prompt(head, (Said(f"over.{result.reason}"),) if result else ())


def _may_go(may: tuple[str, ...]) -> Said:
    if len(may) > _MOST_NAMES:
        return said("next.marked", number=len(may))
    return said("next.more", names=listed(names(may)))


def _split(table: Table, conflict: TriangleView) -> Prompt:
    """Who splits the loss, and who could still step in for a loser."""
    losses = conflict.turn.losses if conflict.turn else {}
    left = left_of(table)
    losers = [who for who in left if who in losses]
    guards = [who for who in left if who not in losses]
    more = Said("split.more")
    if guards:
        more = said("split.guards", names=listed(names(guards)), count=len(guards))
    if not losers:
        return Prompt(more)
    who = beginning(listed(names(losers)))
    return Prompt(said("split", who=who, count=len(losers)), (more,))


def _problem_head(table: Table, problem: ProblemView) -> Said:
    if result := problem.result:
        return told_said(result.decider, success=result.success)
    by = beginning(listed([name(problem.decider or GM)]))
    who, count = beginning(listed(names(table.awaited))), len(table.awaited)
    return said(f"problem.{table.step}", who=who, count=count, by=by)


def _problem_more(table: Table, problem: ProblemView) -> Parts:
    if table.phase == "sealed":
        return (readiness(table),)
    if table.step != "veto":
        return problem_why(problem)
    lets = problem.let_happen
    waived = said("problem.let-happen", names=beginning(listed(names(lets))), count=len(lets))
    return (Said("problem.veto.more"), *((waived,) if lets else ()))


def _spent(problem: ProblemView) -> Iterator[Said]:
    """What each character has used up for the problem."""
    for who, change in problem.result.changes.items() if problem.result else ():
        used: list[Part] = [name(change.background)] if change.background else []
        traits = {"belief": change.belief, "flaw": change.flaw, "veto": change.veto}
        used += (Said(f"between.{trait}") for trait, is_used in traits.items() if is_used)
        if used:
            yield said("standing.of", name=name(who), facts=used)
