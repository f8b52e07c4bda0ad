"""A simulated reader, as a user handles it."""

from pathlib import Path

import pytest

from hub.ports import VirtualField
from hub.sim.readers import SimulatedReader
from tests.adapters.readers.conftest import an_id


async def test_it_is_a_virtual_field_with_a_device_while_plugged_in(tmp_path: Path) -> None:
    with SimulatedReader("north", tmp_path, time_scale=0) as reader:
        field: VirtualField = reader
        assert field.name == "north"
        assert Path(reader.path).is_char_device()
        field.place(an_id("a"))
        field.place(an_id("a"))
        field.place("")
        assert field.tags() == (an_id("a"), "")
        field.unplug()
        field.unplug()
        assert not Path(reader.path).is_symlink()
        field.lift("")
        assert field.tags() == (an_id("a"),)
        field.replug()
        assert Path(reader.path).is_char_device()
        field.lift()
        field.lift()
        assert field.tags() == ()
    assert not Path(reader.path).is_symlink()


def test_an_invalid_tag_id_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="22 characters"):
        SimulatedReader("north", tmp_path).place("attack-high")


@pytest.mark.parametrize("name", ["", "../north", ".hidden"])
def test_a_name_that_is_no_file_name_is_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(ValueError, match="plain file name"):
        SimulatedReader(name, tmp_path)


def test_a_link_left_by_a_killed_process_is_replaced(tmp_path: Path) -> None:
    (tmp_path / "north").symlink_to("/dev/pts/gone")
    with SimulatedReader("north", tmp_path) as reader:
        assert Path(reader.path).is_char_device()
