"""How many files name one idea; see :mod:`tests.support.reach`."""

from statistics import mean

from hub.table import acts
from tests.bench.figures import Figure
from tests.support.reach import files_naming_the_timer, reaches

_AIM, _TIMER_AIM = 4, 12


def reach() -> list[Figure]:
    commands = mean(map(len, reaches(acts.COMMANDS).values()))
    events = mean(map(len, reaches(acts.EVENTS).values()))
    return [
        _figure("modules that name a command", commands, _AIM),
        _figure("modules that name an event", events, _AIM),
        _figure("files that name the commit timer", len(files_naming_the_timer()), _TIMER_AIM),
    ]


def _figure(name: str, value: float, aim: float) -> Figure:
    return Figure(
        name=name,
        unit="",
        value=value,
        baseline=aim,
        baseline_is="the aim",
        ratio=value / aim,
        aim="1",
    )
