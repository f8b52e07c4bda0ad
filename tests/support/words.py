"""The GM's word in tests: said as text, which is read into values as logs of 0.1.0 are, and done
with what the journal would keep of it."""

from typing import Any

import msgspec

from hub.games.game import IllegalChoice, Word


def kept(word: Word) -> Word:
    """As it reads from a journal."""
    return msgspec.json.decode(msgspec.json.encode(word), type=Word)


def overruled(game: Any, state: Any, text: str) -> Any:
    """What the rules make of ``WHAT because WHY``. Raises :class:`IllegalChoice`."""
    word = kept(game.word(state, text))
    assert kept(game.word(state, word)) == word, "values are kept as they are"
    return game.overrule(state, word)


def why_not(game: Any, state: Any, text: str) -> str | None:
    """Why it cannot be said; None if it can."""
    try:
        game.word(state, text)
    except IllegalChoice as error:
        return str(error)
    return None


def brief(deed: dict[str, Any]) -> str:
    """A deed in a few words: what is done, to whom, and what else it says."""
    return " ".join(str(each) for each in deed.values() if isinstance(each, str | int))
