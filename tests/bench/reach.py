"""How many files name one idea; see :mod:`tests.support.reach`."""

from statistics import mean

from hub.table import acts
from tests.bench.figures import Figure
from tests.support.reach import files_naming_the_timer, reaches

_AIM, _TIMER_AIM = 4, 24
"""Every file that names the timer uses or describes it: languages, outputs, pages, tests."""


def reach() -> list[Figure]:
    commands = mean(map(len, reaches(acts.COMMANDS).values()))
    events = mean(map(len, reaches(acts.EVENTS).values()))
    return [
        Figure.aimed("modules that name a command", commands, _AIM),
        Figure.aimed("modules that name an event", events, _AIM),
        Figure.aimed("files that name the commit timer", len(files_naming_the_timer()), _TIMER_AIM),
    ]
