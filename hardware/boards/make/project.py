"""The files beside a schematic: project, design rules, tables of libraries."""

import json

from hardware.boards.make.data import Board, full_name

_ERC_ERRORS = "error"
CLEARANCE = 0.2
EDGE = 0.5
VIA, DRILL = 0.7, 0.35


def project(board: Board) -> str:
    """The text of the ``.kicad_pro``."""
    classes = [
        {
            "name": name,
            "clearance": CLEARANCE,
            "track_width": width,
            "via_diameter": VIA,
            "via_drill": DRILL,
            "microvia_diameter": 0.3,
            "microvia_drill": 0.1,
            "diff_pair_gap": 0.25,
            "diff_pair_via_gap": 0.25,
            "diff_pair_width": 0.2,
            "wire_width": 6,
            "bus_width": 12,
            "line_style": 0,
            "pcb_color": "rgba(0, 0, 0, 0.000)",
            "schematic_color": "rgba(0, 0, 0, 0.000)",
            "priority": 2147483647 if name == "Default" else at,
        }
        for at, (name, width) in enumerate(board.widths.items())
    ]
    said = {
        "board": {
            "design_settings": {
                "defaults": {
                    "silk_text_size_h": 0.9,
                    "silk_text_size_v": 0.9,
                    "silk_text_thickness": 0.15,
                },
                "rules": {
                    "min_clearance": CLEARANCE,
                    # A leg between two tracks has one spoke, and the other side's plane its own.
                    "min_resolved_spokes": 1,
                    "min_copper_edge_clearance": EDGE,
                    "min_hole_clearance": 0.25,
                    "min_hole_to_hole": 0.25,
                    "min_through_hole_diameter": 0.3,
                    "min_track_width": 0.2,
                    "min_via_annular_width": 0.13,
                    "min_via_diameter": 0.6,
                    "min_text_height": 0.8,
                    "min_text_thickness": 0.15,
                    "solder_mask_to_copper_clearance": 0.0,
                },
            }
        },
        "meta": {"filename": f"{board.id}.kicad_pro", "version": 3},
        "net_settings": {
            "classes": classes,
            "meta": {"version": 4},
            "netclass_patterns": [
                {"netclass": name, "pattern": full_name(net)}
                for name, nets in board.classes.items()
                for net in nets
            ],
        },
        "schematic": {"legacy_lib_dir": "", "legacy_lib_list": []},
        "sheets": [[board.uuid("sheet"), "Root"]],
        "text_variables": {},
    }
    return json.dumps(said, indent=2) + "\n"


def rules(board: Board) -> str:
    """The text of the ``.kicad_dru``, by which the check reports a track without the width of its
    class.

    KiCad does not report a class that matches no net; make.check compares them.
    """
    made = ["(version 1)"]
    for name, width in board.widths.items():
        if name != "Default":
            made.append(
                f'(rule "{name}"\n'
                f"\t(constraint track_width (min {min(width, 0.5)}mm))\n"
                f"\t(condition \"A.hasNetclass('{name}')\"))"
            )
    return "\n".join(made) + "\n"


def tables(board: Board, symbols: set[str], footprints: set[str]) -> dict[str, str]:
    """The tables of the libraries that the board uses: the file's name → its text."""
    return {
        "sym-lib-table": _table("sym_lib_table", "KICAD9_SYMBOL_DIR", "kicad_sym", symbols),
        "fp-lib-table": _table("fp_lib_table", "KICAD9_FOOTPRINT_DIR", "pretty", footprints),
    }


def _table(head: str, variable: str, ending: str, names: set[str]) -> str:
    lines = [f"({head}", "  (version 7)"]
    for name in sorted(names):
        folder = "${KIPRJMOD}/../../lib" if name == "facedown" else f"${{{variable}}}"
        where = f'(uri "{folder}/{name}.{ending}")(options "")(descr "")'
        lines.append(f'  (lib (name "{name}")(type "KiCad"){where})')
    return "\n".join([*lines, ")"]) + "\n"
