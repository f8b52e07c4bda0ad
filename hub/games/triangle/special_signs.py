"""A sign for each effect of a special, so that cards can be told apart in a fanned hand.

The outlines are our own, in a 24 by 24 box.
"""

from hub.games.faces import Stroke

STAR = "M12 1.5 14.6 9.4 22.5 12 14.6 14.6 12 22.5 9.4 14.6 1.5 12 9.4 9.4Z"


def _ring(x: float, y: float, radius: float) -> str:
    return (
        f"M{x - radius:g} {y:g}A{radius:g} {radius:g} 0 1 1 {x + radius:g} {y:g}"
        f"A{radius:g} {radius:g} 0 1 1 {x - radius:g} {y:g}Z"
    )


_PIPS = "".join(_ring(x, y, 1.5) for x, y in ((7, 7), (17, 7), (12, 12), (7, 17), (17, 17)))

SIGNS: dict[str, tuple[Stroke, ...]] = {
    # an eye
    "scout": (
        Stroke("M1.5 12Q12 1.5 22.5 12Q12 22.5 1.5 12Z", 1.8),
        Stroke(_ring(12, 12, 3.4), 1.2, solid=True),
    ),
    # a mask
    "nothing": (
        Stroke("M1.5 7.5Q12 4 22.5 7.5Q22.5 17 16.5 17Q13.5 17 12 14"
               "Q10.5 17 7.5 17Q1.5 17 1.5 7.5Z", 1.2, solid=True),
        Stroke("M5 9.5Q7.5 8.5 9.5 11M19 9.5Q16.5 8.5 14.5 11", 1.6, faint=True),
    ),
    # two linked rings
    "bind": (Stroke(_ring(8, 12, 6.2), 2.4), Stroke(_ring(16, 12, 6.2), 2.4)),
    # cross hairs
    "aim": (
        Stroke(_ring(12, 12, 7.5), 1.8),
        Stroke("M12 1.5V8M12 16V22.5M1.5 12H8M16 12H22.5", 1.8),
    ),
    # calm water
    "calm": (Stroke("M2 7Q7 2 12 7T22 7M2 13Q7 8 12 13T22 13M2 19Q7 14 12 19T22 19", 2.2),),
    # a medical cross
    "recover": (Stroke("M8.5 2H15.5V8.5H22V15.5H15.5V22H8.5V15.5H2V8.5H8.5Z", 1.2, solid=True),),
    # arrows there and back
    "return": (
        Stroke("M2.5 7.5H20M15 2.5 20 7.5 15 12.5", 2.4),
        Stroke("M21.5 16.5H4M9 11.5 4 16.5 9 21.5", 2.4),
    ),
    # no entry
    "bar": (Stroke(_ring(12, 12, 9.5), 2.6), Stroke("M5.5 5.5 18.5 18.5", 2.6)),
    # a shield
    "bear": (Stroke("M12 1.5 21 4.5V12Q21 19 12 22.5Q3 19 3 12V4.5Z", 1.2, solid=True),),
    # one sheet over another
    "copy": (
        Stroke("M8 2H21V17H8Z", 1.6),
        Stroke("M3 7H16V22H3Z", 1.6, solid=True),
    ),
    # a die
    "redraw": (Stroke("M3 3H21V21H3Z", 1.8), Stroke(_PIPS, 0.2, solid=True)),
    # an hourglass
    "last": (Stroke("M4.5 2H19.5L13.2 12 19.5 22H4.5L10.8 12Z", 1.2, solid=True),),
    # crossed blades
    "parry": (
        Stroke("M3 2.5 20.5 20M21 2.5 3.5 20", 2.4),
        Stroke("M2.5 15 9 21.5M21.5 15 15 21.5", 1.8),
    ),
    # a drop
    "drain": (Stroke("M12 1.5Q20 11 20 15A8 7.5 0 0 1 4 15Q4 11 12 1.5Z", 1.2, solid=True),),
}  # fmt: skip


def sign_of_special(effect: str) -> tuple[Stroke, ...]:
    """Strokes of the sign for an effect, by its id; a star for an unknown one."""
    return SIGNS.get(effect, (Stroke(STAR, 1.2, solid=True),))
