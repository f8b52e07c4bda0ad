"""Records in words: what each event of the log means to somebody who was not there."""

from hub.rules import consequences as q
from hub.table import records as r


def story(event: r.AnyEvent) -> str:  # noqa: PLR0912  (one case for each event)
    """One sentence without a full stop. Public events alone: what is sealed is not in them."""
    match event:
        case r.LogBegun(table=table):
            return f"the log of table {table} begins"
        case r.SceneStarted(scene=number, ruleset=ruleset, title=title, seats=seats):
            playing = "; ".join(f"{seat}: {', '.join(who)}" for seat, who in seats.items())
            named = f" “{title}”" if title else ""
            return f"scene {number}{named} begins ({ruleset}; {playing})"
        case r.Committed(actor=actor, seat=seat, page=page):
            return f"{actor} seals a card at seat {seat}{', from a page' if page else ''}"
        case r.TakenBack(actor=actor):
            return f"{actor} takes the sealed card back"
        case r.SealDropped(actor=actor):
            return f"the GM drops {actor}'s sealed card"
        case r.SetBeside(actor=actor, seat=seat):
            return f"{actor} seals a card beside the step at seat {seat}"
        case r.Withdrawn(actor=actor):
            return f"{actor} withdraws a card that lay beside"
        case r.Passed(actor=actor, by=by):
            return f"{actor} sets nothing against it{_by(actor, by)}"
        case r.ChanceSealed():
            return "the hub draws what chance will say, and seals it"
        case r.Locked():
            return "everybody has chosen"
        case r.Revealed(openings=openings, beside=beside):
            several = ((actor, opened) for actor, lay in beside.items() for opened in lay)
            shown = (*openings.items(), *several)
            return "revealed: " + "; ".join(f"{a}: {o.choice}" for a, o in shown)
        case r.Decided(actor=actor, choice=choice, by=by):
            return f"{actor} decides: {choice}{_by(actor, by)}"
        case r.Declared(actor=actor, choice=choice, by=by):
            return f"{actor} declares: {choice}{_by(actor, by)}"
        case r.ReaderLost(seat=seat):
            return f"the reader of seat {seat} is lost"
        case r.ReaderReturned(seat=seat):
            return f"the reader of seat {seat} is back"
        case r.ReaderUnreliable(seat=seat, losses=losses, disturbances=disturbances):
            return (
                f"the reader of seat {seat} is unreliable: in five minutes it was lost {losses} "
                f"times and disturbed {disturbances} times"
            )
        case r.ReaderReliable(seat=seat):
            return f"the reader of seat {seat} is reliable again"
        case r.DeadlineSet(seconds=seconds):
            return f"{seconds:g} seconds to choose"
        case r.DeadlinePassed():
            return "the time to choose is over"
        case r.Paused():
            return "the GM pauses the table"
        case r.Resumed():
            return "the table goes on"
        case r.Undone(to_phase=phase, to_seq=seq):
            after = f"how it stood after record {seq}" if seq else f"phase {phase}"
            return f"the GM goes back to {after}"
        case r.SceneEnded():
            return "the scene is closed"
        case r.StoryBegun(ruleset=ruleset):
            return f"a story of {ruleset} begins"
        case r.StoryTold(deed=deed):
            return f"the GM: {deed}"
        case r.StoryUndone():
            return "the GM takes the last deed back"
        case r.CharacterJoined(name=name):
            return f"the GM brings {name} into the story"
        case r.CharacterLeft(name=name):
            return f"{name} leaves the story"


def _by(actor: str, by: str) -> str:
    return "" if actor == by else f" (entered at {by})"


def sentence(came: q.AnyConsequence) -> str:
    """What followed by the rules, in words."""
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
        case q.ProblemOver(decider=decider, success=success):
            return f"the problem is {'solved' if success else 'not solved'}, as {decider} tells it"


def _with_losses(who: str, losses: dict[str, int]) -> str:
    lost = "; ".join(f"{name} loses {points}" for name, points in losses.items())
    return f"{who}; {lost}" if lost else who
