"""Serial devices are named by lasting names."""

import os
from pathlib import Path

import pytest

from hub.readers import devices
from hub.readers.devices import SERIAL, candidates, lasts, serial_devices, socket_of


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


def test_a_device_goes_by_its_id(serial: Path) -> None:
    plug(serial, "ttyUSB0", "pci-usb-0:1", "usb-FTDI_A1")
    plug(serial, "ttyUSB1", "pci-usb-0:2", "usb-FTDI_A2")
    names = [f"{serial}/by-id/usb-FTDI_A1", f"{serial}/by-id/usb-FTDI_A2"]
    assert serial_devices() == names


def test_two_of_the_same_name_go_by_their_ports(serial: Path) -> None:
    plug(serial, "ttyUSB0", "pci-usb-0:1", "usb-1a86_USB_Serial")
    plug(serial, "ttyUSB1", "pci-usb-0:2")  # the same adapter again: by-id has one name for both
    (serial / "by-path" / "pci-usbv2-0:2").symlink_to("../../dev/ttyUSB1")
    assert serial_devices() == [f"{serial}/by-path/pci-usb-0:{n}" for n in (1, 2)]


def test_nothing_is_plugged_in(serial: Path) -> None:
    assert serial_devices() == []
    (serial / "by-id").rmdir()
    assert serial_devices() == []


def test_one_without_a_serial_number_goes_by_its_port_even_alone(serial: Path) -> None:
    plug(serial, "ttyUSB0", "pci-usb-0:1", "usb-1a86_USB_Serial-if00-port0")
    plug(serial, "ttyUSB1", "pci-usb-0:2", "usb-FTDI_A2")
    assert serial_devices() == [f"{serial}/by-id/usb-FTDI_A2", f"{serial}/by-path/pci-usb-0:1"]
    named = f"{serial}/by-id/usb-1a86_USB_Serial-if00-port0"
    assert socket_of(named) == f"{serial}/by-path/pci-usb-0:1"
    assert candidates(named) == [f"{serial}/by-path/pci-usb-0:1"]
    plug(serial, "ttyUSB2", "pci-usb-0:3")
    assert candidates(named) == [f"{serial}/by-path/pci-usb-0:{n}" for n in (1, 3)]
    assert candidates(f"{serial}/by-id/usb-FTDI_A2") == candidates("/dev/ttyUSB0") == []


def test_without_port_names_the_id_is_used(serial: Path) -> None:
    plug(serial, "ttyUSB0", "pci-usb-0:1", "usb-1a86_USB_Serial-if00-port0")
    (serial / "by-path" / "pci-usb-0:1").unlink()
    assert serial_devices() == [f"{serial}/by-id/usb-1a86_USB_Serial-if00-port0"]


@pytest.mark.parametrize(
    ("name", "it_lasts"),
    [
        ("/dev/serial/by-id/usb-1a86_USB_Serial-if00-port0", False),
        ("/dev/serial/by-id/usb-1a86_USB2.0-Serial-if00-port0", False),
        ("/dev/serial/by-id/usb-1a86_USB2.0-Ser_-if00-port0", False),
        ("/dev/serial/by-id/usb-1a86_7523-if00-port0", False),
        (
            "/dev/serial/by-id/usb-Silicon_Labs_CP2102_USB_to_UART_Bridge_Controller_0001-if00-port0",
            False,
        ),
        (
            "/dev/serial/by-id/usb-Prolific_Technology_Inc._USB-Serial_Controller_D-if00-port0",
            False,
        ),
        ("/dev/serial/by-id/usb-FTDI_FT232R_USB_UART_00000000-if00-port0", False),
        ("/dev/ttyUSB0", False),
        ("/dev/ttyACM1", False),
        ("/dev/serial/by-id/usb-1a86_USB_Single_Serial_5397000123-if00", True),
        ("/dev/serial/by-id/usb-FTDI_FT232R_USB_UART_A50285BI-if00-port0", True),
        (
            "/dev/serial/by-id/usb-Silicon_Labs_CP2102N_USB_to_UART_Bridge_Controller_7c98d1f-if00-port0",
            True,
        ),
        ("/dev/serial/by-id/usb-MicroPython_Board_in_FS_mode_e6614c311b7e6f35-if00", True),
        ("/dev/serial/by-path/pci-0000:00:14.0-usb-0:1:1.0-port0", True),
        ("/dev/ttyAMA0", True),
        ("/dev/serial0", True),
    ],
)
def test_names_that_last(name: str, it_lasts: bool) -> None:
    assert lasts(name) is it_lasts


@pytest.mark.parametrize(("told", "it_lasts"), [("A9X7\n", True), ("0001\n", False), (None, False)])
def test_the_system_knows_the_serial_number(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, told: str | None, it_lasts: bool
) -> None:
    """The adapter's own information takes precedence over the look of its name."""
    board = tmp_path / "board"
    tty = board / "1:1.0" / "ttyUSB0" / "tty" / "ttyUSB0"
    tty.mkdir(parents=True)
    (board / "idVendor").write_text("1a86\n")
    if told is not None:
        (board / "serial").write_text(told)
    (tty / "device").symlink_to(board / "1:1.0" / "ttyUSB0")
    number = Path("/dev/null").stat().st_rdev  # stands in for the device
    system = tmp_path / "sys"
    system.mkdir()
    (system / f"{os.major(number)}:{os.minor(number)}").symlink_to(tty)
    monkeypatch.setattr(devices, "_SYS", system)
    by_id = tmp_path / "by-id"
    by_id.mkdir()
    name = by_id / "usb-Someone_Else_s_Adapter-if00-port0"
    name.symlink_to("/dev/null")
    assert lasts(str(name)) is it_lasts
