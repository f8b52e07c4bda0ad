"""The sentences for a story's deeds and for overrules, made from their values in the journal."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from hub.games.telling import Deed
from hub.games.triangle.naming import choice_name, move_name, side_name, special_name
from hub.games.triangle.rules.edition import Action
from hub.kernel.texts import Part, Said, name, said

_Sayer = Callable[[Any], Part]


def deed_told(deed: Deed) -> Said | None:
    """The sentence for a deed that only the three books have; None for a deed that every story
    has."""
    tell = _DEEDS.get(deed["do"])
    return tell(deed) if tell else None


def _points(deed: Deed) -> Said:
    return said("card.points", type=Said(deed["type"]), points=deed.get("points", 0))


def _recover(deed: Deed) -> Said:
    what = [name(deed["name"]), *([_points(deed)] if deed.get("type") else [])]
    return said("gm.deed.recover", rest=what)


def _level_up(deed: Deed) -> Said:
    return said("gm.deed.level-up", name=name(deed["name"]), rest=[*_lesson(deed["choices"])])


def _lesson(choices: Mapping[str, Any]) -> Iterator[Part]:
    """The parts of the sentence that say what a level-up has taught, and what was chosen with
    it."""
    if move := choices.get("move"):
        yield move_name(move)
    if variant := choices.get("variant"):
        yield move_name(f"{variant['id']} {variant.get('variant', '')}".rstrip())
    for combo in choices.get("combos", ()):
        start, move = move_name(combo["start"]), move_name(combo["move"])
        yield said("gm.level.combo", start=start, move=move)
    if energy := choices.get("energy"):
        yield said("gm.level.energy", type=Said(energy))
    if special := choices.get("special"):
        yield special_name(special)
    if called := choices.get("called"):
        yield said("gm.level.named", called=called)
    if regain := choices.get("regain"):
        yield Said(f"gm.regain.{regain}")
    yield from (choices[trait] for trait in ("goal", "belief", "flaw") if choices.get(trait))


def _named(key: str, **says: _Sayer) -> Callable[[Deed], Said]:
    """The function that makes the sentence ``key`` for a deed about a character. ``says``: key of a
    further value in the deed → the function that names the value."""
    return lambda deed: said(
        key, name=name(deed["name"]), **{at: say(deed[at]) for at, say in says.items()}
    )


_DEEDS: Mapping[str, Callable[[Deed], Said]] = {
    "rest": lambda deed: Said(f"gm.deed.rest.{deed['kind']}"),
    "recover": _recover,
    "lose": lambda deed: said("gm.deed.lose", rest=[name(deed["name"]), _points(deed)]),
    "mark": lambda deed: said(f"gm.deed.mark.{deed['trait']}", name=name(deed["name"])),
    "unmark": lambda deed: said(f"gm.deed.unmark.{deed['trait']}", name=name(deed["name"])),
    "rename": _named("gm.deed.rename", move=move_name, called=str),
    "rewrite": lambda deed: said(
        "gm.deed.rewrite",
        name=name(deed["name"]), what=Said(f"gm.{deed['trait']}"), words=deed["words"],
    ),
    "background": _named("gm.deed.background", background=str, called=str),
    "level-up": _level_up,
    "replace": lambda deed: said(
        "gm.deed.replace", dead=name(deed["name"]), fresh=name(deed["by"])
    ),
    "join": lambda deed: said("gm.deed.join", rest=name(deed["name"])),
}  # fmt: skip


def holds_told(holds: Mapping[str, Any]) -> Part:
    """The content of an overrule in words, such as *Ada: Attack 3, Defend 2 and Grapple 1*."""
    what = str(holds["what"])
    parts = [*([] if what in _PLAIN else [_what(what)]), *_values(what, holds)]
    if "name" not in holds:
        return said("gm.held.is", parts=parts)
    return said("gm.held.of", name=name(holds["name"]), parts=parts)


_PLAIN = (
    "energy", "turn", "end", "combo", "option", "special", "out", "dead", "sits-out", "outcome",
)  # fmt: skip
"""The overrules of which only the values are told, not what they are about."""


def _what(what: str) -> Said:
    return Said("gm.at-zero" if what == "zero" else f"gm.holds.{what}")


def _values(what: str, holds: Mapping[str, Any]) -> Iterator[Part]:
    for key, value in holds.items():
        if key in ("what", "name") or (key == "cards" and not value):
            continue
        if key == "energy":
            points = [said("card.points", type=Said(a), points=value.get(a, 0)) for a in Action]
            yield said("list", items=points)
        elif isinstance(value, bool):
            yield Said(f"gm.flag.{key}.{'yes' if value else 'no'}")
        elif isinstance(value, list | tuple):
            yield _several(_SAYS.get(key, name), value)
        elif isinstance(value, int) and key != "option":
            yield said("gm.held.number", what=Said(f"gm.field.{key}"), number=value)
        else:
            yield _SAYS.get("side" if what == "end" else key, name)(value)


def _several(say: _Sayer, values: list[Any] | tuple[Any, ...]) -> Said:
    each = [say(value) for value in values]
    return said("list", items=each) if each else Said("gm.change.nothing")


def _played(card: Mapping[str, str]) -> Said:
    return said("gm.log.shown", actor=name(card["name"]), card=move_name(card["move"]))


_SAYS: Mapping[str, _Sayer] = {
    "moves": move_name,
    "special": special_name,
    "types": Said,
    "rests": lambda rest: Said(f"gm.rest.{rest}"),
    "option": lambda number: said(
        "gm.held.option", number=number, option=choice_name("option", str(number))
    ),
    "background": str,
    "against": lambda victim: (
        said("gm.holds.against", name=name(victim)) if victim else Said("gm.holds.no-combo")
    ),
    "cards": _played,
    "winner": lambda winner: (
        Said("tie") if winner is None else said("gm.overrule.won", name=name(winner))
    ),
    "side": lambda side: (
        Said("gm.overrule.nobody") if side is None else said("over", side=side_name(side))
    ),
}
"""Key of a value in an overrule → how the value is told; a name by default."""
