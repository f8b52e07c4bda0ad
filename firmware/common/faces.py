"""The picture on a clock of lights: a colour for each light, from public facts and a time.

All times are in ms of one clock, which the caller chooses. Only public facts come in, so nothing
else can show. Each state has a distinct rhythm or shape besides its colour, and nothing flashes
more than three times a second.
"""

from .light import FULL, Colour, beat, mix, swell

COUNTDOWN, TIMER, SEAT, REVEAL = "countdown", "timer", "seat", "reveal"
SHOWS = (COUNTDOWN, TIMER, SEAT, REVEAL)

MOODS = {
    COUNTDOWN: ("none", "running", "marked", "full"),
    TIMER: ("idle", "running", "warning", "zero", "timeless"),
    SEAT: ("idle", "awaited", "committed", "lost"),
    REVEAL: ("idle", "choosing"),
}
"""The moods of each face. Each face can also be ``offline``, ``locked`` or ``revealed``."""
ALWAYS = ("offline", "locked", "revealed")

Lights = list

SWEEP_MS = 4000
"""How long the lights sweep over a reveal; pages hold back its consequences for as long."""
FLOURISH_MS = 1800
"""How long a new mark is emphasized."""
WARNING_MS = 1200
"""How long a warning flashes."""

DARK = (0, 0, 0)
DIM = (10, 10, 14)
WHITE = (255, 245, 220)
MARKED = (255, 60, 0)
EMPTY = (0, 14, 34)
TEAL = (0, 190, 120)
AMBER = (255, 130, 0)
RED = (255, 0, 10)
BLUE = (30, 90, 255)
VIOLET = (150, 40, 255)


class Facts:
    """The known facts about the table."""

    def __init__(self) -> None:
        self.online = False
        self.phase = ""
        self.reveal_at: int | None = None  # while locked: when the reveal is due
        self.revealed_at: int | None = None  # when cards were last revealed
        self.awaited = 0  # how many have to choose
        self.committed = 0  # how many of them have
        self.boxes = 0  # of the countdown; 0: there is none
        self.marked = 0
        self.marked_at: int | None = None  # when the newest mark came
        self.deadline: int | None = None  # of the commit timer; None: it is off
        self.timeless = False  # a timer runs, but the clock does not know the time
        self.total = 0  # the timer's length in ms
        self.warnings: tuple[int, ...] = ()  # ms before the deadline
        self.seat_lost = False
        self.seat_awaited = False
        self.seat_committed = False

    def count(self, boxes: int, marked: int, now: int) -> None:
        """Set the countdown; an additional mark will be emphasized."""
        if boxes == self.boxes and marked > self.marked:
            self.marked_at = now
        elif boxes != self.boxes or marked < self.marked:
            self.marked_at = None
        self.boxes, self.marked = boxes, marked


def mood(shows: str, facts: Facts, now: int) -> str:
    """A word for the present display, one of :data:`MOODS` or :data:`ALWAYS`."""
    if not facts.online:
        return "offline"
    if facts.revealed_at is not None and 0 <= now - facts.revealed_at < SWEEP_MS:
        return "revealed"
    if facts.phase == "locked" and facts.reveal_at is not None:
        return "locked"
    if shows == COUNTDOWN:
        return _countdown_mood(facts, now)
    if shows == TIMER:
        return _timer_mood(facts, now)
    if shows == SEAT:
        return _seat_mood(facts)
    return "choosing" if facts.awaited else "idle"


def _countdown_mood(facts: Facts, now: int) -> str:
    if not facts.boxes:
        return "none"
    if facts.marked_at is not None and 0 <= now - facts.marked_at < FLOURISH_MS:
        return "marked"
    return "full" if facts.marked >= facts.boxes else "running"


def _timer_mood(facts: Facts, now: int) -> str:
    if facts.deadline is None:
        return "timeless" if facts.timeless else "idle"
    left = facts.deadline - now
    if left <= 0:
        return "zero"
    for warning in facts.warnings:
        if 0 <= warning - left < WARNING_MS:
            return "warning"
    return "running"


def _seat_mood(facts: Facts) -> str:
    if facts.seat_lost:
        return "lost"
    if facts.seat_awaited:
        return "committed" if facts.seat_committed else "awaited"
    return "idle"


STILL = ("none", "idle", "committed", "choosing")


def rests(shows: str, facts: Facts, now: int) -> bool:
    """Whether the lights stay unchanged until a fact changes."""
    now_in = mood(shows, facts, now)
    return now_in in STILL or (now_in == "running" and shows == COUNTDOWN)


def paint(lights: Lights, shows: str, facts: Facts, now: int) -> None:
    """Set every entry of the list ``lights`` to a colour, ``(red, green, blue)`` of 0 to 255."""
    if not lights:
        return
    _fill(lights, DARK)
    now_in = mood(shows, facts, now)
    if now_in == "offline":
        _two(lights, AMBER if beat(now, 2000, 1000) else DIM)
    elif now_in == "revealed":
        _sweep(lights, now - (facts.revealed_at or 0))
    elif now_in == "locked":
        _roll(lights, (facts.reveal_at or 0) - now)
    elif shows == COUNTDOWN:
        _countdown(lights, facts, now_in, now)
    elif shows == TIMER:
        _timer(lights, facts, now_in, now)
    elif shows == SEAT:
        _seat(lights, now_in, now)
    else:
        _choosing(lights, facts)


