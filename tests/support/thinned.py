"""Large tables of cases: each third is tried in every run, all of them by ``make faults``."""

from collections.abc import Iterable
from typing import Any

import pytest

EVERY = 3


def thinned(cases: Iterable[tuple[Any, ...]]) -> list[Any]:
    """The arguments of ``pytest.mark.parametrize``, the rest of them marked."""
    marks = (pytest.mark.faults,)
    return [pytest.param(*case, marks=marks if at % EVERY else ()) for at, case in enumerate(cases)]
