"""Build A: readers on USB, and the current that their hub has to supply."""

from collections.abc import Mapping


def figures(given: Mapping[str, float]) -> dict[str, float]:
    """Return every figure of the document."""
    g, f = given, {}
    f["reader"] = g["pn532_peak"] + g["adapter"]
    f["reader_usual"] = g["pn532_usual"] + g["adapter"]
    for seats in (2, 4, 6, 8):
        f[f"peak_{seats}"] = seats * f["reader"]
        f[f"usual_{seats}"] = seats * f["reader_usual"]
    f["wire_drop_mv"] = 1e3 * 2 * g["wire_0_08"] * g["wires_long"] * g["pn532_peak"]
    f["cable_drop_mv"] = 1e3 * 2 * g["wire_0_22"] * g["usb_cable"] * f["reader"]
    f["left_at_reader"] = g["usb_least"] - (f["wire_drop_mv"] + f["cable_drop_mv"]) / 1e3
    return f


def must(given: Mapping[str, float], f: Mapping[str, float]) -> dict[str, bool]:
    """Return the requirements, each in words, and whether it is met."""
    g = given
    return {
        "a hub's supply is enough for eight": f["peak_8"] <= 0.9 * g["usb_hub_supply"],
        "a socket gives what a reader takes": f["reader"] < g["usb_socket"],
        "a reader at the end of a long cable keeps its voltage at its peak": f["left_at_reader"]
        > g["reader_least"],
        "a Pi 4's sockets alone would not do for eight": f["peak_8"] > g["pi4_sockets"],
    }
