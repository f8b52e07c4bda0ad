"""A ``/sys`` tree for USB devices that do not exist, for asking udev's own rules engine how it
would treat them.

Ref: sysfs-rules, udevadm(8) ``test``; systemd's ENVIRONMENT.md, ``SYSTEMD_DEVICE_VERIFY_SYSFS``.
"""

import os
import shlex
from pathlib import Path

from msgspec import Struct

from tests.packages.box import Box

TREE = "/root/sys"
_HOST = "devices/pci0000:00/0000:00:14.0"
_HUB = f"{_HOST}/usb1"
RULES = "/usr/lib/udev/rules.d"


class Told(Struct, frozen=True):
    """Udev's plans for a device."""

    text: str

    @property
    def links(self) -> set[str]:
        found = next((x for x in self.text.splitlines() if x.strip()[:9] == "DEVLINKS="), "")
        return {*found.partition("=")[2].split()}

    def has(self, line: str) -> bool:
        return line in map(str.strip, self.text.splitlines())


class Port(Struct, frozen=True):
    """A serial line on USB. ``place``: its position in the tree of USB ports, such as ``1-1.2``."""

    place: str
    vendor: str
    product: str = "0001"
    serial: str = ""
    driver: str = "ftdi_sio"
    node: str = "ttyUSB0"

    @property
    def usb(self) -> str:
        return f"{_HUB}/{self.place}"

    @property
    def line(self) -> str:
        """The sysfs path of a USB serial adapter's line; an ACM board has no such level."""
        return f"{self.usb}/{self.place}:1.0/{self.node}"

    @property
    def tty(self) -> str:
        bridge = self.driver != "cdc_acm"
        return (
            f"{self.line}/tty/{self.node}"
            if bridge
            else f"{self.usb}/{self.place}:1.0/tty/{self.node}"
        )

    def put(self, root: Path) -> None:
        """Write the device's files below ``root``."""
        _device(root, _HOST, "bus/pci", "xhci_hcd", "PCI_SLOT_NAME=0000:00:14.0")
        _device(root, _HUB, "bus/usb", "usb", "DEVTYPE=usb_device", idVendor="1d6b")
        more = {"serial": self.serial} if self.serial else {}
        _device(
            root, self.usb, "bus/usb", "usb",
            "DEVTYPE=usb_device\nMAJOR=189\nMINOR=1\nDEVNAME=bus/usb/001/002",
            idVendor=self.vendor, idProduct=self.product, manufacturer="Maker", product="Line",
            bDeviceClass="00", bcdDevice="0100", busnum="1", devnum="2", **more,
        )  # fmt: skip
        interface = f"{self.usb}/{self.place}:1.0"
        _device(
            root, interface, "bus/usb", self.driver, "DEVTYPE=usb_interface",
            bInterfaceNumber="00", bInterfaceClass="ff", bInterfaceSubClass="ff",
            bInterfaceProtocol="ff", bNumEndpoints="02",
        )  # fmt: skip
        if self.driver != "cdc_acm":
            _device(
                root, self.line, "bus/usb-serial", self.driver, f"DRIVER={self.driver}",
                latency_timer="16", port_number="0",
            )  # fmt: skip
        _device(root, self.tty, "class/tty", "", f"MAJOR=188\nMINOR=0\nDEVNAME={self.node}")


def asked(box: Box, device: str) -> Told:
    """Return udev's answer to the arrival of a device."""
    command = (
        f"mount -t tmpfs tmpfs /sys; cp -a {TREE}/. /sys; SYSTEMD_DEVICE_VERIFY_SYSFS=0 "
        f"udevadm test --action=add {shlex.quote(f'/sys/{device}')} 2>&1"
    )
    return Told(box.run(command))


def _device(root: Path, path: str, subsystem: str, driver: str, uevent: str, **has: str) -> None:
    folder = root / path
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "uevent").write_text(f"{uevent}\n")
    links = {"subsystem": subsystem, "driver": driver and f"{subsystem}/drivers/{driver}"}
    for name, target in links.items():
        if target and not (folder / name).is_symlink():
            (root / target).mkdir(parents=True, exist_ok=True)
            (folder / name).symlink_to(os.path.relpath(root / target, folder))
    for name, value in has.items():
        (folder / name).write_text(f"{value}\n")
