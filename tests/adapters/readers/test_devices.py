"""Serial devices are named by what lasts."""

from pathlib import Path

import pytest

from hub.readers.devices import SERIAL, serial_devices


@pytest.fixture
def serial(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv(SERIAL, str(tmp_path / "serial"))
    for name in ("serial/by-id", "serial/by-path", "dev"):
        (tmp_path / name).mkdir(parents=True)
    return tmp_path / "serial"


def plug(serial: Path, device: str, path: str, by_id: str = "") -> None:
    (serial.parent / "dev" / device).touch()
    for name in (f"by-path/{path}", f"by-id/{by_id}" if by_id else ""):
        if name:
            (serial / name).symlink_to(f"../../dev/{device}")


def test_a_device_goes_by_what_it_is(serial: Path) -> None:
    plug(serial, "ttyUSB0", "pci-usb-0:1", "usb-FTDI_A1")
    plug(serial, "ttyUSB1", "pci-usb-0:2", "usb-FTDI_A2")
    names = [f"{serial}/by-id/usb-FTDI_A1", f"{serial}/by-id/usb-FTDI_A2"]
    assert serial_devices() == names


def test_two_of_the_same_name_go_by_their_sockets(serial: Path) -> None:
    plug(serial, "ttyUSB0", "pci-usb-0:1", "usb-1a86_USB_Serial")
    plug(serial, "ttyUSB1", "pci-usb-0:2")  # the same adapter again: by-id has one name for both
    (serial / "by-path" / "pci-usbv2-0:2").symlink_to("../../dev/ttyUSB1")
    assert serial_devices() == [f"{serial}/by-path/pci-usb-0:{n}" for n in (1, 2)]


def test_nothing_is_plugged_in(serial: Path) -> None:
    assert serial_devices() == []
    (serial / "by-id").rmdir()
    assert serial_devices() == []
