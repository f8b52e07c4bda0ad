"""`facedown wifi`, and the code on the console: only those who can scan it can join."""

from pathlib import Path

import pytest
from PIL import Image
from typer.testing import CliRunner

from hub.cli.main import app
from hub.config.demo import make_demo
from hub.config.loader import load_config
from hub.daemon.outputs import OUTPUTS

PASSWORD = 'owl; "sleeps", C:\\night'
WIFI = '[web.wifi]\nssid = "Ta;ble"\npassword_file = "wifi.secret"\n'


@pytest.fixture
def config(tmp_path: Path) -> Path:
    file = make_demo(tmp_path, web_port=0)
    (tmp_path / "wifi.secret").write_text(f"{PASSWORD}\n")
    return file


def add(config: Path, more: str) -> None:
    config.write_text(config.read_text() + "\n" + more)


def wifi(*words: str | Path) -> tuple[int, str, str]:
    done = CliRunner().invoke(app, ["wifi", *map(str, words)])
    return done.exit_code, done.stdout, done.stderr


def test_the_code_holds_what_a_phone_needs(config: Path) -> None:
    add(config, WIFI)
    code = load_config(config, OUTPUTS).web.wifi
    assert code is not None
    # Special characters are escaped (ZXing, "Barcode Contents": Wi-Fi).
    said = code.code.unseal()
    assert said == 'WIFI:T:WPA;S:Ta\\;ble;P:owl\\; \\"sleeps\\", C\\:\\\\night;;'
    assert PASSWORD not in repr(load_config(config, OUTPUTS))


def test_the_code_is_drawn_and_written(config: Path, tmp_path: Path) -> None:
    add(config, WIFI)
    status, out, err = wifi("code", "--config", config)
    assert status == 0 and "joins Ta;ble" in out and "▄" in out
    assert "owl" not in out + err
    picture = tmp_path / "wifi.png"
    assert wifi("code", "--config", config, "--out", picture)[0] == 0
    with Image.open(picture) as drawn:
        assert drawn.size[0] > 300
    assert picture.stat().st_mode & 0o777 == 0o600
    status, _, err = wifi("code", "--config", config, "--out", tmp_path / "wifi.txt")
    assert status == 2 and ".svg" in err and len(err.splitlines()) == 1


@pytest.mark.parametrize(
    ("section", "password", "told"),
    [
        ("", "", "has no [web.wifi]"),
        (WIFI, "short", "8 to 63"),
        (WIFI, "ö" * 10, "8 to 63"),
        (WIFI, "x" * 64, "8 to 63"),
        (WIFI, "", "must hold a password"),
        (WIFI.replace("Ta;ble", "ü" * 17), "enough letters", "longer than 32 bytes"),
        (WIFI + 'password_credential = "wifi"\n', "enough letters", "keep one of them"),
        ('[web.captive]\nhost = "0.0.0.0"\n', "", "must be the hub’s own address"),
        ("[web.captive]\nport = 0\n", "", "a port"),
    ],
)
def test_a_fault_is_reported_in_one_line(
    config: Path, section: str, password: str, told: str
) -> None:
    add(config, section)
    (config.parent / "wifi.secret").write_text(f"{password}\n")
    status, out, err = wifi("code", "--config", config)
    assert status == 2 and not out
    assert told in err and len(err.splitlines()) == 1
    assert not password or password not in err


def test_systemd_may_provide_the_password(config: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    add(config, '[web.wifi]\nssid = "Table"\npassword_credential = "wifi"\n')
    assert "must hold a password" in wifi("code", "--config", config)[2]
    (config.parent / "wifi").write_text("the owl sleeps\n")
    monkeypatch.setenv("CREDENTIALS_DIRECTORY", str(config.parent))
    assert wifi("code", "--config", config)[0] == 0


@pytest.mark.parametrize("name", ["Facedown", "a.b", "-a", "a" * 60, "ö"])
def test_a_bad_name_is_refused(config: Path, name: str) -> None:
    config.write_text(config.read_text().replace('\nname = ""\n', f'\nname = "{name}"\n'))
    done = CliRunner().invoke(app, ["check-config", str(config)])
    assert done.exit_code == 2 and "web.name" in done.stderr
