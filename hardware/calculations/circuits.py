"""Circuits worth simulating, as netlists for ngspice, made from the inputs.

The results of a netlist's ``.meas`` lines are kept in ``spice/results.toml`` with the netlist's
hash; ``make spice`` runs them all again.
"""

import hashlib
import re
import subprocess
import tempfile
import tomllib
from collections.abc import Mapping
from pathlib import Path

from hardware.calculations.inputs import inputs, values

FOLDER = Path(__file__).parent / "spice"
RESULTS = FOLDER / "results.toml"
_MEASURED = re.compile(r"^(\w+)\s+=\s+(-?[\d.]+(?:e[+-]?\d+)?)", re.M | re.I)

_FET = """\
* A P-channel MOSFET of 30 V: threshold -2 V, some 50 mOhm at -10 V, with its body diode.
.model FET VDMOS(pchan Vto=-2 Kp=4 Rd=0.02 Rs=0.01 Rg=5 Cgdmax=300p Cgdmin=60p Cgs=800p Cjo=200p
+ Is=1e-12 Rb=0.02)
.model ZENER D(Is=1e-14 BV=12 IBV=1m Rs=5)
"""


def _seat_end(g: Mapping[str, float], fet: str = "fused gate out") -> str:
    """Return the path from the line to the regulator's input: polymer fuse, MOSFET (with its drain
    at the line, so that its body diode starts it), capacitor, load."""
    power = 5 * (g["lamps_at_a_seat"] * g["lamp_white"] + g["pn532_peak"] + g["pico_peak"])
    return f"""\
Rfuse in fused {g["polyfuse"]:g}
M1 {fet} FET
Dz gate out ZENER
Rgate gate 0 {g["gate_resistor"]:g}
Rcap out cap {g["capacitor_esr"]:g}
Cin cap 0 {g["capacitor"]:g}
Rload out 0 {144 * g["buck_efficiency"] / power:g}
"""


def _cable(g: Mapping[str, float]) -> str:
    """Return the whole line, with the last seat at its end."""
    metres = g["seats_most"] * g["hop"]
    return f"""\
Lcable head mid {metres * g["cable_henry"]:g}
Rcable mid in {2 * metres * g["wire_0_75"]:g}
"""


def plug_in(g: Mapping[str, float]) -> str:
    """The last seat's plug is inserted while the bus has power."""
    return f"""\
The last seat is plugged in, alone on a line of full length
Vbus head 0 PULSE(0 12 100u 1u 1u 50m 100m)
{_cable(g)}{_seat_end(g)}{_FET}.tran 2u 40m 0 2u
.meas tran peak_current MAX i(Lcable)
.meas tran peak_volts MAX v(out)
.meas tran gate_volts MAX par('v(out)-v(gate)')
.meas tran settled_volts FIND v(out) AT=39m
.end
"""


def reversed_supply(g: Mapping[str, float]) -> str:
    """+12 V and GND are swapped until someone notices."""
    return f"""\
The supply is connected the wrong way round
Vbus head 0 PULSE(0 -12 100u 1u 1u 50m 100m)
{_cable(g)}{_seat_end(g)}{_FET}.tran 2u 40m 0 2u
.meas tran least_volts MIN v(out)
.meas tran least_current MIN i(Lcable) FROM=5m TO=39m
.meas tran blocked_volts MAX par('v(out)-v(fused)') FROM=5m TO=39m
.end
"""


def wrong_fet(g: Mapping[str, float]) -> str:
    """The same, with source and drain of the MOSFET swapped as well."""
    return f"""\
The supply is connected the wrong way round, and so is the MOSFET
Vbus head 0 PULSE(0 -12 100u 1u 1u 50m 100m)
{_cable(g)}{_seat_end(g, "out gate fused")}{_FET}.tran 2u 40m 0 2u
.meas tran unprotected_volts MIN v(out)
.end
"""


def _bus(g: Mapping[str, float], end: float) -> str:
    """Return the line with its bias and termination at the hub, a load at each seat, and ``end`` Ω
    at the last one."""
    lines = [
        f"Vcc vcc 0 {g['bias_volts_least']:g}",
        f"Rup vcc a0 {g['bias_resistor']:g}",
        f"Rdown b0 0 {g['bias_resistor']:g}",
        f"Rhead a0 b0 {g['termination_head']:g}",
        f"Rend a8 b8 {end:g}",
    ]
    seats = int(g["seats_most"])
    for at in range(seats + 1):
        lines += [f"R{w}{at} {w}{at} 0 {g['unit_load']:g}" for w in "ab"]
        lines += [f"C{w}{at} {w}{at} 0 {g['node_farad']:g}" for w in "ab"]
    for at in range(seats):
        for w in "ab":
            lines.append(
                f"T{w}{at} {w}{at} 0 {w}x{at} 0 Z0={g['cable_ohm'] / 2:g} "
                f"TD={g['hop'] * g['cable_delay']:g}"
            )
            lines.append(f"Rw{w}{at} {w}x{at} {w}{at + 1} {g['wire_0_22'] * g['hop']:g}")
    return "\n".join(lines) + "\n"


