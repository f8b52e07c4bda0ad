"""The chronicle, which the recap shows and ``facedown replay`` prints, tells each outcome in the
words of the stage.

Tables play by themselves.
"""

from collections.abc import Callable

import msgspec
import pytest

from hub.games.registry import family_of, texts
from hub.games.stage import Verdict
from hub.games.steps import OVER
from hub.kernel.catalogues import languages
from hub.kernel.texts import Part, Said, Texts, stopped
from hub.table.views import PublicView, public_view
from tests.support import stages
from tests.support.stages import SelfPlayed

UNTOLD = ("tricube.stage.of-many", "tricube.stage.over")
"""The outcomes of many rolls are told one by one, and of a scene that the GM ends it."""


def verdict_of(view: PublicView) -> Verdict | None:
    """The outcome on the stage; None if there is none, or if somebody has yet to decide it."""
    family = family_of(str(view.game.__struct_config__.tag)) if view.game else None
    verdict = family.stage.verdict(view) if family else None
    if family and verdict and view.step != OVER:
        return verdict if verdict.said != (family.stage.prompt(view).head,) else None
    return verdict


def sentences(parts: tuple[Part, ...], tell: Texts) -> list[str]:
    return [stopped(tell.title(each)) for each in parts if getattr(each, "key", "") not in UNTOLD]


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize(
    ("played", "seeds"),
    [(stages.conflict, 12), (stages.problem, 12), (stages.tourists, 12), (stages.tale, 12)],
)
def test_an_outcome_and_its_cost_are_told_in_the_words_of_the_stage(
    played: Callable[[int], SelfPlayed], seeds: int, language: str
) -> None:
    tell = texts(language)
    outcomes = 0
    for seed in range(seeds):
        table, seq, scene, last = played(seed), 0, 0, None
        told: list[str] = []
        for _ in range(120):
            table.play(1)
            if table.state.scene and table.state.scene.number != scene:
                scene, told, last = table.state.scene.number, [], None
            for entry in table.chronicle(seq):
                seq = entry["seq"]
                told += [tell.sentence(msgspec.convert(each, Said)) for each in entry["told"]]
            verdict = verdict_of(public_view(table.state))
            if verdict is None or verdict == last:
                continue
            last = verdict
            # What a problem has used up is not told in the chronicle.
            cost = verdict.cost if played is not stages.problem else ()
            for said in sentences((*verdict.said, *cost), tell):
                assert any(line.casefold().endswith(said.casefold()) for line in told), (said, told)
                outcomes += 1
    assert outcomes > 20
