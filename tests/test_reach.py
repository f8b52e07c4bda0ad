"""What changes together lives together: how far one idea reaches is bounded."""

from statistics import mean

import pytest

from hub.table import acts
from tests.support.reach import files_naming_the_timer, reaches

MOST_MODULES = {"commands": 4.0, "events": 4.0}
"""Modules of ``hub`` that name one of them, on average. The aim is 4."""
MOST_TIMER_FILES = 24  # one of them configures the tables of the simulation


@pytest.mark.parametrize("of", MOST_MODULES)
def test_a_command_and_an_event_are_named_in_few_modules(of: str) -> None:
    kinds = {"commands": acts.COMMANDS, "events": acts.EVENTS}[of]
    found = reaches(kinds)
    average = mean(map(len, found.values()))
    print(f"{average:.2f} modules on average")
    for name, files in found.items():
        print(f"{len(files):3} {name}: {', '.join(files)}")
    assert average <= MOST_MODULES[of]


def test_the_commit_timer_is_named_in_few_files() -> None:
    named = files_naming_the_timer()
    print(f"{len(named)} files name the commit timer:", *named, sep="\n  ")
    assert len(named) <= MOST_TIMER_FILES
