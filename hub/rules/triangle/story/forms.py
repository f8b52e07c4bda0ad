"""What the GM can say between scenes, as forms (R11)."""

from collections.abc import Callable, Iterable, Mapping

from hub.rules.forms import Field, Option, each_of, flag, number, one, several
from hub.rules.triangle.characters.sheet import Sheet
from hub.rules.triangle.edition import Action
from hub.rules.triangle.overrule import word as w
from hub.rules.triangle.overrule.forms import energy_fields
from hub.rules.triangle.story import deed as d
from hub.rules.triangle.story.overrules import LESSER, OF_PLAYERS
from hub.rules.triangle.story.state import StoryState
from hub.rules.words import Holds, tag


def forms(state: StoryState) -> tuple[Option, ...]:
    """What can be said, by ``what``, with its fields."""
    found = []
    for kind, fields in _FIELDS.items():
        of = (s for s in state.sheets.values() if not (s.npc and kind in OF_PLAYERS))
        found.append(Option(tag(kind), _form(of, fields)))
    return (*(each for each in found if each.fields), Option(tag(d.AnotherRest)))


def _form(
    sheets: Iterable[Sheet], fields: Callable[[Sheet], tuple[Field, ...]]
) -> tuple[Field, ...]:
    """What is said of somebody of these, as far as there is something."""
    able = {sheet.name: said for sheet in sheets if (said := fields(sheet))}
    return each_of(able, able.__getitem__)


def _specials(sheet: Sheet) -> tuple[Field, ...]:
    uses = {each.id: (flag("used", first=not each.used),) for each in sheet.specials}
    return (one("special", "special", uses),) if uses else ()


def _backgrounds(sheet: Sheet) -> tuple[Field, ...]:
    left = {b.name: (number("left", first=b.left, most=b.points),) for b in sheet.backgrounds}
    return (one("background", "background", left),) if left else ()


_FIELDS: Mapping[type[Holds], Callable[[Sheet], tuple[Field, ...]]] = {
    w.EnergyIs: lambda sheet: energy_fields(sheet.energy, sheet.max),
    d.ZeroIs: lambda sheet: (several("types", "type", Action, sheet.zero),),
    w.DeadIs: lambda sheet: (flag("dead", first=not sheet.dead),),
    w.SpecialIs: _specials,
    d.SitsOutIs: lambda sheet: (flag("sits_out", first=sheet.sits_out),),
    d.VetoIs: lambda sheet: (flag("left", first=sheet.veto),),
    d.BackgroundIs: _backgrounds,
    d.RestedIs: lambda sheet: (several("rests", "rest", LESSER, sheet.rested),),
}
