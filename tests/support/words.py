"""The GM's overrules in tests: written as text, applied in the form that the journal would keep."""

from typing import Any

import msgspec

from hub.games.game import IllegalChoice, Word
from tests.support.said import word_of


def kept(word: Word) -> Word:
    """The overrule as read back from a journal."""
    return msgspec.json.decode(msgspec.json.encode(word), type=Word)


def overruled(game: Any, state: Any, text: str) -> Any:
    """The rules' result of ``WHAT because WHY``. Raises :class:`IllegalChoice`."""
    word = kept(game.word(state, word_of(state, text)))
    assert kept(game.word(state, word)) == word, "values are kept as they are"
    return game.overrule(state, word)


def why_not(game: Any, state: Any, text: str) -> str | None:
    """Why it is refused; None if it is allowed."""
    try:
        game.word(state, word_of(state, text))
    except IllegalChoice as error:
        return str(error)
    return None


def brief(deed: dict[str, Any]) -> str:
    """A deed in a few words: its kind, its target, and its other values."""
    return " ".join(str(each) for each in deed.values() if isinstance(each, str | int))
