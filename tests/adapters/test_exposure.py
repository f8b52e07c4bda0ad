"""Files and secrets that others could read or change are reported before play."""

from pathlib import Path

import pytest
from typer.testing import CliRunner

from hub.cli.main import app
from hub.config.demo import make_demo


@pytest.fixture
def config(tmp_path: Path) -> Path:
    return make_demo(tmp_path, web_port=0)


def remarks(config: Path) -> list[str]:
    result = CliRunner().invoke(app, ["check-config", str(config)])
    assert result.exit_code == 0, result.stderr
    return result.stderr.splitlines()


def test_the_demo_keeps_its_secrets(config: Path) -> None:
    assert remarks(config) == []


def test_files_that_others_can_read_or_change_are_named(config: Path, tmp_path: Path) -> None:
    for name in ("deck.toml", "scene.toml", "crow.toml"):
        (tmp_path / name).chmod(0o644)
    config.chmod(0o666)  # a file without a password may be readable
    read, changed = remarks(config)
    for name in ("deck.toml", "scene.toml", "crow.toml"):
        assert f"{name} (mode 644)" in read and name not in changed
    assert "hub.toml (mode 666)" in changed and "hub.toml (" not in read
    assert (tmp_path / "deck.toml").stat().st_mode & 0o777 == 0o644, "what is no journal is left"


@pytest.mark.parametrize(
    ("host", "extra", "told"),
    [
        ("broker.local", "", True),
        ("192.0.2.7", "", True),
        ("broker.local", "[mqtt.tls]\n", False),
        ("127.0.0.1", "", False),
        ("localhost", "", False),
    ],
)
def test_a_password_sent_in_the_clear_is_reported(
    config: Path, host: str, extra: str, told: bool
) -> None:
    text = config.read_text(encoding="utf-8")
    head, _, rest = text.partition("[mqtt]")
    mqtt = f'[mqtt]\nenabled = true\nhost = "{host}"\nusername = "hub"\npassword = "sesame"\n'
    config.write_text(f"{head}{mqtt}{extra}[web]{rest.partition('[web]')[2]}", encoding="utf-8")
    config.chmod(0o600)
    found = remarks(config)
    assert bool(found) == told
    if told:
        line = next(n for n, t in enumerate(config.read_text().splitlines(), 1) if "sesame" in t)
        assert f"hub.toml:{line}: mqtt.password: crosses the network to {host}" in found[0]
    config.chmod(0o640)
    assert any("hub.toml (mode 640)" in one for one in remarks(config))
    assert "sesame" not in "".join(remarks(config))
