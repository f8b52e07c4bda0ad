"""The bus: its length, rate and stubs, and what can make a board miss a byte."""

from collections.abc import Mapping

_BITS = 10  # a byte with start and stop bits


def divided(clock_hz: float, baud: float) -> float:
    """Return how far a PL011's rate is from ``baud``, as a share: its divisor has six binary
    places.

    Ref: RP2040 data sheet 4.2.3.2; the Pi's UARTs and the RP1's are the same core.
    """
    divisor = round(clock_hz / (16 * baud) * 64) / 64
    return clock_hz / (16 * divisor) / baud - 1


def blur(given: Mapping[str, float], baud: float) -> float:
    """Return how much the head's slow edges can lengthen or shorten a bit, in bits, because a
    receiver may switch anywhere between the two thresholds. An edge's time is given from 10 to 90
    %."""
    whole = given["edge_head"] / 0.8
    return whole * given["threshold"] / given["driver_least"] * baud


def middle(given: Mapping[str, float], baud: float, off: float) -> float:
    """Return how often the head's whole edge, plus the clocks' error at the end of a byte, fits
    into the half bit between a bit's beginning and its sampling."""
    return 0.5 / (given["edge_head"] / 0.8 * baud + off * (_BITS - 0.5))


def figures(given: Mapping[str, float]) -> dict[str, float]:
    """Return every figure of the document."""
    g, f = given, {}
    f["length"] = g["seats_most"] * g["hop"]
    f["bit_us"] = 1e6 / g["baud"]
    f["there_ns"] = 1e9 * f["length"] * g["cable_delay"]
    f["echo_share"] = 2 * f["there_ns"] / 1e3 / f["bit_us"]
    f["product"] = f["length"] * g["baud"]
    f["length_by_rule"] = g["length_rate"] / g["baud"]
    f["stub_cm"] = 100 * g["edge"] / 10 / g["cable_delay"]
    f["head_share"] = g["baud"] / g["head_rate"]
    f["edge_seat_bits"] = g["edge"] * g["baud"]
    f["edge_head_bits"] = g["edge_head"] * g["baud"]
    f["edge_head_ns"] = 1e9 * g["edge_head"]
    f["copper_lost"] = 2 * g["wire_0_22"] * f["length"] / (2 * g["wire_0_22"] * f["length"] + 54)
    for name in ("clock_rp2040", "clock_rp2350", "clock_bcm2711", "clock_rp1"):
        f["off_" + name] = abs(divided(g[name], g["baud"]))
    f["off_worst"] = max(f["off_clock_rp2040"], f["off_clock_rp2350"]) + max(
        f["off_clock_bcm2711"], f["off_clock_rp1"]
    )
    for name, baud in (("", g["baud"]), ("_half", g["rate_half"])):
        f["blur" + name] = blur(g, baud)
        f["middle" + name] = middle(g, baud, f["off_worst"])
        f["rate_margin" + name] = g["head_rate"] / baud
        f["margin" + name] = min(f["middle" + name], f["rate_margin" + name])
        f["round_ms" + name] = 1e3 * g["seats_most"] * g["look_bytes"] * _BITS / baud
    f["lamps_half"] = (
        1e6 * g["fifo"] * _BITS / g["rate_half"] // (1e6 * g["lamp_bits"] * g["lamp_bit"])
    )
    f["lamp_us"] = 1e6 * g["lamp_bits"] * g["lamp_bit"]
    f["picture_us"] = g["lamps_at_a_seat"] * f["lamp_us"]
    f["fifo_us"] = 1e6 * g["fifo"] * _BITS / g["baud"]
    f["lamps_by_fifo"] = f["fifo_us"] // f["lamp_us"]
    f["fifo_slow_us"] = 1e6 * g["fifo"] * _BITS / 115200
    f["lamps_by_fifo_slow"] = f["fifo_slow_us"] // f["lamp_us"]
    f["releases_bits"] = g["releases"] * g["baud"]
    f["releases_us"] = 1e6 * g["releases"]
    f["releases_least_us"] = 1e6 * g["releases_least"]
    f["releases_least_bits"] = g["releases_least"] * g["baud"]
    f["releases_1426_us"] = 1e6 * g["releases_1426"]
    f["rests_1426"] = 1 - g["releases_1426"] * g["baud"]
    return f


def must(given: Mapping[str, float], f: Mapping[str, float]) -> dict[str, bool]:
    """Return the requirements, each in words, and whether it is met."""
    g = given
    return {
        "echoes have died away long before the middle of a bit": f["echo_share"] < 0.1,
        "the line is far shorter than its rate allows": f["length"] < f["length_by_rule"] / 5,
        "two clocks together are within the 2 % that a byte of ten bits bears": f["off_worst"]
        < 0.02,
        "the head's edges are no longer than the standard lets them be": f["edge_head_bits"] <= 0.3,
        "the head is not asked for more than it is made for": f["head_share"] <= 1,
        "a lone one is driven to its end": f["releases_least_bits"] > 1,
        "at the next slower rate there is a margin of two": f["margin_half"] >= 2,
        "a picture for the lamps that a fast bus may have fits the UART's store": f["lamps_by_fifo"]
        >= g["lamps_most_on_a_fast_bus"],
        "64 lamps fit it on a slow one": f["lamps_by_fifo_slow"] >= 64,
        "the hub's transceiver lets go before the first byte of an answer is over": f[
            "releases_bits"
        ]
        < _BITS,
    }
