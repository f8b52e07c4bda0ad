"""Overrules of a character: its tokens, quirks, afflictions, and whether it takes part."""

from collections.abc import Callable
from typing import Annotated, ClassVar

from msgspec import Meta
from msgspec.structs import replace

from hub.games.game import MAX_WORD_CHARS
from hub.games.overrules import Clause, Form, of_some
from hub.games.tricube.reasons import Reason, Refused
from hub.games.tricube.rules.character import Affliction, Character, Lasts
from hub.games.tricube.rules.overrules.things import HoldsOf
from hub.games.tricube.rules.roll import check_affliction, check_quirk
from hub.games.tricube.rules.said import MAX_NAME_CHARS, check_name
from hub.games.tricube.rules.table import Table
from hub.kernel.faults import shown
from hub.kernel.forms import Field, flag, number, one, words

MOST_TOKENS = 99
Tokens = Annotated[int, Meta(ge=0, le=MOST_TOKENS)]
Text = Annotated[str, Meta(max_length=MAX_WORD_CHARS)]


class TaleTokens(HoldsOf, frozen=True, kw_only=True, omit_defaults=True, tag="tokens"):
    """A character's karma and resolve are set, with their maxima; a missing value stays
    unchanged."""

    karma: Tokens | None = None
    karma_max: Tokens | None = None
    resolve: Tokens | None = None
    resolve_max: Tokens | None = None


class OutOfScene(HoldsOf, frozen=True, kw_only=True, tag="out"):
    """A character is ``out`` of this scene, or in it."""

    otherwise: ClassVar[str] = "in"
    out: bool = True


class DeadOrAlive(HoldsOf, frozen=True, kw_only=True, tag="dead"):
    """A character is ``dead``, or alive."""

    otherwise: ClassVar[str] = "alive"
    dead: bool = True


class HasAffliction(HoldsOf, frozen=True, kw_only=True, tag="affliction"):
    """A character has an affliction. ``lasts`` says for how long."""

    affliction: Text
    lasts: Lasts = Lasts.LONGER


class NoAffliction(HoldsOf, frozen=True, kw_only=True, tag="no-affliction"):
    """A character loses this affliction."""

    affliction: Text


class HasQuirk(HoldsOf, frozen=True, kw_only=True, tag="quirk"):
    """A character gets this quirk."""

    quirk: Text


class NoQuirk(HoldsOf, frozen=True, kw_only=True, tag="no-quirk"):
    """A character loses this quirk."""

    quirk: Text


def _tokens(state: Table, holds: TaleTokens) -> Table:
    """The table with a character's tokens set, within their maxima. Resolve set for a living
    character is at least one."""
    before = state.tale.named(holds.name, "name")
    after = replace(before, **holds.given())
    least = 0 if before.dead or holds.resolve is None else 1
    if after.resolve_max < 1:
        raise Refused("resolve_max", Reason("at-least-one"))
    if after.karma > after.karma_max:
        raise Refused("karma", Reason("number-from-to", least=0, most=after.karma_max))
    if not least <= after.resolve <= after.resolve_max:
        raise Refused("resolve", Reason("number-from-to", least=least, most=after.resolve_max))
    return _spared(_put(state, holds.name, after), holds.name)


def _spared(state: Table, who: str) -> Table:
    """The table with a pending defeat cancelled if the character has resolve again."""
    rolling = state.rolling
    if rolling is None or who not in rolling.defeated or who in rolling.fated:
        return state
    if not state.tale.characters[who].resolve:
        return state
    left = tuple(name for name in rolling.defeated if name != who)
    return replace(state, rolling=replace(rolling, defeated=left))


def _out(state: Table, holds: OutOfScene) -> Table:
    before = state.tale.living(holds.name, "name")
    return _put(state, holds.name, replace(before, out=holds.out))


def _dead(state: Table, holds: DeadOrAlive) -> Table:
    """The table with a character dead or alive. A character brought back to life without resolve
    gets the maximum."""
    before = state.tale.named(holds.name, "name")
    if before.dead == holds.dead:
        return state
    resolve = before.resolve or (0 if holds.dead else before.resolve_max)
    return _put(state, holds.name, replace(before, dead=holds.dead, resolve=resolve))


