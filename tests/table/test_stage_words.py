"""The stage says the same in Python as on the pages, in every language and at every step.

Tables play by themselves; Node runs the pages' own scripts over each of their public views.
"""

import subprocess
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec import Struct

from hub.games.game import GameView
from hub.games.registry import family_of, stage_of, texts
from hub.games.stage import Prompt, StageWords, Verdict, prompt_of
from hub.games.step import Step
from hub.games.steps import OVER
from hub.games.tourists.rules import game as tourists_steps
from hub.games.tourists.rules.conflict import RoundOutcome
from hub.games.tourists.rules.view import TouristsView
from hub.games.triangle.rules import special_steps
from hub.games.triangle.rules import steps as triangle_steps
from hub.games.triangle.rules.conflict import Ending, Why
from hub.games.triangle.rules.problem import steps as problem_steps
from hub.games.triangle.rules.problem.state import Because
from hub.games.tricube.rules import steps as tricube_steps
from hub.games.tricube.rules.roll import RollOutcome
from hub.kernel.catalogues import languages
from hub.kernel.texts import Said, Texts
from hub.ports import Announcement
from hub.table.state import Phase
from hub.table.views import PublicView
from hub.web.frames import state_frame
from hub.wire.said import said_text
from tests.support import rare_stages, stages

PAGES = Path(__file__).parents[1] / "js" / "stage_words.js"
GAMES: dict[str, tuple[Any, ...]] = {
    "conflict": (triangle_steps, special_steps),
    "problem": (problem_steps,),
    "tourists": (tourists_steps,),
    "tricube": (tricube_steps,),
}
"""Each sort of scene, with the modules of its steps."""
CODES = {
    *(f"why.{why}" for why in Why),
    *("turn.won", "turn.tied", "turn.surrendered", "over.undecided"),
    *(f"over.{ending}" for ending in Ending if ending is not Ending.BOTH_OUT),
    *("next.only", "next.more", "next.marked", "split", "split.guards", "split.more"),
    *(f"problem.because.{why}" for why in Because),
    *("problem.solved", "problem.failed", "problem.let-happen", "problem.vetoed"),
    *(f"tourists.outcome.{o}" for o in RoundOutcome if o is not RoundOutcome.REFRAMED),
    *(f"tourists.over.{each}" for each in ("last-standing", "all-conceded", "reframed")),
    *("tourists.outcome.broken.out", "tourists.came.control", "tourists.came.balanced"),
    *("tourists.stage.wish", "tourists.stage.laying", "tourists.stage.laying.hub"),
    *("tourists.stage.tell.alone", "tourists.stage.tell.more", "tourists.stage.answers.all"),
    *("tourists.came.temporary", "tourists.came.lasting"),
    *(f"tricube.stage.outcome.{outcome}" for outcome in RollOutcome),
    *("tricube.stage.of-many", "tricube.stage.came", "tricube.stage.wins", "tricube.stage.moot"),
    *("tricube.stage.nod.cure", "tricube.aside.perk", "tricube.aside.karma", "tricube.aside.cure"),
    *("tricube.stage.brings", "tricube.stage.brings.none", "tricube.stage.in-place"),
    *("tricube.stage.over", "tricube.stage.over.why"),
    *("tricube.came.price", "tricube.came.easier", "tricube.came.defeated"),
    *("loss.total", "gm.came.out", "gm.came.dead", "between.veto", "between.belief"),
    *("idle", "farewell", "paused", "locked", "counted", "other", "stage.either"),
    *("ready.none", "ready.some", "ready.answers"),
}
"""Sentences that come only now and then, all of which the tables have to come to.

A Conflict is reframed at once, so that its round's outcome is never told. The GM has no way to
bring about that both sides go out at once.
"""


class Moment(Struct, frozen=True):
    """A public view, and what Python says of it."""

    view: PublicView
    prompt: Prompt
    verdict: Verdict | None

    @property
    def sort(self) -> str:
        """The sort of scene; the ruleset if no family has it."""
        ruleset = ruleset_of(self.view.game)
        family = family_of(ruleset)
        if family is None or family.id != "triangle":
            return family.id if family else ruleset
        return "problem" if ruleset.endswith("-problem") else "conflict"


def ruleset_of(game: GameView | None) -> str:
    return str(game.__struct_config__.tag) if game else ""


def said_of(view: PublicView) -> Moment:
    family = family_of(ruleset_of(view.game))
    words = family.stage if family else StageWords()
    verdict = words.verdict(view) if view.game else None
    return Moment(view, prompt_of(view, words), verdict)


