"""Records in words: what each event of the log means to somebody who was not there."""

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
        case r.Locked():
            return "everybody has chosen"
        case r.Revealed(openings=openings):
            return "revealed: " + "; ".join(f"{a}: {o.choice}" for a, o in openings.items())
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


def _by(actor: str, by: str) -> str:
    return "" if actor == by else f" (entered at {by})"
