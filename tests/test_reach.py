"""What changes together lives together: how far one idea reaches is bounded."""

from statistics import mean

import pytest

from hub.table import acts
from tests.support.reach import files_naming_the_timer, reaches

MOST_MODULES = 4
"""Modules of ``hub`` that name a command or an event, on average."""
MOST_TIMER_FILES = 24


@pytest.mark.parametrize("kinds", [acts.COMMANDS, acts.EVENTS], ids=["commands", "events"])
def test_a_command_and_an_event_are_named_in_few_modules(kinds: tuple[type, ...]) -> None:
    found = reaches(kinds)
    average = mean(map(len, found.values()))
    print(f"{average:.2f} modules on average")
    for name, files in found.items():
        print(f"{len(files):3} {name}: {', '.join(files)}")
    assert average <= MOST_MODULES


def test_the_commit_timer_is_named_in_few_files() -> None:
    named = files_naming_the_timer()
    print(f"{len(named)} files name the commit timer:", *named, sep="\n  ")
    assert len(named) <= MOST_TIMER_FILES
