"""Plants faults in solids and checks that each is found: the checks of `make cases` can fail.

Needs the modeller, so `make cases` runs it in its own environment, without this project's fixtures:
`pytest --noconftest`.
"""

import numpy as np
import pytest
import trimesh
from build123d import Box, Cylinder, Part, Pos, Rot, export_stl

from hardware.cases import check, parameters
from hardware.cases.mark import engraved, version
from hardware.cases.solids import Case, Fit, Keep, Piece, block, rod

P = parameters.load()


def faults(solid: Part, tmp_path, **more) -> list[str]:
    """Return the faults of a solid in its printing position."""
    path = tmp_path / "piece.stl"
    export_stl(solid, path, tolerance=0.01, angular_tolerance=0.12)
    mesh = trimesh.load(path)
    return list(
        check.faults_of_print(P, Piece("piece", solid, **more), mesh, *check.measured(mesh))
    )


def tray(wall: float = 2.4) -> Part:
    return block((0, 40), (0, 40), (0, 20)) - block((wall, 38), (2, 38), (2.4, 21))


def test_a_sound_tray_has_no_fault(tmp_path) -> None:
    assert faults(tray(), tmp_path) == []


def test_a_thin_wall(tmp_path) -> None:
    (fault,) = faults(tray(1.2), tmp_path)
    assert "a wall of 1.20 mm" in fault
    assert faults(tray(1.2), tmp_path, thinnest=1.2) == []


def test_two_bodies(tmp_path) -> None:
    apart = tray() + Pos(80, 0, 0) * tray()
    assert faults(apart, tmp_path) == ["piece: 2 bodies in place of one"]


def test_a_surface_that_is_not_closed() -> None:
    mesh = trimesh.creation.box((10, 10, 10))
    mesh.apply_translation((0, 0, 5))
    mesh.update_faces(np.arange(len(mesh.faces)) != 3)
    found = check.faults_of_print(P, Piece("piece", Box(10, 10, 10)), mesh, *check.measured(mesh))
    assert "piece: its surface is not closed" in list(found)


def test_too_large_for_the_bed(tmp_path) -> None:
    assert "do not fit on the bed" in faults(block((0, 230), (0, 20), (0, 5)), tmp_path)[0]


@pytest.mark.parametrize(("lean", "found"), [(40, False), (44, False), (50, True), (60, True)])
def test_too_steep_an_overhang(lean: float, found: bool, tmp_path) -> None:
    leaning = Rot(0, lean, 0) * Box(6, 30, 60)
    foot = block((-60, 20), (-15, 15), (0, 30))
    solid = (Pos(0, 0, 40) * leaning + foot) & block((-100, 100), (-50, 50), (0, 80))
    assert any("overhangs" in fault for fault in faults(solid, tmp_path)) == found


@pytest.mark.parametrize(("span", "found"), [(20, False), (29, False), (34, True)])
def test_a_bridge_that_is_too_long(span: float, found: bool, tmp_path) -> None:
    gate = block((0, span + 20), (0, 60), (0, 20)) - block((10, span + 10), (-1, 61), (-1, 15))
    wrong = faults(gate, tmp_path)
    assert any("a bridge of" in fault for fault in wrong) == found
    assert not any("overhangs" in fault for fault in wrong)


def test_an_unsupported_ledge(tmp_path) -> None:
    ledge = block((0, 20), (0, 20), (0, 30)) + block((0, 30), (0, 20), (25, 30))
    assert any("overhangs" in fault for fault in faults(ledge, tmp_path))


def test_a_board_that_touches_a_wall() -> None:
    board = Keep("board", block((2.2, 30), (5, 30), (5, 7)))
    (fault,) = check.faults_of_fit(Case("case", [Piece("tray", tray())], [board]))
    assert fault.startswith("tray reaches") and fault.endswith("into the room of the board")


def test_two_boards_in_one_place() -> None:
    boards = [
        Keep("a", block((5, 20), (5, 20), (5, 9))),
        Keep("b", block((15, 30), (5, 20), (8, 9))),
    ]
    assert "a and b need the same" in next(check.faults_of_fit(Case("case", [], boards)))


@pytest.mark.parametrize(
    ("gap", "word"), [(0.25, None), (0.1, "jams"), (0.5, "still moves"), (-0.1, "jams")]
)
def test_a_lid_that_jams_or_rattles(gap: float, word: str | None) -> None:
    hole = block((-20, 20), (-20, 20), (0, 10)) - rod((0, 0), (-1, 11), 20)
    pin = Cylinder(10 - gap, 8)
    found = list(
        check.faults_of_fit(Case("case", [], fits=[Fit("pin", Pos(0, 0, 5) * pin, hole, 0.2, 0.3)]))
    )
    assert bool(found) == (word is not None)
    assert all(word in fault for fault in found if word)


def test_a_version_is_engraved_in_a_free_face_and_nowhere_else(tmp_path) -> None:
    plate = block((-30, 30), (-20, 20), (0, 2.4))
    for z, below in ((2.4, False), (0, True)):
        cut = engraved(P, plate, (0, 0), z, below=below)
        assert cut.is_valid and len(cut.solids()) == 1
        assert faults(cut, tmp_path) == []
        assert 2 < plate.volume - cut.volume < 20
        assert cut.bounding_box().size == plate.bounding_box().size
    with_a_post = plate + block((3, 5), (-1, 1), (2, 9))
    for solid, at in ((with_a_post, (0, 0)), (plate, (23, 0)), (plate, (0, 18))):
        with pytest.raises(ValueError, match="no free face"):
            engraved(P, solid, at, 2.4)


def test_every_letter_of_a_version_is_drawn() -> None:
    other = parameters.load()
    other._table["version"] = "0123456789.v"
    cut = version(other, (0, 0), 0)
    assert len(cut.solids()) >= 12 and cut.bounding_box().size.X > 35
