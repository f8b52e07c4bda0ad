"""The words of the stage: what the display says at a moment, as texts of the catalogues.

Each family says its steps and its verdicts (the face ``stage``); what all games have in common is
here. The pages say the same from the same texts in ``static/js/core/prompt.js`` and in
``pages/say.js`` of each family; ``tests/table/test_stage_words.py`` compares both.
"""

# ruff: noqa: D102  (the fields of Table are those of the public view)

from collections.abc import Iterator, Mapping, Sequence
from typing import Protocol

from msgspec import Struct

from hub.games.game import GameView, Tally
from hub.kernel.texts import Part, Said, Titled, listed, name, names, said

_ASKING = ("sealed", "open", "decision")
"""The phases in which a choice is awaited."""
_STILL = ("idle", "paused", "locked")
"""The phases that say the same whatever is played."""

Parts = tuple[Part, ...]
"""Texts that follow each other, separated by spaces. Empty texts among them say nothing."""


class Table(Protocol):
    """What the words depend on: these fields of the table's public view, and nothing else."""

    @property
    def phase(self) -> str: ...
    @property
    def step(self) -> str: ...
    @property
    def awaited(self) -> Sequence[str]: ...
    @property
    def one_of(self) -> Sequence[Sequence[str]]: ...
    @property
    def committed(self) -> Sequence[str]: ...
    @property
    def answers(self) -> Sequence[str]: ...
    @property
    def counted(self) -> Mapping[str, Tally]: ...
    @property
    def evening_over(self) -> bool: ...
    @property
    def game(self) -> GameView | None: ...


class Prompt(Struct, frozen=True):
    """The headline of a step, and the line below it."""

    head: Part
    more: Parts = ()


class Verdict(Struct, frozen=True, kw_only=True):
    """What a turn, a roll, a round or a scene has come to."""

    said: Parts
    why: Parts = ()
    cost: tuple[Said, ...] = ()
    """A sentence for each loss or payment; empty if nothing is lost."""


class Stage(Struct, frozen=True, kw_only=True):
    """Everything that the stage says at a moment."""

    headline: Parts
    """The verdict while there is one, otherwise the step."""
    why: Parts = ()
    """The reason for a verdict."""
    cost: tuple[Said, ...] = ()
    more: Parts = ()
    """The line below the headline of a step; below a verdict, the step that follows."""
    waits_for: tuple[str, ...] = ()
    """The actors whose choice is still awaited."""
    waiting: Part = ""
    """Whom the table waits for, as a sentence; empty if for none."""


class StageWords:
    """Puts a family's steps and verdicts into words, from the public view alone. The defaults use
    only texts common to all families, and know no verdicts."""

    def prompt(self, table: Table) -> Prompt:
        """The headline of the current step of a scene, and the line below it."""
        if table.phase == "over":
            return Prompt(Said("over.undecided"))
        return Prompt(said("other", who=any_of(table, table.awaited)), ready(table))

    def verdict(self, table: Table) -> Verdict | None:
        """What has been decided, until the table goes on; None before it."""
        return None

    def points(self, points: Sequence[str]) -> Part:
        """Points that cards have counted so far."""
        return said(
            "stage.points",
            points=[
                said("stage.point", type=Said(each), points=points.count(each))
                for each in dict.fromkeys(points)
            ],
        )


def stage(table: Table, words: StageWords) -> Stage:
    """What the stage says. ``words``: those of the family in play."""
    waits = waits_for(table)
    waiting = said("other", who=any_of(table, waits)) if waits else ""
    prompt = prompt_of(table, words)
    verdict = words.verdict(table) if table.game is not None else None
    if verdict is None:
        return Stage(headline=(prompt.head,), more=prompt.more, waits_for=waits, waiting=waiting)
    told = table.phase == "locked" or verdict.said == (prompt.head,)
    return Stage(
        headline=verdict.said,
        why=verdict.why,
        cost=verdict.cost,
        more=() if told else (prompt.head, *prompt.more),
        waits_for=waits,
        waiting=waiting,
    )


def prompt_of(table: Table, words: StageWords) -> Prompt:
    """The headline of the moment, in or between scenes, and the line below it."""
    if table.phase == "idle" and table.evening_over:
        return _plain("farewell")
    if table.phase in _STILL:
        return _plain(str(table.phase))
    prompt = words.prompt(table)
    counted = [*_counted(table, words)]
    if not counted:
        return prompt
    more = counted[0]
    for each in counted[1:]:
        more = said("stage.counted.more", before=more, then=each)
    return Prompt(prompt.head, (more,))


def waits_for(table: Table) -> tuple[str, ...]:
    """The actors whose choice is awaited and not in; once all have chosen, those who may still
    answer a card."""
    if table.phase not in _ASKING:
        return ()
    return left_of(table) or tuple(table.answers)


def left_of(table: Table) -> tuple[str, ...]:
    """The awaited actors whose choice is not in."""
    return tuple(each for each in table.awaited if each not in table.committed)


def any_items(table: Table, awaited: Sequence[str]) -> list[Part]:
    """The awaited actors' names; a group in which one chooses for all is one item, *Ada or Bo*."""
    found: dict[tuple[str, ...], Part] = {}
    for each in awaited:
        group = tuple(next((of for of in table.one_of if each in of), ()))
        shown = said("stage.either", items=names(group)) if len(group) > 1 else name(each)
        found.setdefault(group or (each,), shown)
    return [*found.values()]


def any_of(table: Table, awaited: Sequence[str]) -> Said:
    """The awaited actors as a list; see :func:`any_items`."""
    return listed(any_items(table, awaited))


def beginning(part: Said) -> Said:
    """The same text at the beginning of a sentence."""
    return Titled(part.key, part.places)


def ready(table: Table) -> Parts:
    """In a step with sealed cards, who is ready and who is awaited; else nothing."""
    return (readiness(table),) if table.phase == "sealed" else ()


def readiness(table: Table) -> Said:
    """Who is ready, and who is awaited."""
    left, committed = left_of(table), table.committed
    if not left and table.answers:
        return said("ready.answers", waiting=listed(names(table.answers)))
    waiting = any_of(table, left)
    if not committed:
        return said("ready.none", waiting=waiting)
    is_ready = beginning(listed(names(committed)))
    return said("ready.some", ready=is_ready, waiting=waiting, count=len(committed))


def _counted(table: Table, words: StageWords) -> Iterator[Said]:
    for who, tally in table.counted.items():
        points = words.points(tally.points)
        one = said("counted", number=len(tally.points), total=tally.total, points=points)
        yield one if len(table.counted) == 1 else said("standing.of", name=name(who), facts=one)


def _plain(key: str) -> Prompt:
    return Prompt(Said(key), (Said(f"{key}.more"),))
