"""The reason why an actor decides a problem, as a value (R13)."""

import pytest

from hub.games.game import GM
from hub.games.triangle.rules.problem.views import ProblemView
from tests.support.tabletalk import TableTalk


def shown(ruleset: str = "unroll-problem", *, ada: int, bo: int, **sheets: object) -> TableTalk:
    """Both have shown a number; what each has besides is in ``sheets``."""
    table = TableTalk(
        {
            "ruleset": ruleset,
            "problem": "The bridge is down",
            "characters": {
                "ada": {"backgrounds": {"Cook": 1}, **(sheets.get("ada_has") or {})},  # type: ignore[dict-item]
                "bo": {"backgrounds": {"Cook": 1}, **(sheets.get("bo_has") or {})},  # type: ignore[dict-item]
                "ninja": {},
            },
            "interested": ["ada", "bo"],
        }
    )
    table.start()
    table.place("ada", f"option {ada}")
    table.place("bo", f"option {bo}")
    table.reveal()
    return table


def why(table: TableTalk) -> tuple[str | None, list[str]]:
    view = table.view.game
    assert isinstance(view, ProblemView)
    return view.decider, [str(each) for each in view.because]


def test_the_highest_number_is_the_reason() -> None:
    assert why(shown(ada=3, bo=2)) == ("ada", ["highest"])


def test_ones_and_fours_alone_are_the_reason() -> None:
    assert why(shown(ada=1, bo=4)) == ("ada", ["ones-and-fours"])


def test_other_books_lack_the_ones_and_fours_rule() -> None:
    assert why(shown("iron-triangle-problem", ada=1, bo=4)) == ("bo", ["highest"])


def test_equal_numbers_go_to_the_one_who_decided_longest_ago() -> None:
    table = shown(ada=3, bo=3, ada_has={"decided": 2}, bo_has={"decided": 1})
    assert why(table) == ("bo", ["longest-ago"])


def test_a_full_tie_is_for_the_gm() -> None:
    table = shown(ada=3, bo=3)
    assert why(table) == (None, ["tied"])
    table.decide(GM, "decider bo")
    assert why(table) == ("bo", ["named"])


def test_passing_on_is_the_reason_for_the_next() -> None:
    table = shown(ada=3, bo=2)
    table.decide(GM, "next-highest")
    assert why(table) == ("bo", ["passed-on"])
    table.decide(GM, "next-highest")
    assert why(table) == (None, ["nobody"])


@pytest.mark.parametrize("name", ["ada", "bo"])
def test_an_overrule_is_the_reason(name: str) -> None:
    table = shown(ada=3, bo=2)
    table.decide(GM, f"overrule decider {name} because it is so")
    assert why(table) == (name, ["ruled"])
