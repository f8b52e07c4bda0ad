"""Nothing that leaves the hub before a reveal depends on a sealed card.

Two hubs live through the same evening with different cards face down. Their output must be the same
bytes, in the same order and at the same time, on every channel: the broker's packets, pages down to
headers and close frames, log lines of every level, printed output, other commands on the journal,
files that others can read. Cards that are never revealed (taken back, swapped, dropped, undone,
left when a scene ends) differ throughout, those of the last reveal until then. Only the seals'
random digests are replaced by the number of their first appearance.

``tests/secrecy/test_planted_leaks.py`` shows what the comparison finds; ``make soak`` runs more.
"""

from collections import Counter
from functools import cache

import pytest

from tests.support.twins.hands import FEINTS
from tests.support.twins.plans import Pair, evening
from tests.support.twins.setting import EDITIONS, SEATINGS

PLANS = 24


@cache
def lived(number: int) -> Pair:
    return evening(number)


@pytest.mark.parametrize("number", range(PLANS))
def test_two_hubs_with_different_cards_say_the_same(number: int) -> None:
    assert not lived(number).difference


def test_the_evenings_cover_everything_that_could_leak() -> None:
    """An evening that seals nothing would prove nothing."""
    evenings = [lived(number) for number in range(PLANS)]
    share = Counter[str]()
    for pair in evenings:
        share.update(name for name, times in pair.done.items() if times)
    most, many, some = PLANS * 9 // 10, PLANS // 5, 2
    wanted = {
        "locked": most, "revealed": most, "decided": most, "phase sealed": most,
        "step stance": PLANS // 2, "step move": many, "step option": many, "step specials": many,
        "beside": some, "several at a seat": many, "several": some, "use": some,
        "out of time": some,
        "beside at the reveal": many, "undone while locked": some, "phase over": some,
        "brought back": some, "played for": some, "sat out": 1, "portrayed": some,
        **{f"begins {kind}": many for kind in ("file", "conflict", "problem")},
        **{f"feint {name}": some for name in FEINTS},
        **{f"by {ruleset}": many for ruleset in EDITIONS},
        **{f"seated {seating}": many for seating in SEATINGS},
    }  # fmt: skip
    assert {name: share[name] for name, least in wanted.items() if share[name] < least} == {}
    assert not share["not sealed"]
    assert min(len(pair.told[0].said) for pair in evenings) > 100
    assert all(pair.told[0].over for pair in evenings)


def test_the_evenings_use_every_channel() -> None:
    """Twins prove nothing about a channel on which they say nothing."""
    for number in range(PLANS):
        said = {each.channel for each in lived(number).told[0].said}
        topics = {channel.split()[1].rpartition("/")[2] for channel in said if "/" in channel}
        assert {"state", "event", "said"} <= topics
        assert {channel.split()[0] for channel in said} >= {"mqtt", "web", "log"}
    everything = (each.channel for n in range(PLANS) for each in lived(n).told[0].said)
    assert "web prometheus" in everything
