"""Heat: the loss of each part, and the temperature of a tray."""

from collections.abc import Mapping

from hardware.calculations import supply

_MIL = 25.4e-6


def rise(watts: float, area_m2: float, transfer: float) -> float:
    """Return how much warmer than the room a closed tray becomes after hours, in K."""
    return watts / (area_m2 * transfer)


def track_rise(amps: float, wide_m: float, thick_m: float) -> float:
    """Return how much warmer than the board a track on its outside becomes, in K.

    Ref: IPC-2221, figure 6-4: I = 0.048 · ΔT^0.44 · A^0.725, with A in square mils.
    """
    mils = wide_m * thick_m / _MIL**2
    return float((amps / (0.048 * mils**0.725)) ** (1 / 0.44))


def figures(given: Mapping[str, float]) -> dict[str, float]:
    """Return every figure of the document."""
    g = given
    s = supply.figures(g)
    f = {"buck_loses": s["buck_loses"]}
    f["buck_loses_usual"] = s["seat_power_usual"] - 5 * s["seat_usual"]
    f["fet_loses"] = g["reverse_fet"] * s["last_current"] ** 2
    f["fet_rise"] = f["fet_loses"] * g["fet_kelvin"]
    f["polyfuse_loses"] = g["polyfuse"] * s["last_current"] ** 2
    bus = g["driver_least"] ** 2 / g["load_least"]
    f["transceiver_loses"] = g["bias_volts"] * g["transceiver_drives"] - bus
    f["transceiver_rise"] = f["transceiver_loses"] * g["so8_kelvin"]
    f["schottky_loses"] = g["schottky"] * (g["pico_peak"] + g["transceiver_drives"])
    f["lamps_heat"] = 5 * s["lamps_white"]
    f["lamps_heat_usual"] = 5 * s["lamps_usual"]
    f["tray_usual"], f["tray_worst"] = s["seat_power_usual"], s["seat_power"]
    f["tray_rise_usual"] = rise(f["tray_usual"], g["tray_area"], g["heat_transfer"])
    f["tray_rise_worst"] = rise(f["tray_worst"], g["tray_area"], g["heat_transfer"])
    f["tray_warm_usual"] = g["room"] + f["tray_rise_usual"]
    f["tray_warm_worst"] = g["room"] + f["tray_rise_worst"]
    f["leds_total_ma"] = 1e3 * g["seats_most"] * (g["bias_volts"] - g["led_volts"]) / g["led_ohm"]
    f["base_ma"] = 1e3 * (g["bias_volts"] - 0.7) / g["base_ohm"]
    f["header_ma"] = f["leds_total_ma"] + f["base_ma"]
    f["head_fet_loses"] = g["head_fet"] * s["current_0_75"] ** 2
    f["head_fet_rise"] = f["head_fet_loses"] * g["fet_kelvin"]
    f["head_copper_loses"] = s["head_copper_ohm"] * s["current_0_75"] ** 2
    for name, amps in (
        ("used", s["current_0_75"]),
        ("supply", g["supply_gives"]),
        ("hour", s["fuse_carries"]),
    ):
        f["copper_rise_" + name] = track_rise(amps, g["head_copper_wide"], g["copper_thick"])
    f["fuse_carries"] = s["fuse_carries"]
    f["head_copper_cm"] = s["head_copper_cm"]
    f["head_copper_mm"] = 1e3 * g["head_copper_wide"]
    f["head_ohm_warm"] = g["head_fuse_ohm"] * s["current_0_75"] ** 2
    return f


def must(given: Mapping[str, float], f: Mapping[str, float]) -> dict[str, bool]:
    """Return the requirements, each in words, and whether it is met."""
    g = given
    return {
        "on an evening a tray stays below what softens PLA": f["tray_warm_usual"] < g["pla_soft"],
        "white for hours stays below what softens PETG": f["tray_warm_worst"] < g["petg_soft"],
        "no part gets 60 K warmer than its tray": max(
            f["fet_rise"], f["transceiver_rise"], f["head_fet_rise"]
        )
        < 60,
        "the carrier's copper bears what its fuse carries for an hour, and what the supply gives "
        "before the fuse": max(f["copper_rise_hour"], f["copper_rise_supply"]) < 40,
        "the Pi's pins together give less than they may": f["header_ma"] < g["header_most_ma"],
    }
