"""The end of a turn, a scene and a session (``RULES.md`` C8, C14)."""

from msgspec.structs import replace

from hub.games.tricube.rules.character import Character, Lasts
from hub.games.tricube.rules.tale import Tale

Gone = dict[str, tuple[str, ...]]
"""Character → its afflictions that ended with a scene; characters without any are left out."""


# book: turns.one-defense
def next_turn(tale: Tale) -> Tale:
    """Begin the next turn: each character may defend again."""
    return replace(tale, defended=frozenset())


# book: defeat.out, recovery.scene, c10.fate, c14.scene
def next_scene(tale: Tale) -> tuple[Tale, Gone]:
    """Begin the next scene: characters that were out return, afflictions for the scene end,
    challenges are cleared (C14). The afflictions of the dead stay."""
    gone: Gone = {}
    for who, each in tale.characters.items():
        if not each.dead and (ended := tuple(a.name for a in each.afflictions if _ends(a.lasts))):
            gone[who] = ended
    characters = {who: _rested(each) for who, each in tale.characters.items()}
    return Tale(characters), gone


# book: c14.session
def next_session(tale: Tale) -> tuple[Tale, Gone]:
    """Begin the next session: a new scene, with karma and resolve of all living characters at their
    maximum (C14)."""
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
