"""The state of a problem, frozen, and what follows from it alone: who decides, what it costs.

Ref: Problems, of Unroll and of the second Iron Triangle; the first text goes by the second (R13).
"""

from collections.abc import Iterator, Mapping
from enum import IntEnum, StrEnum

from msgspec import Struct
from msgspec.structs import replace

from hub.games.triangle.reasons import Reason
from hub.games.triangle.rules.edition import Edition
from hub.kernel.faults import MAX_NUMBER, is_name, shown

# book: backgrounds.in-play
NEW_BACKGROUND = "to be named"
"""What a background is called that is decided in play, until its player names it."""


# book: problems.numbers
class Option(IntEnum):
    """The four options by number of fingers."""

    IDEA = 1
    BACKGROUND = 2
    COMPLICATION = 3
    FAILURE = 4


class Way(StrEnum):
    """What an outcome is told with."""

    IDEA = "idea"
    BACKGROUND = "background"
    BELIEF = "belief"
    FLAW = "flaw"


# book: idea.free, complication.belief-first, failure.flaw-first
WAYS: Mapping[Option, tuple[Way, ...]] = {
    Option.IDEA: (Way.IDEA,),
    Option.BACKGROUND: (Way.BACKGROUND,),
    Option.COMPLICATION: (Way.BELIEF, Way.FLAW),
    Option.FAILURE: (Way.FLAW, Way.BELIEF),
}
"""What each option can be told with, the typical way first."""


class Means(Struct, frozen=True):
    """With what an outcome was told."""

    way: Way
    background: str = ""

    def __str__(self) -> str:
        return f"{self.way} {self.background}".rstrip()


class Player(Struct, frozen=True):
    """What a player character can use, as its sheet says."""

    backgrounds: Mapping[str, int]
    """Points left by background."""
    undecided: int
    """Points whose background is still to be decided."""
    belief: bool
    """Whether the belief can be used: it is not marked."""
    flaw: bool
    veto: bool
    """Whether the veto is left."""
    decided: int
    """The number of the problem that it decided last; 0 for never."""

    def has(self, way: Way) -> bool:
        """Whether anything is left of it."""
        if way is Way.BACKGROUND:
            return self.undecided > 0 or any(self.backgrounds.values())
        return {Way.BELIEF: self.belief, Way.FLAW: self.flaw}.get(way, True)

    def background(self, name: str) -> str:
        """The background under the spelling of the sheet; as it is, if it is a new one."""
        same = (known for known in self.backgrounds if known.casefold() == name.casefold())
        return next(same, name)


class Because(StrEnum):
    """Why it is for somebody to decide a problem (R13)."""

    HIGHEST = "highest"
    """Nobody else has shown as high a number."""
    ONES_AND_FOURS = "ones-and-fours"
    """There are only 1s and 4s, and a 1 goes first."""
    LONGEST_AGO = "longest-ago"
    """Of several who are level it decided a problem least recently."""
    TIED = "tied"
    """Nobody does yet: several are level in that, too."""
    NAMED = "named"
    """The GM has named one of those."""
    PASSED_ON = "passed-on"
    """Whoever came before has told nothing."""
    RULED = "ruled"
    """By the GM's word, whatever was shown (R11)."""
    NOBODY = "nobody"
    """Nobody is left: the GM decides."""


class Change(Struct, frozen=True):
    """What a problem changes on a sheet."""

    background: str = ""
    """The background of which a point is spent."""
    belief: bool = False
    flaw: bool = False
    veto: bool = False
    decided: int = 0
    """The number under which it is remembered who decided."""


class ProblemState(Struct, frozen=True, kw_only=True):
    """A problem at one moment."""

    book: Edition
    problem: str
    """What stands in the way."""
    players: Mapping[str, Player]
    interested: tuple[str, ...]
    left: tuple[str, ...] = ()
    """Who was interested, and has left before the numbers were shown."""
    options: Mapping[str, Option] | None = None
    """By character, once revealed."""
    refused: tuple[str, ...] = ()
    """Deciders that could not, or would not, tell an outcome within the rules."""
    named: str = ""
    """Whom the GM named in a tie."""
    ruled: str = ""
    """Who decides by the GM's word, whatever numbers were shown (R11)."""
    told: Means | None = None
    vetoer: str = ""
    substitute: Means | None = None
    let_happen: tuple[str, ...] = ()
    """Those who have said that they do not veto what was told."""
    stands: bool = False
    """Whether play has moved on without a veto."""
    gm_success: bool | None = None
    """What the GM decided, after everybody refused or by overruling."""


# book: problems.higher-decides, problems.one-beats-four, problems.ties, problems.one-one-four
# book: problems.no-exception
def candidates(state: ProblemState) -> tuple[str, ...]:
    """Those who could decide now: alone, or tied; nobody once all have refused, or the GM has
    said how it comes out.

    Among the highest number shown (in Unroll a 1 if there are only 1s and 4s), the one who
    decided a problem least recently; before all the one whom the GM's word names (R11).
    """
    left = _left(state)
    if state.ruled in left:
        return (state.ruled,)
    if not left or state.gm_success is not None:
        return ()
    level = _level(state)
    least = min(state.players[name].decided for name in level)
    return tuple(name for name in level if state.players[name].decided == least)


