"""The udev rules for readers on Debian 12 and 13: udev is asked how it would treat devices that are
not plugged in. Part of `make deb-test`, as root."""

import shutil
from collections.abc import Iterator

import pytest

from tests.packages.box import BASES, ROOT, SUITES, Box
from tests.packages.devices import RULES, TREE, Port, Told, asked

OURS = f"{RULES}/70-facedown.rules"
CHIPS = {
    "FTDI": Port("1-1", "0403", "6001", "A1"),
    "CP210x": Port("1-1", "10c4", "ea60", "0001", "cp210x"),
    "CH34x": Port("1-1", "1a86", "7523", "", "ch341-uart"),
    "PL2303": Port("1-1", "067b", "2303", "", "pl2303"),
    "Pico": Port("1-1", "2e8a", "0005", "E660", "cdc_acm", "ttyACM0"),
    "Espressif": Port("1-1", "303a", "1001", "AB:CD", "cdc_acm", "ttyACM0"),
}
MODEM = Port("1-1", "12d1", "1506", "", "option")
PATH = "/dev/serial/by-path/pci-0000:00:14.0-usb-0:1:1.0"
pytestmark = pytest.mark.timeout(300)


@pytest.fixture(params=SUITES)
def box(request: pytest.FixtureRequest) -> Iterator[Box]:
    with Box(request.param, BASES / f"box-{request.param}") as box:
        box.put(ROOT / "systemd/facedown.rules", OURS)
        yield box


def comes(box: Box, port: Port) -> tuple[Told, Told, Told]:
    """Return what udev does with the board, its serial line and its device file."""
    shutil.rmtree(box.at(TREE), ignore_errors=True)
    port.put(box.at(TREE))
    line = port.line if port.driver != "cdc_acm" else port.tty
    return asked(box, port.usb), asked(box, line), asked(box, port.tty)


def test_every_chip_gets_stable_names_and_is_not_taken_for_a_modem(box: Box) -> None:
    for chip, port in CHIPS.items():
        board, _, tty = comes(box, port)
        assert board.has("ID_MM_DEVICE_IGNORE=1"), chip
        assert tty.has("ID_MM_DEVICE_IGNORE=1"), chip
        assert tty.has("ID_MM_PORT_IGNORE=1"), chip
        bridge = port.driver != "cdc_acm"
        assert PATH + ("-port0" if bridge else "") in tty.links, chip
        if port.serial:
            known = [link for link in tty.links if "/by-id/" in link]
            assert known and all(port.serial.replace(":", "") in x.replace(":", "") for x in known)


def test_an_ftdi_chip_answers_at_once(box: Box) -> None:
    written = "latency_timer"
    _, line, _ = comes(box, CHIPS["FTDI"])
    told = [x for x in line.text.splitlines() if "70-facedown.rules" in x and written in x]
    assert len(told) == 1, line.text
    assert "writing '1'" in told[0] or told[0].endswith('="1".'), told
    _, line, _ = comes(box, CHIPS["CP210x"])
    assert written not in line.text


def test_two_boards_without_a_serial_number_are_told_apart_by_their_ports(box: Box) -> None:
    first = Port("1-1", "1a86", "7523", "", "ch341-uart", "ttyUSB0")
    second = Port("1-2", "1a86", "7523", "", "ch341-uart", "ttyUSB1")
    names = [{*comes(box, port)[2].links} for port in (first, second)]
    swapped = [
        {*comes(box, port)[2].links}
        for port in (
            Port("1-1", "1a86", "7523", "", "ch341-uart", "ttyUSB1"),
            Port("1-2", "1a86", "7523", "", "ch341-uart", "ttyUSB0"),
        )
    ]
    assert names == swapped
    by_path = [{link for link in each if "by-path" in link} for each in names]
    assert all(by_path) and not by_path[0] & by_path[1]


def test_names_exist_without_the_systems_own_rules(box: Box) -> None:
    everything = {chip: comes(box, port)[2].links for chip, port in CHIPS.items()}
    box.at("/etc/udev/rules.d/60-serial.rules").symlink_to("/dev/null")
    for chip, port in CHIPS.items():
        links = comes(box, port)[2].links
        assert links and links == everything[chip], chip


def test_devices_of_others_are_left_alone(box: Box) -> None:
    with_ours = comes(box, MODEM)
    for told in with_ours:
        assert "ID_MM_" not in told.text
        assert "latency_timer" not in told.text
    box.at(OURS).unlink()
    assert comes(box, MODEM)[2].links == with_ours[2].links
