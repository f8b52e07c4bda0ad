"""A tale and its challenges (C8, C14), as immutable values."""

from msgspec import Struct
from msgspec.structs import replace

from hub.games.tricube.reasons import Reason, Refused
from hub.games.tricube.rules.character import Absent, Character, Lasts
from hub.kernel.faults import shown

# book: challenges.difficulty, foes.difficulty
DIFFICULTIES = (4, 5, 6)
"""The difficulties: easy, standard, hard."""
STANDARD = 5


# book: challenges.tokens, foes.tokens, foes.group
class Challenge(Struct, frozen=True):
    """A challenge of this scene.

    ``left`` is the number of effort tokens that remain. ``deadly``: the players were warned that a
    character could die. ``over``: it is overcome. ``bypassed`` are the characters that got past it
    without a roll, in that order.
    """

    difficulty: int = STANDARD
    effort: int = 0
    left: int = 0
    deadly: bool = False
    over: bool = False
    bypassed: tuple[str, ...] = ()

    # book: challenges.tokens, challenges.together, c8.one-success, c16.spare
    def worked_at(self, hits: int) -> tuple["Challenge", int]:
        """The challenge after a roll with these hits that was no defense, and the number of effort
        tokens removed. Hits beyond the last token are spare: the challenge stays overcome (C16)."""
        removed = min(hits, self.left)
        left = self.left - removed
        over = left == 0 and (hits > 0 or self.over)
        return replace(self, left=left, over=over), removed


_WHO = "who"


class Tale(Struct, frozen=True):
    """The state of a tale. ``characters`` are in table order, ``challenges`` are those of this
    scene in the order they came. ``defended`` has the characters that have rolled a defense in this
    turn."""

    characters: dict[str, Character]
    challenges: dict[str, Challenge] = {}
    defended: frozenset[str] = frozenset()

    def there(self) -> tuple[str, ...]:
        """The characters that take part in this scene."""
        return tuple(who for who, each in self.characters.items() if each.there)

    def able(self, who: str, part: str | tuple[str | int, ...] = _WHO) -> Character:
        """The character, if it takes part in this scene. Raises :class:`Refused` otherwise."""
        found = self.named(who, part)
        match found.absent:
            case Absent.DEAD:
                raise Refused(part, Reason("tale-dead", who=who))
            case Absent.RETIRED:
                raise Refused(part, Reason("tale-retired", who=who))
            case Absent.OUT:
                raise Refused(part, Reason("tale-out", who=who))
            case None:
                return found

    def living(self, who: str, part: str | tuple[str | int, ...] = _WHO) -> Character:
        """The character, if it is not dead. Raises :class:`Refused` otherwise."""
        found = self.named(who, part)
        if found.dead:
            raise Refused(part, Reason("tale-dead", who=who))
        return found

    def named(self, who: str, part: str | tuple[str | int, ...] = _WHO) -> Character:
        """The character with this name. Raises :class:`Refused` if there is none."""
        if who not in self.characters:
            why = Reason("no-character-of-tale", who=shown(who), names=[*self.characters])
            raise Refused(part, why)
        return self.characters[who]

    def met(self, name: str, part: str | tuple[str | int, ...] = "challenge") -> Challenge:
        """A challenge of this scene, overcome or not. Raises :class:`Refused` if there is none."""
        found = self.challenges.get(name)
        if found is None:
            why = Reason(
                "no-challenge", text=shown(name), names=[*self.challenges] or Reason("none")
            )
            raise Refused(part, why)
        return found

    def standing(self, name: str, part: str | tuple[str | int, ...] = "challenge") -> Challenge:
        """A challenge of this scene that is not overcome. Raises :class:`Refused` otherwise."""
        found = self.met(name, part)
        if found.over:
            raise Refused(part, Reason("challenge-overcome", text=shown(name)))
        return found

    def put(self, who: str, character: Character) -> "Tale":
        """The tale with the character ``who`` replaced."""
        return replace(self, characters=self.characters | {who: character})

    # book: challenges.difficulty, challenges.tokens, foes.*
    def begin_challenge(
        self, name: str, difficulty: int = STANDARD, effort: int = 0, *, deadly: bool = False
    ) -> "Tale":
        """The tale with a challenge added to the scene. Rolls must remove its ``effort`` tokens; if
        it has none, one success overcomes it. Raises :class:`Refused`."""
        if name in self.challenges:
            raise Refused("name", Reason("challenge-there", text=shown(name)))
        check_difficulty(difficulty)
        challenge = Challenge(difficulty, effort, effort, deadly)
        return self.with_challenge(name, challenge)

    def with_challenge(self, name: str, challenge: Challenge) -> "Tale":
        """The tale with this challenge added or replaced."""
        return replace(self, challenges=self.challenges | {name: challenge})


def check_difficulty(difficulty: int) -> None:
    """Raise :class:`Refused` unless it is 4, 5 or 6."""
    if difficulty not in DIFFICULTIES:
        least, *_, most = DIFFICULTIES
        raise Refused("difficulty", Reason("number-from-to", least=least, most=most))


Gone = dict[str, tuple[str, ...]]
"""Character → its afflictions that ended with a scene; characters without any are left out."""


# book: turns.one-defense
def next_turn(tale: Tale) -> Tale:
    """The tale at the beginning of the next turn, in which each character may defend again."""
    return replace(tale, defended=frozenset())


# book: defeat.out, recovery.scene, c10.fate, c14.scene
def next_scene(tale: Tale) -> tuple[Tale, Gone]:
    """The tale at the beginning of the next scene, and the afflictions that ended. Characters that
    were out return, afflictions for the scene end, challenges are cleared (C14). The afflictions of
    the dead stay."""
    gone: Gone = {}
    characters = dict(tale.characters)
    for who, each in tale.characters.items():
        if not each.dead:
            left = tuple(a for a in each.afflictions if a.lasts is not Lasts.SCENE)
            characters[who] = replace(each, afflictions=left, out=False)
            if ended := tuple(a.name for a in each.afflictions if a not in left):
                gone[who] = ended
    return Tale(characters), gone


# book: c14.session
def next_session(tale: Tale) -> tuple[Tale, Gone]:
    """The tale at the beginning of the next session, and the afflictions that ended. A new scene
    begins, and the living have all karma and resolve (C14)."""
    tale, gone = next_scene(tale)
    characters = {
        who: each if each.dead else replace(each, karma=each.karma_max, resolve=each.resolve_max)
        for who, each in tale.characters.items()
    }
    return replace(tale, characters=characters), gone
