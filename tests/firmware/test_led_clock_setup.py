"""A configured clock whose button has opened the set-up page again: the whole program on a board,
and a phone that opens the page."""

import html
import json
import re
import socket
import threading
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from hub.sim.boards import Board
from tests.support import micropython
from tests.support.broker import free_port

BUTTON = 15
STANDS: Mapping[str, object] = {
    "wifi": "the den", "wifi_password": "an old secret", "host": "10.0.0.2", "port": 8883,
    "username": "device", "password": "the broker's own", "tls": True, "ca": "ca.der",
    "ntp": "10.0.0.1", "table": "den", "name": "wall", "shows": "countdown", "of": "the-tide",
    "lights": 12, "brightness": 9,
}  # fmt: skip
SECRETS = ("wifi_password", "password")
_HASTY = """
from led_clock import main, portal
portal.IDLE_S = 1
main.start()
"""


class Phone:
    """A phone that has joined the clock's Wi-Fi."""

    def __init__(self, board: Board, http: int) -> None:
        self.board = board
        self._http = http

    def ask(self, form: Mapping[str, str] | None = None) -> tuple[int, str]:
        """Open the page, or send its form; return the status and the page."""
        data = None if form is None else urllib.parse.urlencode(form).encode()
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{self._http}/", data, 20) as answer:
                return answer.status, answer.read().decode()
        except urllib.error.HTTPError as error:
            with error:
                return error.code, error.read().decode()

    def knock(self) -> socket.socket:
        """Open a connection and send nothing."""
        return socket.create_connection(("127.0.0.1", self._http), 20)

    def restarted(self) -> None:
        assert self.board.wait_for(lambda: self.board.starts == 2), self.board.said


@pytest.fixture
def phone(tmp_path: Path) -> Iterator[Phone]:
    """Yields a phone near a clock whose button is held."""
    (tmp_path / "clock.json").write_text(json.dumps(STANDS))
    http = free_port()
    yield from beside(
        micropython.board("led_clock", folder=tmp_path, environment=ports(http)), http
    )


def ports(http: int) -> dict[str, str]:
    return {"SIM_PORT_80": str(http), "SIM_PORT_53": str(free_port())}


def beside(board: Board, http: int) -> Iterator[Phone]:
    board.pin(BUTTON, 0)
    with board:
        assert board.wait_for(lambda: b"and open http://" in board.said), board.said
        yield Phone(board, http)


def filled(page: str) -> dict[str, str]:
    """Return the form's values as a browser would send them."""
    found = {}
    for tag in re.findall(r"<input[^>]*>", page):
        said = dict(re.findall(r'(\w+)="([^"]*)"', tag))
        if said["type"] != "checkbox":
            found[said["name"]] = html.unescape(said["value"])
    for name, options in re.findall(r'<select name="(\w+)">(.*?)</select>', page):
        chosen = re.search(r'value="(\w+)" selected', options)
        assert chosen is not None
        found[name] = chosen[1]
    return found


def kept(folder: Path) -> dict[str, object]:
    found: dict[str, object] = json.loads((folder / "clock.json").read_text())
    return found


def test_sending_the_form_unchanged_changes_nothing(phone: Phone, tmp_path: Path) -> None:
    status, page = phone.ask()
    form = filled(page)
    assert status == 200
    shown = {**STANDS, "tls": "1", "wifi_password": "", "password": ""}
    for key, value in shown.items():
        assert form[key] == str(value), key
    for secret in SECRETS:
        assert str(STANDS[secret]) not in html.unescape(page)
    assert phone.ask(form)[0] == 200
    phone.restarted()
    found = kept(tmp_path)
    assert {key: found[key] for key in STANDS} == STANDS


def test_a_form_with_fewer_fields_keeps_the_other_settings(phone: Phone, tmp_path: Path) -> None:
    """A browser may have cached the page of an earlier version."""
    form = {"brightness": "200", "wifi_password": "", "password": "", "of": "the-storm"}
    assert phone.ask(form)[0] == 200
    phone.restarted()
    assert kept(tmp_path) == {**STANDS, "brightness": 200, "of": "the-storm"}


def test_refused_input_stays_in_the_form(phone: Phone, tmp_path: Path) -> None:
    typed = {
        "wifi": 'Caf\u00e9 "& <Co>', "wifi_password": "a new secret", "lights": "many", "tls": "0",
        "ca": "", "ntp": "", "host": "10.0.0.9", "password": "its new own",
    }  # fmt: skip
    status, page = phone.ask(typed)
    assert status == 400
    assert "lights must be a whole number from 1 to 512" in page
    for asked_again in (page, phone.ask()[1]):
        form = filled(asked_again)
        for key, value in {**typed, "wifi_password": "", "password": ""}.items():
            assert form[key] == value, key
        for secret in SECRETS:
            assert typed[secret] not in asked_again
            assert str(STANDS[secret]) not in asked_again
    assert kept(tmp_path) == STANDS
    assert phone.ask({**form, "lights": "24"})[0] == 200
    phone.restarted()
    found = kept(tmp_path)
    assert found["wifi"] == typed["wifi"]
    assert found["wifi_password"] == "a new secret"
    assert found["password"] == "its new own"
    assert (found["host"], found["lights"], found["tls"]) == ("10.0.0.9", 24, False)
    assert "ca" not in found and "ntp" not in found


@pytest.mark.parametrize(
    "changed", [{"host": "10.0.0.66"}, {"port": "1883"}, {"tls": "0"}, {"ca": ""}], ids=str
)
def test_a_password_is_not_reused_for_another_broker(
    phone: Phone, tmp_path: Path, changed: Mapping[str, str]
) -> None:
    """The page asks for no password, so a stranger on the clock's Wi-Fi could otherwise have the
    broker's password sent to their own machine."""
    status, page = phone.ask(changed)
    assert status == 400
    assert "password was for another broker: type it again" in page
    assert phone.ask({**changed, "password": "again"})[0] == 200
    phone.restarted()
    found = kept(tmp_path)
    assert found["password"] == "again"
    assert found["wifi_password"] == STANDS["wifi_password"]