def _fill(lights: Lights, colour: Colour, start: int = 0, stop: int | None = None) -> None:
    for at in range(start, len(lights) if stop is None else stop):
        lights[at] = colour


def _two(lights: Lights, colour: Colour) -> None:
    """Light two lights that face each other."""
    lights[0] = lights[len(lights) // 2] = colour


def _one(lights: Lights) -> None:
    lights[0] = DIM


def _sweep(lights: Lights, since: int) -> None:
    """Draw a light that runs once around and leaves all lit; then fade all."""
    count = len(lights)
    run = SWEEP_MS * 2 // 3
    if since < run:
        head = since * count // run
        _fill(lights, mix(DARK, VIOLET, FULL * 5 // 8), 0, head)
        for back in range(min(3, count)):
            if head - back >= 0:
                lights[head - back] = mix(WHITE, VIOLET, back * 80)
    else:
        _fill(lights, mix(VIOLET, DARK, (since - run) * FULL // (SWEEP_MS - run)))


def _roll(lights: Lights, left: int) -> None:
    """Light every third light. They run faster as the reveal comes closer."""
    left = max(left, 0)
    if len(lights) < 3:
        _fill(lights, VIOLET if beat(left, 400, 200) else DIM)
        return
    step = -(left // 180 if left > 1000 else left // 90)
    for at in range(len(lights)):
        lights[at] = VIOLET if (at - step) % 3 == 0 else DARK


def _box(box: int, boxes: int, count: int) -> tuple[int, int]:
    """The lights of one box: the first, and the one after the last."""
    return box * count // boxes, (box + 1) * count // boxes


def _countdown(lights: Lights, facts: Facts, now_in: str, now: int) -> None:
    boxes, marked, count = facts.boxes, facts.marked, len(lights)
    if now_in == "none":
        _one(lights)
        return
    marked = min(marked, boxes)
    if count < boxes:  # a light for each share; the last only for a full countdown
        lit = count if marked == boxes else marked * count // boxes
        lit = max(lit, 1) if marked else 0
        _fill(lights, EMPTY)
        _fill(lights, MARKED, 0, lit)
    else:
        for box in range(boxes):
            start, stop = _box(box, boxes, count)
            if stop - start > 2:
                stop -= 1  # a gap, so that boxes can be counted
            _fill(lights, MARKED if box < marked else EMPTY, start, stop)
    if now_in == "full":
        share = swell(now, 2000) * 3 // 4
        for at in range(count):
            lights[at] = mix(lights[at], DARK, share)
    elif now_in == "marked":
        _flourish(lights, facts, marked, now - (facts.marked_at or 0))


def _flourish(lights: Lights, facts: Facts, marked: int, since: int) -> None:
    """Draw a light that runs up to the new mark, which then blinks three times."""
    count = len(lights)
    if count < facts.boxes:
        start = max(marked * count // facts.boxes - 1, 0)
        stop = start + 1
    else:
        start, stop = _box(marked - 1, facts.boxes, count)
        stop = stop - 1 if stop - start > 2 else stop
    run = FLOURISH_MS // 3
    if since < run:
        _fill(lights, EMPTY, start, stop)
        lights[since * stop // run] = WHITE
    else:
        _fill(lights, WHITE if beat(since - run, 400, 200) else DARK, start, stop)


def _timer(lights: Lights, facts: Facts, now_in: str, now: int) -> None:
    count, deadline = len(lights), facts.deadline or 0
    if now_in == "idle":
        _one(lights)
        return
    if now_in == "timeless":
        lights[now % 2000 * count // 2000] = TEAL
        return
    if now_in == "zero":
        _fill(lights, RED if beat(now - deadline, 1000, 500) else DARK)
        return
    left = deadline - now
    urgent = bool(facts.warnings) and left <= min(facts.warnings)
    warned = bool(facts.warnings) and left <= max(facts.warnings)
    colour = RED if urgent else AMBER if warned else TEAL
    quarters = min(left * count * 4 // max(facts.total, 1) + 1, count * 4)
    full = quarters // 4
    _fill(lights, colour, 0, full)
    if quarters % 4:
        lights[full] = mix(DARK, colour, quarters % 4 * FULL // 4)
    if urgent and not beat(left, 1000, 500):
        for at in range(count):
            lights[at] = mix(lights[at], DARK, FULL * 5 // 8)
    if now_in == "warning" and beat(left, 400, 200):
        _fill(lights, WHITE)


def _seat(lights: Lights, now_in: str, now: int) -> None:
    if now_in == "lost":
        _fill(lights, AMBER if beat(now, 2000, 200) or beat(now - 400, 2000, 200) else DARK)
    elif now_in == "awaited":
        _fill(lights, mix(DIM, BLUE, swell(now, 3000)))
    elif now_in == "committed":
        _fill(lights, TEAL)
    else:
        _one(lights)


def _choosing(lights: Lights, facts: Facts) -> None:
    if not facts.awaited:
        _one(lights)
        return
    count = len(lights)
    lit = min(facts.committed, facts.awaited) * count // facts.awaited
    _fill(lights, DIM)
    _fill(lights, TEAL, 0, lit)
