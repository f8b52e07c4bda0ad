"""A plug inserted under power, and a supply with reversed polarity."""

from collections.abc import Mapping


def figures(given: Mapping[str, float]) -> dict[str, float]:
    """Return every figure of the document."""
    g, f = given, {}
    f["capacitor_uf"] = 1e6 * g["capacitor"]
    metres = g["seats_most"] * g["hop"]
    f["in_the_way"] = (
        2 * metres * g["wire_0_75"] + g["polyfuse"] + g["capacitor_esr"] + g["fet_least"]
    )
    f["peak_by_sum"] = 12 / f["in_the_way"]
    f["charge_mc"] = 1e3 * g["capacitor"] * 12
    f["all_seats_mc"] = g["seats_most"] * f["charge_mc"]
    f["gate_current_ma"] = 1e3 * (g["tvs_clamps"] - g["zener"]) / g["gate_resistor"]
    return f


def must(given: Mapping[str, float], f: Mapping[str, float]) -> dict[str, bool]:
    """Return the requirements, each in words, and whether it is met."""
    g = given
    return {
        "a plug that goes in makes no voltage that the regulator does not bear": g[
            "spice_peak_volts"
        ]
        < g["buck_most_in"] / 1.5,
        "the simulated peak agrees with Ohm's law, to a third": 0.67
        < g["spice_peak_current"] / f["peak_by_sum"]
        <= 1.0,
        "the gate stays within what it bears": g["spice_gate_volts"] < g["gate_most"]
        and g["zener"] < g["gate_most"],
        "reversed, the regulator sees nothing below its ground": g["spice_least_volts"] > -0.3,
        "the simulation sees a MOSFET that is the wrong way round": g["spice_unprotected_volts"]
        < -5,
        "reversed, no current worth the name flows": abs(g["spice_least_current"]) < 1e-3,
        "reversed, the MOSFET blocks less than it bears": g["spice_blocked_volts"]
        < g["fet_volts"] / 2,
        "the MOSFET starts by its diode and ends conducting": g["spice_settled_volts"] > 11.0,
        "a surge is clamped below what regulator and MOSFET bear": g["tvs_clamps"]
        < min(g["buck_most_in"], g["fet_volts"]),
    }
