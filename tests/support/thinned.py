"""Large tables of cases: every run tries a third of them, ``make faults`` tries all."""

from collections.abc import Iterable
from typing import Any

import pytest

EVERY = 3


def thinned(cases: Iterable[tuple[Any, ...]]) -> list[Any]:
    """Arguments for ``pytest.mark.parametrize``; two cases of three are marked ``faults``."""
    marks = (pytest.mark.faults,)
    return [pytest.param(*case, marks=marks if at % EVERY else ()) for at, case in enumerate(cases)]
