"""How a family puts its games into words: texts of the catalogues, as values.

The pages, ``facedown replay`` and the hub's log show them, each in its language.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from hub.games.game import Choice, Consequence, GameView
from hub.games.story import StoryView
from hub.kernel.texts import Part, Said, name, said

Deed = Mapping[str, Any]
"""A deed of the story as JSON values, of the kind named by ``do``."""


class Words:
    """Puts a family's games into words. The defaults use only texts common to all families.

    Only public information is passed in.
    """

    def card(self, choice: Choice) -> Part:
        """The name of a card, or of a choice that has no sentence of its own."""
        return name(choice.value or choice.kind)

    def chosen(self, who: str, choice: Choice) -> Said:
        """The sentence for an open choice, or for a declaration beside a step, by actor ``who``."""
        return said("gm.log.shown", actor=name(who), card=self.card(choice))

    def begins(self, choice: Choice) -> bool:
        """Whether a choice begins a paragraph of the chronicle."""
        return False

    def held(self, holds: Mapping[str, Any]) -> Part:
        """The words for an overrule, from its JSON values."""
        return name(str(holds.get("what", "")))

    def followed(self, came: Consequence, shown: Mapping[str, Choice]) -> Sequence[Said]:
        """The sentences for a consequence by the rules; for an outcome, those of the stage.
        ``shown``: actor → card of the reveal that led to it."""
        return ()

    def deed(self, deed: Deed) -> Said:
        """The sentence for a deed of the story."""
        tell = _DEEDS.get(str(deed["do"]))
        return tell(self, deed) if tell else said("gm.deed", deed=name(str(deed["do"])))

    def scene(self, ruleset: str) -> Said:
        """The kind of a scene, such as *a conflict*."""
        return said("gm.log.a.scene")

    def left(self, step: str) -> Said:
        """The sentence that says what stays undecided if a scene is closed at this step."""
        return said("between.undecided.other")

    def standing(self, view: GameView) -> Iterator[Said]:
        """Yield lines about the state of a scene, with the result last."""
        yield from ()

    def story(self, view: StoryView, *, between: bool) -> Iterator[Said]:
        """The stakes, and whatever else of a story is not shown during a scene, a line each.
        ``between``: no scene is being played."""
        if view.stakes:
            yield said("gm.deed.stakes", rest=view.stakes)


def because(words: Words, word: Mapping[str, Any]) -> Said:
    """The sentence for an overrule with its reason. ``word`` is the overrule as JSON values."""
    return said("gm.because", text=words.held(word["holds"]), why=word["because"].removesuffix("."))


def _of_name(key: str) -> Callable[[Words, Deed], Said]:
    return lambda words, deed: said(key, name=name(deed["name"]))


def _stakes(words: Words, deed: Deed) -> Said:
    at_stake = deed.get("words", "")
    return said("gm.deed.stakes", rest=at_stake) if at_stake else said("gm.deed.stakes.none")


def _wish(words: Words, deed: Deed) -> Said:
    who, wants = name(deed["name"]), deed.get("wants")
    if wants is None:
        return said("gm.deed.wish.none", name=who)
    return said("gm.deed.wish", name=who, rest=words.deed(wants))


def _decline(words: Words, deed: Deed) -> Said:
    who, why = name(deed["name"]), deed.get("because", "")
    key = "gm.deed.decline.because" if why else "gm.deed.decline"
    return said(key, name=who, because=why)


_DEEDS: Mapping[str, Callable[[Words, Deed], Said]] = {
    "begin-countdown": _of_name("gm.deed.countdown.new"),
    "mark-countdown": _of_name("gm.deed.countdown.mark"),
    "unmark-countdown": _of_name("gm.deed.countdown.unmark"),
    "erase-countdown": _of_name("gm.deed.countdown.erase"),
    "stakes": _stakes,
    "wish": _wish,
    "decline": _decline,
    "overrule": lambda words, deed: said("gm.log.overrule", text=because(words, deed)),
}
"""The deeds of any story, by ``do``: each with the function that puts it into words."""
