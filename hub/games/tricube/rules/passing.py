"""How a turn, a scene and a session go by (``RULES.md`` C8, C14)."""

from msgspec.structs import replace

from hub.games.tricube.rules.character import Character, Lasts
from hub.games.tricube.rules.tale import Tale

Gone = dict[str, tuple[str, ...]]
"""Whose afflictions have ended with a scene, and which; whoever had none is left out."""


# book: turns.one-defense
def next_turn(tale: Tale) -> Tale:
    """Defense rolls are counted anew."""
    return replace(tale, defended=frozenset())


# book: defeat.out, recovery.scene, c10.fate, c14.scene
def next_scene(tale: Tale) -> tuple[Tale, Gone]:
    """Who was out is back, what lasts for a scene is gone, challenges are cleared (C14). Nothing of
    the kind ends for the dead."""
    gone: Gone = {}
    for who, each in tale.characters.items():
        if not each.dead and (ended := tuple(a.name for a in each.afflictions if _ends(a.lasts))):
            gone[who] = ended
    characters = {who: _rested(each) for who, each in tale.characters.items()}
    return Tale(characters), gone


# book: c14.session
def next_session(tale: Tale) -> tuple[Tale, Gone]:
    """A new scene, and karma and resolve of all that live are at their maximum (C14)."""
    tale, gone = next_scene(tale)
    characters = {
        who: each if each.dead else replace(each, karma=each.karma_max, resolve=each.resolve_max)
        for who, each in tale.characters.items()
    }
    return replace(tale, characters=characters), gone


def _ends(lasts: Lasts) -> bool:
    return lasts is Lasts.SCENE


def _rested(character: Character) -> Character:
    if character.dead:
        return character
    left = tuple(each for each in character.afflictions if not _ends(each.lasts))
    return replace(character, afflictions=left, out=False)