def _left(state: ProblemState) -> list[str]:
    """Those who have shown a number and have not passed it on."""
    return [name for name in state.options or {} if name not in state.refused]


def _ones_first(state: ProblemState) -> bool:
    shown_now = {*(state.options or {}).values()}
    return state.book.ones_beat_fours and shown_now == {Option.IDEA, Option.FAILURE}


def _level(state: ProblemState) -> list[str]:
    """Of those who are left the ones whose number goes first."""
    options, left = state.options or {}, _left(state)
    best = (min if _ones_first(state) else max)(options[name] for name in left)
    return [name for name in left if options[name] == best]


def because(state: ProblemState) -> tuple[Because, ...]:
    """Why it is for the :func:`decider` to decide, or for nobody yet; empty before the numbers."""
    if state.options is None:
        return ()
    left = _left(state)
    if state.ruled in left:
        return (Because.RULED,)
    if not left or state.gm_success is not None:
        return (Because.NOBODY,)
    found = [Because.PASSED_ON] if state.refused else []
    if _ones_first(state):
        found.append(Because.ONES_AND_FOURS)
    tied = candidates(state)
    if len(tied) > 1:
        found.append(Because.NAMED if state.named in tied else Because.TIED)
    elif len(_level(state)) > 1:
        found.append(Because.LONGEST_AGO)
    return tuple(found) or (Because.HIGHEST,)


# book: problems.three-four, problems.one-four, problems.one-two-four
def decider(state: ProblemState) -> str | None:
    """Who decides; None before the numbers, in a tie, and when all have refused."""
    tied = candidates(state)
    if len(tied) == 1:
        return tied[0]
    return state.named if state.named in tied else None


# book: using-veto.any-outcome, using-veto.no-veto-of-veto
def vetoers(state: ProblemState) -> tuple[str, ...]:
    """Everybody who can veto the outcome that was told."""
    silent = {decider(state), *state.let_happen}
    return tuple(
        name for name, player in state.players.items() if player.veto and name not in silent
    )


# book: belief.marked, flaw.marked, background.point-needed, complication.unmarked, failure.unmarked
def why_not_means(player: Player, ways: tuple[Way, ...], means: Means) -> Reason | None:
    """Why an outcome cannot be told with this."""
    if means.way not in ways:
        return Reason("told-with", ways=[*ways], way=means.way)
    if not player.has(means.way):
        if means.way is Way.BACKGROUND:
            return Reason("no-background-left")
        return Reason("trait-used-up", trait=means.way)
    if means.way is Way.BACKGROUND:
        return _why_not_background(player, means.background)
    return Reason("alone", what=means.way) if means.background else None


def _why_not_background(player: Player, name: str) -> Reason | None:
    known = [background for background, left in player.backgrounds.items() if left]
    left = player.backgrounds.get(player.background(name))
    if left is None and player.undecided:
        return None if is_name(name) else Reason("name-background")
    if left:
        return None
    return Reason("background-used-up", name=shown(name), names=[*known] or Reason("none"))


def parse_means(text: str) -> Means | None:
    """``idea``, ``background NAME``, ``belief`` or ``flaw``; None for anything else."""
    word, _, name = text.partition(" ")
    return Means(Way(word), name) if word in [*Way] else None


def means_of(player: Player, text: str) -> Means:
    """What an allowed written form stands for, under the spelling of the sheet."""
    way, _, name = text.partition(" ")
    return Means(Way(way), name and player.background(name))


def background_means(player: Player) -> Iterator[str]:
    """Every background, spent ones too, and one that is decided now, as written forms."""
    names = [*player.backgrounds]
    if player.undecided:
        unnamed = (NEW_BACKGROUND, *(f"{NEW_BACKGROUND} {n}" for n in range(2, 9)))
        names.append(next(name for name in unnamed if player.background(name) not in names))
    return (f"{Way.BACKGROUND} {name}" for name in names)


# book: background.point, complication.marked, failure.marked, using-veto.no-cost
def changes(state: ProblemState) -> dict[str, Change]:
    """What changes on whose sheet now that it is over. A vetoed choice costs nothing, and only
    the outcome that holds counts as decided (R13)."""
    by, means = decider(state), state.told
    if state.vetoer:
        by, means = state.vetoer, state.substitute
    if by is None or means is None:
        return {}
    last = max(player.decided for player in state.players.values())
    number = min(last + 1, MAX_NUMBER)
    cost = Change(veto=bool(state.vetoer), decided=number)
    if means.way is Way.BACKGROUND:
        return {by: replace(cost, background=means.background)}
    return {by: replace(cost, belief=means.way is Way.BELIEF, flaw=means.way is Way.FLAW)}
