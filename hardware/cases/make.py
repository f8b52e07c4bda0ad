"""`make cases`: build, check, export and draw every case.

STL and STEP files go to `build/`, which git ignores, and pictures to `renders/`. `manifest.json`
gets the hashes of their sources and the measurements. After a fault the run ends with status 1 and
writes nothing.
"""

import argparse
import sys
from collections.abc import Callable
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import trimesh
from build123d import export_step, export_stl
from numpy.typing import NDArray

from hardware.cases import check, clock, hub, manifest, mount, picture, seat, template, usb_tray
from hardware.cases.parameters import HERE, Parameters, load
from hardware.cases.solids import Case, Keep, Part, Piece, Pos, turned

BUILD, RENDERS = HERE / "build", HERE / "renders"
CASES: dict[str, Callable[[Parameters], Case]] = {
    "seat": seat.build,
    "usb-tray": usb_tray.build,
    "clock": clock.build,
    "clock-digits": clock.build_digits,
    "clock-foot": clock.build_foot,
    "hub-pi4": partial(hub.build_for, model="4"),
    "hub-pi5": partial(hub.build_for, model="5"),
    "mount": mount.build,
}
VARIANTS = [
    (case, {"seat": {"module": module}})
    for case in ("seat", "usb-tray")
    for module in ("itead", "adafruit")
]
"""Built and checked like the others, but not exported: another reader is one word in the file."""
_SURFACE, _ANGLE = 0.01, 0.12
"""Greatest distance of the exported surface from the solid: mm, radians."""


def printed(piece: Piece) -> Part:
    """Return the piece in its printing position."""
    solid = turned(piece.solid) if piece.turned else piece.solid
    return Pos(0, 0, -solid.bounding_box().min.Z) * solid


def surface(solid: Part) -> NDArray[np.float64]:
    """Return its triangles, fine enough for a picture."""
    corners, triangles = solid.tessellate(0.05, 0.25)
    return np.array([[c.X, c.Y, c.Z] for c in corners])[np.array(triangles)]


def checked(p: Parameters, case: Case, folder: Path) -> tuple[list[str], dict[str, dict[str, Any]]]:
    """Check a case and write its STL and STEP files; return its faults and its pieces' figures."""
    faults, figures = list(check.faults_of_fit(case)), {}
    for piece in case.pieces:
        solid = printed(piece)
        path = folder / f"{piece.name}.stl"
        export_stl(solid, path, tolerance=_SURFACE, angular_tolerance=_ANGLE)
        export_step(solid, path.with_suffix(".step"))
        mesh = trimesh.load(path)
        found, places = check.measured(mesh)
        faults += check.faults_of_print(p, piece, mesh, found, places)
        figures[piece.name] = {**asdict(found), "least_wall": piece.thinnest}
    return faults, figures


def pictures(case: Case, folder: Path) -> None:
    """Draw the case apart and together, its steps, and each piece in its printing position."""
    parts: list[Piece | Keep] = [*(one for one in case.pieces if one.shown), *case.keeps]
    apart = [
        picture.Thing(surface(Pos(*part.away) * _seen(part)), part.colour, part.name)
        for part in parts
    ]
    picture.draw(apart, folder / f"{case.name}-apart.png", azimuth=-25)
    every: list[Piece | Keep] = [*case.pieces, *case.keeps, *case.props]
    by_name = {part.name: part for part in every}
    for number, step in enumerate(case.steps, 1):
        things = []
        for name in step.shows:
            solid = _seen(by_name[name])
            colour = by_name[name].colour
            things.append(picture.Thing(surface(turned(solid) if step.turned else solid), colour))
        path = folder / f"{case.name}-step-{number}-{step.name}.png"
        picture.draw(things, path, azimuth=-25, height=50)
    for piece in case.pieces:
        thing = picture.Thing(surface(printed(piece)), piece.colour)
        picture.draw([thing], folder / f"{piece.name}.png", azimuth=-25, height=50, wide=640)


def _seen(part: Piece | Keep) -> Part:
    return (isinstance(part, Keep) and part.pictured) or part.solid


def main(words: list[str]) -> int:
    """Make all cases, or the named ones; with `--only-check` nothing is kept."""
    parser = argparse.ArgumentParser(prog="make cases", description=__doc__)
    parser.add_argument("names", nargs="*", default=list(CASES), help=", ".join(CASES))
    parser.add_argument("--only-check", action="store_true")
    asked = parser.parse_args(words)
    if unknown := set(asked.names) - set(CASES):
        parser.error(f"no case is named {', '.join(sorted(unknown))}; there are {', '.join(CASES)}")
    for folder in (BUILD, BUILD / "variants", RENDERS):
        folder.mkdir(parents=True, exist_ok=True)
    p = load()
    faults: list[str] = []
    figures: dict[str, dict[str, Any]] = {}
    cases = [CASES[name](p) for name in asked.names]
    for case in cases:
        wrong, measured = checked(p, case, BUILD)
        faults, figures = faults + wrong, figures | measured
        for name, one in measured.items():
            size = " x ".join(f"{side:g}" for side in one["size"])
            print(f"{name}: {size} mm, walls from {one['wall']} mm, bridges to {one['bridge']} mm")
    for name, changes in VARIANTS:
        if name in asked.names:
            other = load(**changes)
            wrong = checked(other, CASES[name](other), BUILD / "variants")[0]
            faults += [f"with {changes}: {fault}" for fault in wrong]
    if faults:
        print("\n".join(["", *faults]), file=sys.stderr)
        return 1
    if set(asked.names) != set(CASES):
        print("not all cases: pictures and manifest are left as they are")
    elif not asked.only_check:
        for case in cases:
            pictures(case, RENDERS)
        template.write(p)
        manifest.write_table(figures)
        manifest.write_fasteners({case.name: case.fasteners for case in cases})
        manifest.write(figures, {case.name: case.facts for case in cases})
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
