"""How far apart readers have to be, and how far from metal."""

from collections.abc import Mapping


def on_axis(radius: float, distance: float) -> float:
    """Return the field of a loop on its axis, as a share of the field in its middle.

    Ref: Biot and Savart; NXP AN1445, antenna design guide.
    """
    return float(radius**3 / (radius**2 + distance**2) ** 1.5)


def beside(radius: float, distance: float) -> float:
    """Return the same in the loop's plane, far from its middle: half of a dipole's field on its
    axis."""
    return radius**3 / (2 * distance**3)


def figures(given: Mapping[str, float]) -> dict[str, float]:
    """Return every figure of the document."""
    g, f = given, {}
    for name in ("compact", "middle", "large"):
        f[f"{name}_apart"] = 3 * g[f"board_{name}"] / 10
    radius = g["antenna_radius"]
    f["share_at_reach"] = on_axis(radius, g["reach"])
    f["reach_beside"] = radius / (2 * f["share_at_reach"]) ** (1 / 3)
    f["middles_apart"] = (2 * f["reach_beside"] + g["card_long"]) / 10
    f["edges_apart"] = f["middles_apart"] - g["board_compact"] / 10
    f["at_a_seat"] = 100 * g["hop"]
    f["neighbour_share"] = beside(radius, 1000 * g["hop"])
    f["neighbour_of_reach"] = f["neighbour_share"] / f["share_at_reach"]
    f["under_wood"] = g["wood"] + g["air_gap"] + g["card_stack"]
    f["reach_left"] = g["reach_least"] - f["under_wood"]
    return f


def must(given: Mapping[str, float], f: Mapping[str, float]) -> dict[str, bool]:
    """Return the requirements, each in words, and whether it is met."""
    g = given
    return {
        "a table's seats are further apart than one card can reach": f["at_a_seat"]
        > 2 * f["middles_apart"],
        "a neighbour's field is a thousandth of what a card needs": f["neighbour_of_reach"] < 1e-2,
        "over wood a card is within half of what is planned with": f["under_wood"]
        <= g["planned_reach"] / 2,
    }
