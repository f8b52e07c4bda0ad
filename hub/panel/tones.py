"""The buzzer's calls: tones and silences. An active buzzer has a single tone."""

from enum import Enum

from msgspec import Struct


class Tone(Struct, frozen=True):
    """A tone of ``hz`` for ``ms`` milliseconds; 0 Hz is silence."""

    ms: int
    hz: int = 0


class Call(Enum):
    """All calls of the buzzer. None depends on which card it is, only on its being sealed."""

    TICK = (Tone(25, 1800),)
    """A card was sealed."""
    REVEAL = (Tone(90, 660), Tone(40), Tone(90, 880), Tone(40), Tone(220, 1320))
    WARNING = (Tone(70, 1000), Tone(70), Tone(70, 1000))
    """The time to choose is running out."""
    ZERO = (Tone(600, 500),)
    """The time to choose is over."""
    FULL = (Tone(150, 440), Tone(80), Tone(150, 440), Tone(80), Tone(400, 330))
    """A countdown of the story is full."""
    DONE = (Tone(40, 1200),)
    """A button has done its work."""
    NO = (Tone(120, 220), Tone(60), Tone(120, 220))
    """A button has nothing to do now."""