def _affliction(state: Table, holds: HasAffliction) -> Table:
    """The table with an affliction added, or with a new duration of an existing one."""
    before = state.tale.named(holds.name, "name")
    check_name(holds.affliction, "affliction")
    if holds.affliction in before.quirks:
        raise _called_so("affliction", holds.affliction, holds.name)
    now = Affliction(holds.affliction, holds.lasts)
    if before.affliction(holds.affliction):
        found = tuple(now if each.name == holds.affliction else each for each in before.afflictions)
    else:
        found = (*before.afflictions, now)
    return _put(state, holds.name, replace(before, afflictions=found))


def _no_affliction(state: Table, holds: NoAffliction) -> Table:
    before = state.tale.named(holds.name, "name")
    check_affliction(state.tale, holds.name, holds.affliction)
    return _put(state, holds.name, before.without_affliction(holds.affliction))


def _quirk(state: Table, holds: HasQuirk) -> Table:
    before = state.tale.named(holds.name, "name")
    check_name(holds.quirk, "quirk")
    if holds.quirk in before.quirks or before.affliction(holds.quirk):
        raise _called_so("quirk", holds.quirk, holds.name)
    return _put(state, holds.name, replace(before, quirks=(*before.quirks, holds.quirk)))


def _no_quirk(state: Table, holds: NoQuirk) -> Table:
    """The table with a quirk removed. A roll that began with the quirk keeps it."""
    before = state.tale.named(holds.name, "name")
    check_quirk(state.tale, holds.name, holds.quirk)
    left = tuple(each for each in before.quirks if each != holds.quirk)
    return _put(state, holds.name, replace(before, quirks=left))


def _put(state: Table, who: str, character: Character) -> Table:
    return replace(state, tale=state.tale.put(who, character))


def _called_so(part: str, text: str, who: str) -> Refused:
    return Refused(part, Reason("called-so-already", text=shown(text), who=who))


def _people(fields: Callable[[Character], tuple[Field, ...]]) -> Form[Table]:
    """A form to choose a character that has ``fields`` now, and fill them in."""
    return of_some(
        lambda state: state.tale.characters, lambda state, who: fields(state.tale.characters[who])
    )


def _tokens_form(one: Character) -> tuple[Field, ...]:
    return (
        number("karma", first=one.karma, most=MOST_TOKENS),
        number("karma_max", first=one.karma_max, most=MOST_TOKENS),
        number("resolve", first=one.resolve, least=int(bool(one.resolve)), most=MOST_TOKENS),
        number("resolve_max", first=one.resolve_max, least=1, most=MOST_TOKENS),
    )


def _name(key: str) -> Field:
    return words(key, most=MAX_NAME_CHARS, empty=Reason("is-missing"))


def _some_of(key: str, names: tuple[str, ...]) -> tuple[Field, ...]:
    return (one(key, key, names),) if names else ()


_LASTS = one("lasts", "lasts", [str(each) for each in Lasts], first=str(Lasts.LONGER))
CLAUSES: tuple[Clause[Table], ...] = (
    Clause(TaleTokens, _tokens, _people(_tokens_form)),
    Clause(OutOfScene, _out, _people(lambda c: () if c.dead else (flag("out", first=not c.out),))),
    Clause(DeadOrAlive, _dead, _people(lambda c: (flag("dead", first=not c.dead),))),
    Clause(HasAffliction, _affliction, _people(lambda _: (_name("affliction"), _LASTS))),
    Clause(
        NoAffliction,
        _no_affliction,
        _people(lambda c: _some_of("affliction", tuple(each.name for each in c.afflictions))),
    ),
    Clause(HasQuirk, _quirk, _people(lambda _: (_name("quirk"),))),
    Clause(NoQuirk, _no_quirk, _people(lambda c: _some_of("quirk", c.quirks))),
)
