"""What the buzzer says: tones and silences. An active buzzer has one tone of its own."""

from enum import Enum

from msgspec import Struct


class Tone(Struct, frozen=True):
    """A tone of ``hz`` for so long (ms); 0 Hz is silence."""

    ms: int
    hz: int = 0


class Call(Enum):
    """All that it can say. None of it depends on a card, but for where it lies."""

    TICK = (Tone(25, 1800),)
    """A card was sealed."""
    REVEAL = (Tone(90, 660), Tone(40), Tone(90, 880), Tone(40), Tone(220, 1320))
    WARNING = (Tone(70, 1000), Tone(70), Tone(70, 1000))
    """The time to choose runs out."""
    ZERO = (Tone(600, 500),)
    """It has."""
    FULL = (Tone(150, 440), Tone(80), Tone(150, 440), Tone(80), Tone(400, 330))
    """A countdown of the story is full."""
    DONE = (Tone(40, 1200),)
    """A button has done what it does."""
    NO = (Tone(120, 220), Tone(60), Tone(120, 220))
    """A button can do nothing now."""
