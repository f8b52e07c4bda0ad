"""Records in words: what each event of the log means to somebody who was not there."""

from hub.rules.game import GameView
from hub.rules.triangle.conflict import Outcome
from hub.rules.triangle.problem.views import ProblemView
from hub.rules.triangle.views import ResultView, TriangleView, TurnView
from hub.table import records as r


def story(event: r.AnyEvent) -> str:  # noqa: PLR0912  (one case for each event)
    """One sentence without a full stop. Public events alone: what is sealed is not in them."""
    match event:
        case r.SceneStarted(scene=number, ruleset=ruleset, title=title, seats=seats):
            playing = "; ".join(f"{seat}: {', '.join(who)}" for seat, who in seats.items())
            named = f" “{title}”" if title else ""
            return f"scene {number}{named} begins ({ruleset}; {playing})"
        case r.Committed(actor=actor, seat=seat):
            return f"{actor} seals a card at seat {seat}"
        case r.TakenBack(actor=actor):
            return f"{actor} takes the sealed card back"
        case r.SealDropped(actor=actor):
            return f"the GM drops {actor}'s sealed card"
        case r.SetBeside(actor=actor, seat=seat):
            return f"{actor} seals a card beside the step at seat {seat}"
        case r.Withdrawn(actor=actor):
            return f"{actor} withdraws what lay beside"
        case r.Passed(actor=actor, by=by):
            return f"{actor} sets nothing against it{_by(actor, by)}"
        case r.ChanceSealed():
            return "the hub draws what chance will say, and seals it"
        case r.Locked():
            return "everybody has chosen"
        case r.Revealed(openings=openings, beside=beside):
            shown = (*openings.items(), *beside.items())
            return "revealed: " + "; ".join(f"{a}: {o.choice}" for a, o in shown)
        case r.Decided(actor=actor, choice=choice, by=by):
            return f"{actor} decides: {choice}{_by(actor, by)}"
        case r.Declared(actor=actor, choice=choice, by=by):
            return f"{actor} declares: {choice}{_by(actor, by)}"
        case r.ReaderLost(seat=seat):
            return f"the reader of seat {seat} is lost"
        case r.ReaderReturned(seat=seat):
            return f"the reader of seat {seat} is back"
        case r.DeadlineSet(seconds=seconds):
            return f"{seconds:g} seconds to choose"
        case r.DeadlinePassed():
            return "the time to choose is over"
        case r.Paused():
            return "the GM pauses the table"
        case r.Resumed():
            return "the table goes on"
        case r.Undone(to_phase=phase):
            return f"the GM goes back to phase {phase}"
        case r.SceneEnded():
            return "the scene is closed"
        case r.StoryBegun(ruleset=ruleset):
            return f"a story of {ruleset} begins"
        case r.StoryTold(deed=deed):
            return f"the GM: {deed}"
        case r.CharacterJoined(name=name):
            return f"the GM brings {name} into the story"
        case r.CharacterLeft(name=name):
            return f"{name} leaves the story"


def _by(actor: str, by: str) -> str:
    return "" if actor == by else f" (entered at {by})"


def consequences(before: GameView | None, after: GameView | None) -> list[str]:
    """What a record led to by the rules, a sentence each: who won and why, losses, who is out."""
    if isinstance(after, ProblemView):
        return _problem(before, after)
    if not isinstance(after, TriangleView):
        return []
    told = []
    earlier = before if isinstance(before, TriangleView) else None
    turn = after.turn
    if turn and turn.outcome and not (earlier and earlier.turn and earlier.turn.outcome):
        for name, first in turn.replaced.items():
            told.append(f"{name}'s {first} is replaced by {(turn.moves or {})[name]}")
        told.append(_outcome(turn))
    for name, character in after.characters.items():
        then = earlier.characters[name] if earlier else None
        if character.out and not (then and then.out):
            told.append(f"{name} is {'dead' if character.dead else 'out'}")
        elif character.dead and not (then and then.dead):
            told.append(f"{name} is dead")
    if after.result and not (earlier and earlier.result == after.result):
        told.append(_result(after.result))
    return told


def _problem(before: GameView | None, after: ProblemView) -> list[str]:
    earlier = before if isinstance(before, ProblemView) else None
    if after.result is None or (earlier and earlier.result):
        return []
    word = "solved" if after.result.success else "not solved"
    return [f"the problem is {word}, as {after.result.decider} tells it"]


def _outcome(turn: TurnView) -> str:
    losses = "; ".join(f"{name} loses {loss.total}" for name, loss in turn.losses.items())
    if turn.outcome is Outcome.SURRENDER:
        who = f"{turn.loser} surrenders to {turn.winner}" if turn.winner else "both surrender"
    elif turn.outcome is Outcome.TIE:
        who = "a tie"
    else:
        who = f"{turn.winner} wins by {turn.why}"
    return f"{who}; {losses}" if losses else who


def _result(result: ResultView) -> str:
    if result.winner is None:
        return f"the conflict is over ({result.reason}); the GM names the winner"
    return f"the conflict is over ({result.reason}): {result.winner} win"
