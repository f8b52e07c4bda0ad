"""The document of the topic ``said``: what the stage says, in every language.

Built from the public view alone, at the same moment as ``state``.
"""

from collections.abc import Mapping

from msgspec import Struct

from hub.games.stage import Parts, Stage
from hub.kernel.texts import Texts, name, stopped


class SaidText(Struct, frozen=True, kw_only=True):
    """What the stage says, in one language. A text is empty if there is nothing to say."""

    headline: str
    """The outcome of a turn, a roll, a round or a scene until the table goes on; otherwise the
    current step."""
    why: str
    """The reason for an outcome, such as *Defend beats Attack*."""
    cost: str
    """What the outcome costs whom, a sentence for each loss."""
    more: str
    """A line below the headline; below an outcome, the step that follows."""
    waits_for: str
    """Whom the table waits for, as a sentence."""
    names: tuple[str, ...]
    """The names of those the table waits for."""


class SaidView(Struct, frozen=True, kw_only=True):
    """What the stage says, as published on the topic ``said``."""

    seq: int
    """Number of the last event when this was published."""
    waits_for: tuple[str, ...]
    """The actors whose choice is still awaited; of a group in which one chooses for all, all."""
    texts: dict[str, SaidText]
    """Language → what is said in it."""


def said_view(stage: Stage, seq: int, languages: Mapping[str, Texts]) -> SaidView:
    """The document for ``stage``. ``seq``: the number of the last event."""
    said = {language: said_text(stage, tell) for language, tell in languages.items()}
    return SaidView(seq=seq, waits_for=stage.waits_for, texts=said)


def said_text(stage: Stage, tell: Texts) -> SaidText:
    """What the stage says, in the language of ``tell``."""
    return SaidText(
        headline=_joined(tell, stage.headline),
        why=_joined(tell, stage.why),
        cost=" ".join(map(tell.sentence, stage.cost)),
        more=" ".join(filter(None, map(stopped, map(tell.told, stage.more)))),
        waits_for=tell.told(stage.waiting),
        names=tuple(tell.title(name(each)) for each in stage.waits_for),
    )


def _joined(tell: Texts, parts: Parts) -> str:
    return " ".join(filter(None, map(tell.told, parts)))
