"""Termination and bias: the voltage between A and B while no driver is on."""

from collections.abc import Mapping


def beside(*ohms: float) -> float:
    """Return the resistance of resistors in parallel."""
    return 1 / sum(1 / each for each in ohms)


def idle(volts: float, bias: float, ends: float, loads: int, unit_load: float) -> float:
    """Return the voltage between A and B at rest. ``bias`` Ω lead from A to ``volts`` and from B to
    ground, ``ends`` Ω lie across the line, and ``loads`` receivers put ``unit_load`` Ω to ground on
    each wire. By Kirchhoff's law at both wires; the resistance of the wires is ignored."""
    g_bias, g_ends, g_load = 1 / bias, 1 / ends, loads / unit_load
    own = g_bias + g_ends + g_load
    # own·a - g_ends·b = g_bias·volts;  own·b - g_ends·a = 0
    a = g_bias * volts * own / (own * own - g_ends * g_ends)
    return a - g_ends * a / own


def figures(given: Mapping[str, float]) -> dict[str, float]:
    """Return every figure of the document."""
    g = given
    f: dict[str, float] = {}
    loads, bias, head, end = (
        int(g["seats_most"]) + 1,
        g["bias_resistor"],
        g["termination_head"],
        g["termination_end"],
    )
    worse = g["resistor_tolerance"]
    f["loads"] = loads
    f["bias_across"] = 2 * bias
    f["head_alike"] = beside(head, 2 * bias)
    f["ends"] = beside(head, end)
    f["driver_sees"] = beside(head, end, 2 * bias, 2 * g["unit_load"] / loads)
    f["idle_usual"] = idle(g["bias_volts"], bias, f["ends"], loads, g["unit_load"])
    f["idle_worst"] = idle(
        g["bias_volts_least"],
        bias * (1 + worse),
        f["ends"] * (1 - worse),
        loads,
        g["unit_load"],
    )
    f["idle_margin"] = f["idle_worst"] / g["threshold"] - 1
    f["idle_third"] = idle(
        g["bias_volts_least"], bias, beside(head, end, end), loads, g["unit_load"]
    )
    f["idle_two_biased"] = idle(g["bias_volts"], bias / 2, f["ends"], loads, g["unit_load"])
    f["sees_two_biased"] = beside(f["ends"], bias, 2 * g["unit_load"] / loads)
    f["idle_680"] = idle(g["bias_volts_least"], 680.0, f["ends"], loads, g["unit_load"])
    f["idle_seat"] = idle(g["bias_volts_least"], bias, beside(end, end), loads, g["unit_load"])
    f["bias_current"] = g["bias_volts"] / (2 * bias + f["ends"])
    f["bias_power"] = f["bias_current"] ** 2 * bias
    f["spice_bits_heard"] = (g["spice_heard"] - g["spice_sent"]) * g["baud"]
    return f


def must(given: Mapping[str, float], f: Mapping[str, float]) -> dict[str, bool]:
    """Return the requirements, each in words, and whether it is met."""
    g = given
    return {
        "the resting line is a one for every receiver, a quarter to spare": f["idle_margin"] > 0.25,
        "the head ends the line as it should, to a tenth": abs(
            f["head_alike"] / g["termination_end"] - 1
        )
        < 0.1,
        "a driver has no more to do than the standard lets it": f["driver_sees"]
        >= 0.99 * g["load_least"],
        "a third termination is told by the resting line": f["idle_third"] < f["idle_worst"],
        "the bias of a seat board does as well, if there is no carrier": f["idle_seat"]
        > 1.1 * g["threshold"],
        "no more than the loads that the standard allows": f["loads"] <= g["loads_most"],
        "the simulated line agrees with the sum, to 2 %": abs(
            g["spice_idle_last"]
            / idle(
                g["bias_volts_least"],
                g["bias_resistor"],
                f["ends"],
                int(f["loads"]),
                g["unit_load"],
            )
            - 1
        )
        < 0.02,
        "a zero is heard as one within a twentieth of a bit": f["spice_bits_heard"] < 0.05,
        "zeros and ones are far beyond the threshold": g["spice_low_most"]
        < -5 * g["threshold"]
        < 5 * g["threshold"]
        < g["spice_high_least"],
        "a line that is let go is no zero, and rests after half a bit": g["spice_left_least"]
        > -g["threshold"]
        and g["spice_left_rests"] > 1.2 * g["threshold"],
    }
