"""The cards that a tale needs: approaches, perks, dice thrown by hand, difficulties."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from hub.games.game import TAKE_BACK, Choice
from hub.games.tricube.reasons import Reason
from hub.games.tricube.rules.roll import FACES
from hub.games.tricube.rules.tale import DIFFICULTIES
from hub.games.tricube.rules.written import read_characters
from hub.games.tricube.story.sheet import TaleSheet
from hub.kernel.documents import Document

APPROACH, KARMA, DIFFICULTY, DIE, ACCEPT, REGAIN = (
    *("approach", "karma", "difficulty", "die", "accept", "regain"),
)
PLAIN, QUIRK, NONE = "plain", "quirk", "none"
ANSWERS = ("yes", "no")
TOKENS = ("karma", "resolve")
KINDS = (APPROACH, KARMA, DIFFICULTY, DIE, ACCEPT, REGAIN)

Needed = tuple[Choice, Reason, int]


def now(ruleset: str, playing: Sequence[Any]) -> Iterator[Needed]:
    """The cards that a hand needs for the characters ``playing``, or the GM's hand if there are
    none: card, reason, copies."""
    if not playing:
        for difficulty in DIFFICULTIES:
            yield Choice(DIFFICULTY, str(difficulty)), Reason("card-gms"), 1
    yield Choice(APPROACH, PLAIN), Reason("card-of-roll"), 1
    for quirk, name in _each(playing, "quirks"):
        yield Choice(APPROACH, f"{QUIRK} {quirk}"), Reason("card-of", who=name), 1
    yield Choice(KARMA, NONE), Reason("card-of-roll"), 1
    for perk, name in _each(playing, "perks"):
        yield Choice(KARMA, perk), Reason("card-of", who=name), 1
    for token in TOKENS:
        yield Choice(REGAIN, token), Reason("card-of-roll"), 1
    for answer in ANSWERS:
        yield Choice(ACCEPT, answer), Reason("card-answer"), 1
    for face in FACES:
        yield Choice(DIE, str(face)), Reason("card-die"), 1
    yield TAKE_BACK, Reason("card-die"), 1


later = now


def _each(playing: Sequence[Any], what: str) -> Iterator[tuple[str, str]]:
    """Each quirk or perk (``what``) once, with the name of a character that has it."""
    found: dict[str, str] = {}
    for sheet in playing:
        for each in getattr(sheet, what):
            found.setdefault(each, sheet.name)
    yield from found.items()


def of_table(ruleset: str, game: Mapping[str, Any]) -> Iterable[tuple[str, Choice, Choice, Reason]]:
    """The cards that the whole table shares: none, because all cards belong to a hand."""
    return ()


def of_scene(ruleset: str, game: Mapping[str, Any]) -> Iterator[TaleSheet]:
    """The sheets of all characters in a scene's description, because each has its own perks and
    quirks."""
    given = game.get("characters", {})
    for name, each in read_characters(Document(game), given, ("characters",)).items():
        yield TaleSheet.called(name, each)


def unknown(ruleset: str, choice: Choice, playing: Sequence[Any]) -> Reason | None:
    """Why there is no card for ``choice``; None if there is. Perks and quirks may have any name,
    unless the characters ``playing`` have some: then only those count."""
    fixed = {
        DIFFICULTY: tuple(map(str, DIFFICULTIES)),
        DIE: tuple(map(str, FACES)),
        ACCEPT: ANSWERS,
        REGAIN: TOKENS,
    }
    if choice.kind in fixed:
        able = fixed[choice.kind]
        return None if choice.value in able else _none_such(choice, able)
    if choice.kind == KARMA and choice.value:
        perks = [perk for perk, _ in _each(playing, "perks")]
        known = not perks or choice.value in (*perks, NONE)
        return None if known else _none_such(choice, (*perks, NONE))
    if choice.kind == APPROACH:
        word, _, quirk = choice.value.partition(" ")
        quirks = [each for each, _ in _each(playing, "quirks")]
        own = word == QUIRK and quirk and (not quirks or quirk in quirks)
        if choice.value == PLAIN or own:
            return None
        return _none_such(choice, (PLAIN, *(f"{QUIRK} {each}" for each in quirks or ("…",))))
    return Reason("card-of-tale", what=str(choice), kinds=[*KINDS])


def _none_such(choice: Choice, able: Sequence[str]) -> Reason:
    return Reason("card-of-kind", what=str(choice), kind=choice.kind, names=[*able])