def idle(g: Mapping[str, float]) -> str:
    """No driver is on."""
    return f"""\
The bus rests: what bias leaves between A and B
{_bus(g, g["termination_end"])}.tran 1n 100n
.meas tran idle_head FIND par('v(a0)-v(b0)') AT=90n
.meas tran idle_last FIND par('v(a8)-v(b8)') AT=90n
.end
"""


def edges(g: Mapping[str, float]) -> str:
    """The last seat sends a zero and releases the line after its stop bit, as a board does."""
    bit = 1 / g["baud"]
    stop = 1e-6 + 2 * bit
    return f"""\
The last seat sends a bit and leaves the bus: what the hub hears
{_bus(g, g["termination_end"])}Vd d 0 PULSE(2.75 0.55 1u {g["edge"]:g} {g["edge"]:g} {bit:g} 1)
Vi i 0 PULSE(0.55 2.75 1u {g["edge"]:g} {g["edge"]:g} {bit:g} 1)
Von on 0 PULSE(1 0 {stop:g} {g["edge"]:g} {g["edge"]:g} 1 2)
Sa d a8 on 0 DRIVE
Sb i b8 on 0 DRIVE
.model DRIVE SW(Vt=0.5 Vh=0 Ron={g["driver_ohm"] + g["series_ohm"]:g} Roff=1e7)
.tran 1n 8u 0 1n
.meas tran sent WHEN v(d)=1.65 FALL=1
.meas tran heard WHEN par('v(a0)-v(b0)')=-0.2 FALL=1
.meas tran low_most MAX par('v(a0)-v(b0)') FROM={1e-6 + 0.25 * bit:g} TO={1e-6 + bit:g}
.meas tran high_least MIN par('v(a0)-v(b0)') FROM={1e-6 + 1.25 * bit:g} TO={stop:g}
.meas tran left_least MIN par('v(a0)-v(b0)') FROM={stop:g} TO=8u
.meas tran left_rests FIND par('v(a0)-v(b0)') AT={stop + 0.5 * bit:g}
.end
"""


CIRCUITS = {
    "plug-in": plug_in,
    "reversed": reversed_supply,
    "wrong-fet": wrong_fet,
    "idle": idle,
    "edges": edges,
}


def digest(netlist: str) -> str:
    """Return the hash by which a result identifies its netlist."""
    return hashlib.sha256(netlist.encode()).hexdigest()[:16]


def simulate(netlist: str) -> dict[str, float]:
    """Return ngspice's measurements. Raises :exc:`RuntimeError` if one is missing."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "circuit.cir"
        file.write_text(netlist, encoding="utf-8")
        done = subprocess.run(
            ["ngspice", "-b", str(file)], capture_output=True, text=True, timeout=120, check=False
        )
    wanted = re.findall(r"^\.meas tran (\w+)", netlist, re.M)
    found = {name.lower(): float(value) for name, value in _MEASURED.findall(done.stdout)}
    if set(wanted) - found.keys():
        raise RuntimeError(f"ngspice measured {sorted(found)} of {wanted}:\n{done.stdout[-2000:]}")
    return {name: found[name] for name in wanted}


def results() -> dict[str, dict[str, float | str]]:
    """Return the results by circuit: the measurements, and ``netlist``, the hash of their
    netlist."""
    return tomllib.loads(RESULTS.read_text(encoding="utf-8"))


def measured() -> dict[str, float]:
    """Return all measurements as ``spice_NAME``, for the documents."""
    return {
        f"spice_{name}": float(value)
        for each in results().values()
        for name, value in each.items()
        if name != "netlist"
    }


def run(given: Mapping[str, float]) -> None:
    """Simulate all circuits and keep the measurements."""
    lines = ["# Written by `make spice`: what ngspice measures in the netlists beside this file.\n"]
    for name, circuit in CIRCUITS.items():
        netlist = circuit(given)
        (FOLDER / f"{name}.cir").write_text(netlist, encoding="utf-8")
        lines.append(f'[{name}]\nnetlist = "{digest(netlist)}"')
        lines += [f"{key} = {value:.4g}" for key, value in simulate(netlist).items()]
        lines.append("")
    RESULTS.write_text("\n".join(lines), encoding="utf-8")


if __name__ == "__main__":
    run(values(inputs()))
