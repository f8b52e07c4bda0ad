"""The supply: the current of a seat, the voltage left at the last one, and the fuses."""

import math
from collections.abc import Mapping

VOLTS_LOGIC, VOLTS_BUS = 5.0, 12.0
_ROUNDS = 200
_YEAR_H = 8766


def share(brightness: float) -> float:
    """Return the share of a lamp's current at a brightness of 0 to 255. The firmware squares the
    brightness to match the eye (``firmware/common/lamps.py``)."""
    return (brightness / 255) ** 2


def chain(
    volts: float,
    seats: int,
    power_w: float,
    hop_ohm: float,
    seat_ohm: float,
    *,
    head_ohm: float = 0.0,
) -> list[float]:
    """Return the voltage left at each seat of a line that is fed from one end. Every seat takes
    ``power_w`` at any voltage, as a switching regulator does. ``hop_ohm``: both wires between two
    seats; ``seat_ohm``: from the line to the regulator; ``head_ohm``: before the line, for the
    whole current. NaN if the voltage breaks down."""
    left = [volts] * seats
    for _ in range(_ROUNDS):
        if min(left) < volts / 2:
            return [math.nan] * seats
        currents = [power_w / each for each in left]
        line, fresh = volts - head_ohm * sum(currents), []
        for seat in range(seats):
            line -= hop_ohm * sum(currents[seat:])
            fresh.append(line - seat_ohm * currents[seat])
        left = fresh
    return left


def resistive(volts: float, seats: int, current_a: float, hop_ohm: float) -> float:
    """Return the voltage left at the last seat of such a line if every seat takes the same
    current."""
    return volts - hop_ohm * current_a * seats * (seats + 1) / 2


def figures(given: Mapping[str, float]) -> dict[str, float]:
    """Return every figure of the document."""
    g, f = given, {}
    lamps, seats = int(g["lamps_at_a_seat"]), int(g["seats_most"])
    f["share_usual"] = share(g["brightness_usual"])
    f["lamps_white"] = lamps * g["lamp_white"]
    f["lamps_usual"] = lamps * (
        g["lamp_dark"] + (g["lamp_white"] - g["lamp_dark"]) * f["share_usual"]
    )
    f["lamps_fast_white"] = g["lamps_most_on_a_fast_bus"] * g["lamp_white"]
    others = g["pn532_peak"] + g["pico_peak"] + g["transceiver_drives"]
    f["seat_peak"] = f["lamps_white"] + others
    f["seat_usual"] = f["lamps_usual"] + g["pn532_usual"] + g["pico_usual"]
    f["buck_used"] = f["seat_peak"] / g["buck_most"]
    f["lamps_fit"] = (g["buck_most"] - others) // g["lamp_white"]

    f["five_total"] = seats * f["seat_peak"]
    for name in ("0_75", "1_5"):
        hop = 2 * (g["wire_" + name] * g["hop"] + g["contacts"])
        f["five_left_" + name] = resistive(VOLTS_LOGIC, seats, f["seat_peak"], hop)
        f["five_usual_left_" + name] = resistive(VOLTS_LOGIC, seats, f["seat_usual"], hop)
    f["five_contacts_drop"] = 2 * g["contacts"] * f["seat_peak"] * seats * (seats + 1) / 2

    power = VOLTS_LOGIC * f["seat_peak"] / g["buck_efficiency"]
    usual = VOLTS_LOGIC * f["seat_usual"] / g["buck_efficiency"]
    inside = g["polyfuse"] + g["reverse_fet"]
    f["seat_power"], f["seat_power_usual"] = power, usual
    f["head_copper_ohm"] = (
        g["copper_ohm"] * g["head_copper"] / (g["head_copper_wide"] * g["copper_thick"])
    )
    f["head_copper_cm"] = 100 * g["head_copper"]
    f["head_ohm"] = head = g["head_fuse_ohm"] + g["head_fet"] + f["head_copper_ohm"]
    for name in ("0_5", "0_75"):
        hop = 2 * (g["wire_" + name] * g["hop"] + g["contacts"])
        left = chain(VOLTS_BUS, seats, power, hop, inside, head_ohm=head)
        f["left_" + name] = left[-1]
        f["current_" + name] = sum(power / each for each in left)
    f["last_current"] = power / f["left_0_75"]
    f["head_drop"] = head * f["current_0_75"]
    f["ground_shift"] = (
        VOLTS_BUS - f["head_drop"] - f["left_0_75"] - inside * f["last_current"]
    ) / 2
    hop = 2 * (g["wire_0_75"] * g["hop"] + g["contacts"])
    left = chain(VOLTS_BUS, seats, usual, hop, inside, head_ohm=head)
    f["left_usual"] = left[-1]
    f["current_usual"] = sum(usual / each for each in left)
    f["drop_share"] = 1 - f["left_0_75"] / VOLTS_BUS
    f["ring"] = seats * g["hop"]
    f["fuse_used"] = f["current_0_75"] / g["head_fuse"]
    f["fuse_carries"] = g["fuse_for_an_hour"] * g["head_fuse"]
    f["fuse_opens"] = g["fuse_two_minutes"] * g["head_fuse"]
    f["supply_spare"] = g["supply_gives"] / f["current_0_75"] - 1
    f["wires_lose"] = VOLTS_BUS * f["current_0_75"] - seats * power
    f["buck_loses"] = power - VOLTS_LOGIC * f["seat_peak"]
    f["bias_back_ma"] = 1000 * (VOLTS_BUS - g["bias_volts"]) / g["bias_resistor"]
    f["polyfuse_spare"] = g["polyfuse_holds_warm"] / f["last_current"] - 1
    f["vbat_takes_ua"] = 1e6 * g["cell_volts"] / g["vbat_ohm"]
    f["vbat_mohm"] = g["vbat_ohm"] / 1e6
    f["rtc_takes_ua"] = 1e6 * g["rtc_takes"]
    f["cell_years"] = g["cell_ah"] * 1e6 / (f["vbat_takes_ua"] + f["rtc_takes_ua"]) / _YEAR_H
    f["power_total"] = VOLTS_BUS * f["current_0_75"]
    return f


def must(given: Mapping[str, float], f: Mapping[str, float]) -> dict[str, bool]:
    """Return the requirements, each in words, and whether it is met."""
    g = given
    return {
        "a seat's regulator gives what the seat takes at its worst": f["buck_used"] <= 0.9,
        "the last seat's regulator has 1.5 V to spare": f["left_0_75"] >= g["buck_least_in"] + 1.5,
        "it also has enough with wires of 0.5 mm²": f["left_0_5"] >= g["buck_least_in"],
        "5 V on the bus would not do": f["five_left_1_5"] < g["lamp_least"],
        "a seat's polymer fuse holds at 50 °C, a quarter to spare": f["polyfuse_spare"] >= 0.25,
        "a cell lasts for five years beside the resistor that stands in for it": f["cell_years"]
        >= 5,
        "the head's fuse is used to nine tenths at most": f["fuse_used"] <= 0.9,
        "the supply gives a quarter more than the bus takes": f["supply_spare"] >= 0.25,
        "what the fuse carries for an hour overloads neither wire nor terminal": f["fuse_carries"]
        <= min(g["wire_bears"], g["terminal_bears"]),
        "the grounds differ by less than a receiver bears": f["ground_shift"]
        < g["common_mode_most"] / 4,
        "transceivers survive the supply at A or B": g["line_bears"] > VOLTS_BUS,
    }