@pytest.fixture(scope="module")
def moments() -> Sequence[Moment]:
    """Each different thing that is said in a sort of scene and a phase, once."""
    played = [
        *(stages.conflict(seed).play(150) for seed in range(30)),
        *(stages.problem(seed).play(60) for seed in range(24)),
        *(stages.tourists(seed).play(120) for seed in range(24)),
        *(stages.tale(seed).play(120) for seed in range(28)),
        *(stages.unknown(seed).play(60) for seed in range(4)),
    ]
    views = [each.view for seen in played for each in seen]
    for rare in (
        rare_stages.conflicts,
        rare_stages.problems,
        rare_stages.tourists,
        rare_stages.tales,
    ):
        views += rare()
    found = {}
    for each in map(said_of, views):
        said = msgspec.json.encode((each.prompt, each.verdict))
        found[each.sort, each.view.step, each.view.phase, said] = each
    return [*found.values()]


def keys(said: object) -> Iterator[str]:
    """The keys of all texts that something is said with."""
    if isinstance(said, Said):
        yield str(said.key)
        yield from keys(said.places.values())
    elif isinstance(said, Struct):
        yield from keys(getattr(said, field) for field in said.__struct_fields__)
    elif isinstance(said, Iterable) and not isinstance(said, str):
        for each in said:
            yield from keys(each)


def on_pages(moments: Sequence[Moment], language: str) -> list[dict[str, Any]]:
    """What the pages' scripts say of each moment."""
    frames = [msgspec.Raw(state_frame(Announcement(each.view)).data) for each in moments]
    lines = [msgspec.json.encode({"language": language, "state": frame}) for frame in frames]
    done = subprocess.run(
        ["node", str(PAGES)], input=b"\n".join(lines), capture_output=True, timeout=120
    )
    assert done.returncode == 0 and not done.stderr, done.stderr.decode()
    return [msgspec.json.decode(line) for line in done.stdout.splitlines()]


def told(tell: Texts, *parts: Any) -> str:
    return " ".join(" ".join(map(tell.told, parts)).split())


@pytest.mark.parametrize("sort", GAMES)
def test_the_tables_come_to_every_step(moments: Sequence[Moment], sort: str) -> None:
    values = (value for module in GAMES[sort] for value in vars(module).values())
    each = (one for value in values for one in (value if isinstance(value, tuple) else (value,)))
    names = {step.name for step in each if isinstance(step, Step)} | {OVER}
    assert len(names) > 6
    assert names - {each.view.step for each in moments if each.sort == sort} == set()


def test_the_tables_come_to_every_phase_and_sentence(moments: Sequence[Moment]) -> None:
    assert {each.view.phase for each in moments} == {*Phase}
    assert CODES - {*keys([moments, [stage_of(each.view) for each in moments]])} == set()
    assert len(moments) > 1000


@pytest.mark.parametrize("language", languages())
def test_the_pages_say_the_same(moments: Sequence[Moment], language: str) -> None:
    tell = texts(language)
    for moment, page in zip(moments, on_pages(moments, language), strict=True):
        prompt, verdict, theirs = moment.prompt, moment.verdict, page["verdict"]
        assert told(tell, prompt.head) == told(tell, page["prompt"]["head"])
        assert told(tell, *prompt.more) == told(tell, page["prompt"]["more"])
        assert (verdict is None) == (theirs is None), moment.view
        if verdict is not None:
            assert told(tell, *verdict.said) == theirs["said"]


@pytest.mark.parametrize("language", languages())
def test_every_page_draws_what_the_hub_says(moments: Sequence[Moment], language: str) -> None:
    """The display in the room and near, the overlay, and the recap."""
    tell = texts(language)
    for moment, page in zip(moments, on_pages(moments, language), strict=True):
        stage = stage_of(moment.view)
        says = said_text(stage, tell)
        assert page["aloud"] == says.headline
        if moment.view.game is None:
            assert page["overlay"] == says.headline
            continue
        lead = (page["verdict"] or {}).get("lead")
        whole = f"{lead}: {says.headline}" if lead else f"{says.headline} {says.why}"
        drawn = told(tell, whole, *stage.more)
        assert drawn == told(tell, page["near"]) == told(tell, page["overlay"])
        room = page["room"]
        assert room["said"] == says.headline
        assert room["lead"] + room["why"] in ((says.why, "") if hides(moment) else (says.why,))
        if moment.verdict is not None:
            assert room["next"] == told(tell, *stage.more[:1])
        over = moment.view.phase is Phase.OVER
        assert told(tell, page["recap"]) == (drawn if over else "")


def hides(moment: Moment) -> bool:
    """Whether the display in the room shows the reason by its pieces: the Control."""
    return isinstance(moment.view.game, TouristsView) and moment.view.game.result is None
