"""The names of cards, points and sides of the three books, as texts of the catalogues."""

from hub.games.game import Choice
from hub.games.triangle.rules.edition import Action, Energy
from hub.kernel.texts import Part, Said, name, said

ELEMENTS = ("high", "mid", "low", "jump", "spin")
"""The books' own elements, which have names in the catalogues. Elements of house rules have only an
id."""
SIDES = ("players", "others")
"""The usual sides of a conflict, which have names in the catalogues."""
_ACTIONS = {*map(str, Action)}
_COPIED = " as "


def choice_name(kind: str, value: str) -> Part:
    """The name of a card: *Attack High*, *Grapple 3*, *No stance*, *Wax On Attack*."""
    match kind:
        case "move":
            return move_name(value)
        case "stance" if value != "none":
            action, _, amount = value.partition(" ")
            return said("card.points", type=Said(action), points=amount)
        case "stance":
            return Said("stance.none")
        case "option":
            return Said(f"option.{value}")
        case "special":
            return special_name(value)
        case "split":
            return points_name(value)
    return name(value or kind)


def is_card(choice: Choice) -> bool:
    """Whether a choice is a card, which sentences call by its name."""
    return choice.kind in ("move", "stance", "option", "special")


def move_name(move: str) -> Part:
    """The name of a move, followed by ``+1`` or ``-1`` if it is a variant."""
    word, _, variant = move.partition(" ")
    action, _, element = word.partition("-")
    if action in _ACTIONS:
        named: Part = said("card.move.of", action=Said(action), element=element_name(element))
    else:
        named = Said("surrender") if word == "surrender" else name(word)
    return said("card.move.variant", move=named, variant=variant) if variant else named


def element_name(element: str) -> Part:
    """The name of an element; its id if it comes from house rules."""
    return Said(element) if element in ELEMENTS else name(element)


def special_name(special: str) -> Part:
    """The name of a special. For a copying special, it includes the copied one."""
    if special == "none":
        return Said("special.none")
    first, _, copied = special.partition(_COPIED)
    if copied:
        return said("special.copying", special=_title(first), copied=_title(copied))
    return _title(first)


def _title(special: str) -> str:
    words = special.replace("-", " ").replace("_", " ").split(" ")
    return " ".join(word[:1].upper() + word[1:] for word in words)


def points_name(split: str) -> Part:
    """The points of each type, without zeros: *Attack 2 and Defend 1*."""
    words = split.split(" ")
    points = dict(zip(words[::2], words[1::2], strict=False))
    return said(
        "list",
        items=[
            said("card.points", type=Said(action), points=points[action])
            for action in Action
            if points.get(action, "0") != "0"
        ],
    )


def energy_name(energy: Energy, most: Energy) -> list[Said]:
    """The points of each type, each with its maximum."""
    return [
        said("standing.energy", type=Said(each), left=energy.of(each), most=most.of(each))
        for each in Action
    ]


def decisive_name(move: str, why: str) -> Part:
    """The action or the element of a move, as ``why`` says; for a move from house rules that has
    its own name, that name."""
    action, _, element = move.partition(" ")[0].partition("-")
    if action not in _ACTIONS:
        return move_name(move)
    return Said(action) if why == "action" else element_name(element)


def side_name(side: str) -> Part:
    """The name of a side: one from the catalogues for a usual side, otherwise the GM's own."""
    return Said(f"side.{side}") if side in SIDES else name(side)
