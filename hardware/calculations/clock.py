"""The LED clock: the current of its lights, and why their data need 5 V."""

import math
from collections.abc import Mapping


def figures(given: Mapping[str, float]) -> dict[str, float]:
    """Return every figure of the document. A clock's brightness is linear, unlike a seat's."""
    g, f = given, {}
    count = g["lights_at_a_clock"]
    lit = g["lamp_white"] - g["lamp_dark"]
    f["lights_usual"] = count * (g["lamp_dark"] + lit * g["brightness_clock"] / 255)
    f["lights_most"] = count * g["lamp_white"]
    f["clock_usual"] = f["lights_usual"] + g["pico_w_peak"]
    f["clock_most"] = f["lights_most"] + g["pico_w_peak"]
    left = g["clock_supply"] - g["pico_w_peak"] - count * g["lamp_dark"]
    f["brightest"] = math.floor(255 * left / (count * lit))
    f["dark"] = count * g["lamp_dark"] + g["pico_usual"]
    f["wants"] = g["logic_high_share"] * 5
    f["short_of"] = f["wants"] - g["logic_high_pico"]
    f["vsys"] = 5 - g["schottky_high"]
    return f


def must(given: Mapping[str, float], f: Mapping[str, float]) -> dict[str, bool]:
    """Return the requirements, each in words, and whether it is met."""
    g = given
    return {
        "a small USB supply is enough for the clock as it comes": f["clock_usual"]
        <= 0.8 * g["clock_supply"],
        "it is not enough for all of them white": f["clock_most"] > g["clock_supply"],
        "what a Pico calls high is none for the lights by their sheet": f["short_of"] > 0,
        "it is one for the level shifter": g["logic_high_pico"] > g["logic_high_ahct"],
    }
