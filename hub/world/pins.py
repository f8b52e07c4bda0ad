"""The pins of the machine's header."""

from pathlib import Path
from typing import Any


class PinsAbsent(Exception):
    """The machine has no usable pins; the message says why and what to do."""


def open_pins(driver: str) -> Any:
    """gpiozero's pin factory: the simulated one for ``mock``, otherwise that of lgpio.

    Raises :class:`PinsAbsent`.
    """
    if driver == "mock":
        from gpiozero.pins.mock import MockFactory, MockPWMPin

        return MockFactory(pin_class=MockPWMPin)
    try:
        from gpiozero.pins.lgpio import LGPIOFactory
    except ImportError:
        raise PinsAbsent(
            "the library lgpio is missing: python -m pip install 'facedown[pi]'"
        ) from None
    except OSError:  # it gets pin events over a pipe that it makes in the working folder
        raise PinsAbsent(
            f"lgpio cannot write the folder that the hub was started in ({Path.cwd()}); start it "
            "in a folder that its user may write"
        ) from None
    try:
        return LGPIOFactory()
    except Exception as error:  # lgpio's own is a plain Exception
        raise PinsAbsent(
            f"there is no GPIO that can be opened here ({type(error).__name__}: {error}); is this "
            "a Raspberry Pi, and is the hub's user in the group gpio?"
        ) from None
