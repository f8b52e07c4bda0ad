"""The frozen state of a problem, and what follows from it: who decides, and what that costs.

Ref: Problems, of Unroll and of the second Iron Triangle; the first text uses the second's (R13).
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
"""The name of a background that is decided in play, until its player names it."""


# book: problems.numbers
class Option(IntEnum):
    """The four options, by the number that a player shows."""

    IDEA = 1
    BACKGROUND = 2
    COMPLICATION = 3
    FAILURE = 4


class Way(StrEnum):
    """The means by which an outcome can be told."""

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
"""Option → ways to tell its outcome, the usual one first."""


class Means(Struct, frozen=True):
    """The means by which an outcome was told."""

    way: Way
    background: str = ""

    def __str__(self) -> str:
        return f"{self.way} {self.background}".rstrip()


class Player(Struct, frozen=True):
    """The part of a player character's sheet that counts in a problem."""

    backgrounds: Mapping[str, int]
    """Background → points left."""
    undecided: int
    """Points that are not assigned to a background yet."""
    belief: bool
    """Whether the belief is unmarked, and so can be used."""
    flaw: bool
    veto: bool
    """Whether the character still has its veto."""
    decided: int
    """The number of the problem that the character decided last; 0 if it has decided none."""

    def has(self, way: Way) -> bool:
        """Whether the character can still tell an outcome in this way."""
        if way is Way.BACKGROUND:
            return self.undecided > 0 or any(self.backgrounds.values())
        return {Way.BELIEF: self.belief, Way.FLAW: self.flaw}.get(way, True)

    def background(self, name: str) -> str:
        """Return the sheet's spelling of a background; a new name is returned unchanged."""
        same = (known for known in self.backgrounds if known.casefold() == name.casefold())
        return next(same, name)


class Because(StrEnum):
    """Why a character decides a problem (R13)."""

    HIGHEST = "highest"
    """No other character has shown a number as high."""
    ONES_AND_FOURS = "ones-and-fours"
    """Only 1s and 4s were shown, so that a 1 decides."""
    LONGEST_AGO = "longest-ago"
    """Of those with the same number, this character decided a problem least recently."""
    TIED = "tied"
    """There is no decider yet, because several with the same number decided equally long ago."""
    NAMED = "named"
    """The GM has chosen this character from those who are tied."""
    PASSED_ON = "passed-on"
    """An earlier decider has refused, was passed over or left."""
    RULED = "ruled"
    """The GM has named this character regardless of the numbers (R11)."""
    NOBODY = "nobody"
    """No character decides, because none is left or the GM has set the outcome."""


class Change(Struct, frozen=True):
    """The changes that a problem makes on a character's sheet. ``belief``, ``flaw`` and ``veto``
    say whether each was used."""

    background: str = ""
    """The background that loses a point."""
    belief: bool = False
    flaw: bool = False
    veto: bool = False
    decided: int = 0
    """The number of this problem, kept on the sheet as the last one that the character decided."""


class ProblemState(Struct, frozen=True, kw_only=True):
    """A problem at one moment."""

    book: Edition
    problem: str
    """The obstacle that the characters face, in the GM's words."""
    players: Mapping[str, Player]
    interested: tuple[str, ...]
    left: tuple[str, ...] = ()
    """Interested characters whose players left before the numbers were shown."""
    options: Mapping[str, Option] | None = None
    """Character → number shown; None before the reveal."""
    refused: tuple[str, ...] = ()
    """Characters who do not decide any more: they refused, were passed over or left."""
    named: str = ""
    """The character that the GM named in a tie; empty if none."""
    ruled: str = ""
    """The decider that the GM named by an overrule, regardless of the numbers (R11); empty if
    none."""
    told: Means | None = None
    """The means of the outcome that the decider has told."""
    vetoer: str = ""
    substitute: Means | None = None
    """The means of the outcome that the vetoer has told in place of the vetoed one."""
    let_happen: tuple[str, ...] = ()
    """Characters who have declined to veto."""
    stands: bool = False
    """Whether the GM has gone on, so that the outcome can no longer be vetoed."""
    gm_success: bool | None = None
    """Whether the GM's outcome is a success, after all have refused or by an overrule; None if the
    GM has told no outcome."""


# book: problems.higher-decides, problems.one-beats-four, problems.ties, problems.one-one-four
# book: problems.no-exception
def candidates(state: ProblemState) -> tuple[str, ...]:
    """Return the decider, or all who are tied; empty once all have refused, or the GM has set the
    outcome.

    If the GM has named the decider in an overrule, that counts (R11). Otherwise it is, of those
    with the highest number (in Unroll a 1 if there are only 1s and 4s), the one who decided a
    problem least recently.
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
    """Characters who have shown a number and may still decide."""
    return [name for name in state.options or {} if name not in state.refused]


def _ones_first(state: ProblemState) -> bool:
    shown_now = {*(state.options or {}).values()}
    return state.book.ones_beat_fours and shown_now == {Option.IDEA, Option.FAILURE}


def _level(state: ProblemState) -> list[str]:
    """The remaining characters with the number that decides."""
    options, left = state.options or {}, _left(state)
    best = (min if _ones_first(state) else max)(options[name] for name in left)
    return [name for name in left if options[name] == best]


def because(state: ProblemState) -> tuple[Because, ...]:
    """Return why the :func:`decider` decides, or why there is none; empty before the reveal."""
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
    """Return who decides. None before the reveal, in a tie until the GM names one of those tied,
    and once all have refused or the GM has set the outcome."""
    tied = candidates(state)
    if len(tied) == 1:
        return tied[0]
    return state.named if state.named in tied else None


# book: using-veto.any-outcome, using-veto.no-veto-of-veto
def vetoers(state: ProblemState) -> tuple[str, ...]:
    """Return all who can still veto the outcome that was told."""
    silent = {decider(state), *state.let_happen}
    return tuple(n for n, player in state.players.items() if player.veto and n not in silent)


# book: belief.marked, flaw.marked, background.point-needed, complication.unmarked, failure.unmarked
def why_not_means(player: Player, ways: tuple[Way, ...], means: Means) -> Reason | None:
    """Why ``player`` cannot tell an outcome with ``means``, where ``ways`` are allowed; None if it
    can."""
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
    """Parse ``idea``, ``background NAME``, ``belief`` or ``flaw``; None for anything else."""
    word, _, name = text.partition(" ")
    return Means(Way(word), name) if word in [*Way] else None


def means_of(player: Player, text: str) -> Means:
    """Parse the written form of means that are allowed; a background gets the sheet's spelling."""
    way, _, name = text.partition(" ")
    return Means(Way(way), name and player.background(name))


def background_means(player: Player) -> Iterator[str]:
    """Return the written means for each background, and for a new one if points are undecided."""
    names = [*player.backgrounds]
    if player.undecided:
        unnamed = (NEW_BACKGROUND, *(f"{NEW_BACKGROUND} {n}" for n in range(2, 9)))
        names.append(next(name for name in unnamed if player.background(name) not in names))
    return (f"{Way.BACKGROUND} {name}" for name in names)


# book: background.point, complication.marked, failure.marked, using-veto.no-cost
def changes(state: ProblemState) -> dict[str, Change]:
    """Return the changes of a problem that is over: character → changes. A vetoed outcome costs
    nothing, and only the character whose outcome stands counts as having decided (R13)."""
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