def test_passwords_can_be_removed(phone: Phone, tmp_path: Path) -> None:
    status, _ = phone.ask({"no_wifi_password": "1", "no_password": "1", "username": ""})
    assert status == 200
    phone.restarted()
    assert not {*SECRETS, "username"} & kept(tmp_path).keys()


def test_invalid_settings_are_shown_and_can_be_fixed(tmp_path: Path) -> None:
    """One invalid value does not discard the others."""
    (tmp_path / "clock.json").write_text(
        json.dumps({**STANDS, "lights": 0, "port": [], "colour": 1})
    )
    http = free_port()
    board = micropython.board("led_clock", folder=tmp_path, environment=ports(http))
    for phone in beside(board, http):
        page = phone.ask()[1]
        assert "'colour' is unknown" in page
        form = filled(page)
        assert (form["lights"], form["port"], form["ntp"]) == ("0", "1883", "10.0.0.1")
        mended = {"lights": "24", "port": "8883", "password": str(STANDS["password"])}
        assert phone.ask({**form, **mended})[0] == 200
        phone.restarted()
    found = kept(tmp_path)
    assert "colour" not in found
    assert {key: found[key] for key in STANDS} == {**STANDS, "lights": 24}


def _hasty(folder: Path, http: int) -> Board:
    """A clock whose set-up timeout is a second instead of minutes."""
    firmware = folder / "flash"
    (firmware / "hasty").mkdir(parents=True)
    (firmware / "hasty" / "main.py").write_text(_HASTY)
    for name in ("sim", "common", "led_clock"):
        (firmware / name).symlink_to(micropython.FIRMWARE / name)
    return Board(
        "hasty",
        micropython=micropython.micropython(),
        firmware=firmware,
        folder=folder,
        environment=ports(http),
    )


def test_a_clock_left_in_set_up_goes_back_to_work(tmp_path: Path) -> None:
    (tmp_path / "clock.json").write_text(json.dumps(STANDS))
    http = free_port()
    board = _hasty(tmp_path, http)
    for phone in beside(board, http):
        board.pin(BUTTON, 1)
        phone.restarted()
        assert board.wait_for(lambda: len(board.pixels.get(0, b"")) == 3 * 12), board.said
    assert kept(tmp_path) == STANDS


def test_a_clock_without_settings_waits_for_them_forever(tmp_path: Path) -> None:
    """Without settings it has no work to return to; the page would only come and go."""
    http = free_port()
    board = _hasty(tmp_path, http)
    for phone in beside(board, http):
        assert not board.wait_for(lambda: board.starts > 1, 4)
        assert phone.ask()[0] == 200


@pytest.mark.parametrize("begun", [b"", b"GET / HTTP/1.1\r\nX: "], ids=["request", "header"])
def test_an_endless_line_is_not_buffered(phone: Phone, begun: bytes) -> None:
    with phone.knock() as line:
        line.settimeout(8)
        try:
            line.sendall(begun + b"x" * 20_000)
            assert line.recv(16).startswith(b"HTTP/1.0 431")
        except (ConnectionResetError, BrokenPipeError):
            pass  # it hung up before everything was sent
    assert phone.ask()[0] == 200
    assert phone.board.starts == 1
    assert b"Error" not in phone.board.said


@pytest.mark.parametrize(
    ("length", "status"),
    [(b"Content-Length: 99999\r\n", b"413"), (b"Content-Length: -1\r\n", b"413"),
     (b"", b"411"), (b"Content-Length: x\r\n", b"")],
)  # fmt: skip
def test_a_form_without_a_usable_length_is_refused(
    phone: Phone, length: bytes, status: bytes
) -> None:
    with phone.knock() as line:
        line.sendall(b"POST / HTTP/1.1\r\n" + length + b"\r\n")
        assert line.recv(16)[9:12] == status
    assert phone.board.starts == 1


@pytest.mark.parametrize("said", [b"x\r\n\r\n", b"\r\n\r\n", b" \r\n\r\n", b"\xff \r\n\r\n"])
def test_an_invalid_request_is_hung_up_on(phone: Phone, said: bytes) -> None:
    with phone.knock() as line:
        line.sendall(said)
        assert line.recv(12) in (b"", b"HTTP/1.0 302")
    assert phone.ask()[0] == 200
    assert b"Error" not in phone.board.said


def test_silent_connections_do_not_block_others(phone: Phone) -> None:
    """The oldest of them is closed."""
    silent = [phone.knock() for _ in range(20)]
    try:
        assert phone.ask()[0] == 200
        silent[0].settimeout(5)
        assert silent[0].recv(16) == b""
    finally:
        for each in silent:
            each.close()


def test_a_flood_of_dns_questions_does_not_block_the_page(tmp_path: Path) -> None:
    """An endless stream of name queries still leaves the page its turn."""
    (tmp_path / "clock.json").write_text(json.dumps(STANDS))
    http, done = free_port(), threading.Event()
    here = ports(http)
    board = micropython.board("led_clock", folder=tmp_path, environment=here)

    def flood() -> None:
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asking:
            while not done.is_set():
                asking.sendto(b"x" * 200, ("127.0.0.1", int(here["SIM_PORT_53"])))

    for phone in beside(board, http):
        assert phone.ask()[0] == 200
        flooding = threading.Thread(target=flood)
        flooding.start()
        try:
            assert phone.ask()[0] == 200
        finally:
            done.set()
            flooding.join()
