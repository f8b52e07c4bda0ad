"""The files that `facedown provision` writes, keeps or refuses."""

import os
import re
import shutil
import socket
import stat
import subprocess
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from hub.cli.main import app
from hub.install import table
from hub.install.broker import ACL, CONF, USERS, listener, port_fault
from hub.install.carrying import Carrier, Place
from hub.install.mosquitto import entries, fits, hashed, new_password, with_entries
from hub.install.steps import Command, File, Link, Plan, Refused, is_own
from hub.install.table import Became, Reach, set_as_owner, with_reach
from tests.install.machine import Machine
from tests.support.broker import Mosquitto
from tests.support.papers import made_in

REACH = Reach("127.0.0.1", 1883, "hub", "mqtt-password")


@pytest.fixture
def pi(tmp_path: Path) -> Machine:
    return Machine(tmp_path / "pi")


def test_a_dry_run_lists_everything_and_writes_nothing(pi: Machine) -> None:
    before = pi.everything()
    said = pi.provision("--dry-run")
    for path in (CONF, USERS, ACL):
        assert path in said
    assert pi.everything() == before
    assert not pi.at("/etc/facedown").exists()


def test_each_path_outside_its_own_is_named(pi: Machine) -> None:
    before = {*pi.everything()}
    said = pi.provision()
    for path in {*pi.everything()} - before:
        assert is_own(f"/{path}") or f"/{path}" in said


def test_a_second_run_changes_nothing(pi: Machine) -> None:
    pi.provision("--homeassistant", "--port", 1999)
    before = pi.everything()
    assert "nothing was changed" in pi.provision()
    assert pi.everything() == before


def test_options_stay_until_they_are_taken_back(pi: Machine) -> None:
    pi.provision("--anonymous-reading", "--homeassistant")
    assert "allow_anonymous true" in pi.text(CONF)
    pi.provision("--renew", "display")
    assert "allow_anonymous true" in pi.text(CONF)
    pi.provision("--no-anonymous-reading", "--no-homeassistant")
    assert "allow_anonymous false" in pi.text(CONF)
    assert "homeassistant" not in entries(pi.text(USERS))


def test_only_hashes_are_kept_and_only_root_reads_secrets(pi: Machine) -> None:
    pi.provision("--homeassistant")
    known = entries(pi.text(USERS))
    assert {*known} == {"hub", "display", "device", "gm", "homeassistant"}
    for user, entry in known.items():
        password = pi.password(user)
        assert len(password) == 20
        assert fits(password, entry)
        assert not fits(password[:-1], entry)
        for path in pi.root.rglob("*"):
            if path.is_file() and "credentials" not in path.parts and path.name != "passwords":
                assert password not in path.read_text()
    for path in ("passwords", "credentials/table/mqtt-password", "written.json"):
        assert stat.S_IMODE(pi.at(f"/etc/facedown/{path}").stat().st_mode) == 0o600
    assert stat.S_IMODE(pi.at(USERS).stat().st_mode) == 0o640


def test_renewing_a_password_changes_no_other(pi: Machine) -> None:
    pi.provision()
    before, hub = entries(pi.text(USERS)), pi.password("hub")
    pi.provision("--renew", "display")
    after = entries(pi.text(USERS))
    assert [user for user in before if before[user] != after[user]] == ["display"]
    assert fits(pi.password("display"), after["display"])
    assert pi.password("hub") == hub
    pi.provision("--table", "second")  # another table's hub is the same user
    pi.provision("--renew", "hub")
    hubs = {
        pi.text(f"/etc/facedown/credentials/{name}/mqtt-password") for name in ("table", "second")
    }
    assert hubs == {pi.password("hub") + "\n"} != {hub + "\n"}
    assert fits(pi.password("hub"), entries(pi.text(USERS))["hub"])


def test_a_hub_unknown_to_the_broker_gets_a_new_password(pi: Machine) -> None:
    pi.provision()
    pi.at(USERS).write_text(with_entries(pi.text(USERS), {"hub": hashed("another")}))
    pi.provision()
    assert fits(pi.password("hub"), entries(pi.text(USERS))["hub"])


def test_users_of_others_stay(pi: Machine) -> None:
    pi.at(USERS).write_text("# mine\nweather:$7$101$c2FsdA==$aGFzaA==\n")
    pi.provision()
    assert pi.text(USERS).startswith("# mine\nweather:$7$101$c2FsdA==$aGFzaA==\n")


def test_a_file_changed_by_hand_is_kept_and_named(pi: Machine) -> None:
    pi.provision()
    mine = pi.text(ACL) + "user weather\ntopic read facedown/#\n"
    pi.at(ACL).write_text(mine)
    said = pi.provision("--anonymous-reading")
    assert re.search(rf"kept +{ACL}: you have changed it.*{ACL}\.facedown-new", said)
    assert pi.text(ACL) == mine
    assert "gives no name" in pi.text(ACL + ".facedown-new")
    pi.provision("--overwrite")
    assert pi.text(ACL + ".facedown-old") == mine
    assert "weather" not in pi.text(ACL)
    pi.at(ACL).write_text("# again\n")
    pi.provision("--overwrite")
    assert pi.text(ACL + ".facedown-old") == mine, "what was moved aside first is lost"


def test_a_file_of_others_is_not_overwritten(pi: Machine) -> None:
    pi.at(CONF).write_text("listener 1883\n")
    pi.provision()
    assert pi.text(CONF) == "listener 1883\n"


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("listener 1883", []),
        ("port 1883", []),
        ("password_file /etc/mosquitto/passwd", []),
        ("acl_file /etc/mosquitto/acl", []),
        ("allow_anonymous true", []),
        ("per_listener_settings true", []),
        ("listener 8883", ["--tls"]),
    ],
)
def test_a_setting_that_mosquitto_takes_only_once_is_refused_if_already_set(
    pi: Machine, tmp_path: Path, line: str, words: list[str]
) -> None:
    pi.at("/etc/mosquitto/conf.d/mine.conf").write_text(f"# mine\n{line}\n")
    pem = tmp_path / "pem"
    pem.write_text("-----BEGIN CERTIFICATE-----\n-----BEGIN PRIVATE KEY-----\n")
    before = pi.everything()
    result = pi.run("provision", *words, *([pem, pem] if words else []))
    assert result.exit_code == 2
    assert f"mine.conf:2: {line}" in result.output
    assert pi.everything() == before


def test_a_missing_mosquitto_is_explained(tmp_path: Path) -> None:
    pi = Machine(tmp_path / "pi", mosquitto=False)
    before = pi.everything()
    result = pi.run("provision")
    assert result.exit_code == 2
    assert "sudo apt install mosquitto" in result.output
    assert pi.everything() == before


def test_the_program_that_uses_the_port_is_named() -> None:
    with socket.create_server(("0.0.0.0", 0)) as other:
        port = other.getsockname()[1]
        name = Path("/proc/self/comm").read_text().strip()
        assert f"port {port} is in use by {name}" in str(port_fault(port))
    assert port_fault(port) is None
    assert listener(port) == ""


def test_a_port_used_by_mosquitto_is_accepted(tmp_path: Path) -> None:
    with Mosquitto(tmp_path) as broker:
        assert port_fault(broker.port) is None
        assert listener(broker.port) == "mosquitto"


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (["--table", "Den"], "the table 'Den'"),
        (["--renew", "homeassistant"], "--homeassistant"),
        (["--tls", "/nowhere", "/nowhere"], "/nowhere: No such file"),
        (["--tls", "/etc/hostname", "/etc/hostname"], "/etc/hostname: has no certificate in PEM"),
        (["--renew", "somebody"], "somebody"),
        (["--port", "0"], "--port"),
    ],
)
def test_bad_options_are_refused_in_one_line(pi: Machine, words: list[str], why: str) -> None:
    before = pi.everything()
    result = pi.run("provision", *words)
    assert result.exit_code == 2
    assert why in result.output
    assert pi.everything() == before


def test_a_broken_list_of_written_files_is_named(pi: Machine) -> None:
    pi.provision()
    pi.at("/etc/facedown/written.json").write_text("{")
    result = pi.run("provision")
    assert result.exit_code == 2
    assert "written.json" in result.output
    assert "move it aside" in result.output


def test_only_the_broker_can_read_the_tls_key(pi: Machine, tmp_path: Path) -> None:
    papers = made_in(tmp_path / "papers")
    pi.provision("--tls", papers / "broker.pem", papers / "broker.key")
    assert "listener 1883 127.0.0.1\n\nlistener 8883\ncertfile" in pi.text(CONF)
    there = pi.at("/etc/mosquitto/certs/facedown.key")
    assert stat.S_IMODE(there.stat().st_mode) == 0o640
    assert there.read_text() == (papers / "broker.key").read_text()


def test_keys_and_certificates_that_no_broker_could_use_are_refused(
    pi: Machine, tmp_path: Path
) -> None:
    papers = made_in(tmp_path / "papers")
    locked, broken = tmp_path / "locked", tmp_path / "broken"
    wrap = ["openssl", "pkey", "-aes256", "-passout", "pass:word", "-in"]
    subprocess.run([*wrap, papers / "broker.key", "-out", locked], check=True)
    broken.write_text("-----BEGIN PRIVATE KEY-----\nbm8=\n-----END PRIVATE KEY-----\n")
    before = pi.everything()
    for key, why in (
        (papers / "hub.key", "hub.key: is the key of another certificate"),
        (locked, f"openssl pkey -in {locked}"),
        (broken, "OpenSSL cannot use them"),
    ):
        result = pi.run("provision", "--tls", papers / "broker.pem", key)
        assert result.exit_code == 2
        assert why in result.output
        assert pi.everything() == before


def test_only_root_may_provision_the_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    result = CliRunner().invoke(app, ["provision"])
    assert result.exit_code == 2
    assert result.output == (
        "only root may do that: put sudo before it, or look first with --dry-run\n"
    )


def test_a_file_is_written_whole_or_not_at_all(
    pi: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    pi.provision()
    before = pi.everything()
    real, calls = os.fsync, []

    def full(handle: int) -> None:
        calls.append(handle)
        if len(calls) == 3:
            raise OSError(28, "No space left on device")
        real(handle)

    monkeypatch.setattr(os, "fsync", full)
    result = pi.run("provision", "--renew", "hub", "--anonymous-reading")
    assert result.exit_code == 2
    assert "No space left" in result.output
    contents = {path: (content, mode) for path, (content, mode, _) in pi.everything().items()}
    assert contents == {path: (content, mode) for path, (content, mode, _) in before.items()}


def test_a_link_of_others_stays(pi: Machine) -> None:
    pi.at("/usr/local/bin").mkdir(parents=True)
    pi.at("/usr/local/bin/facedown").write_text("mine")
    plan = Plan((Link(path="/usr/local/bin/facedown", target="/opt/facedown/venv/bin/facedown"),))
    said = [*Carrier(Place(pi.root)).carry_out(plan)]
    assert [done.deed for done in said] == ["kept"]
    assert pi.text("/usr/local/bin/facedown") == "mine"


def test_an_older_link_of_ours_is_back_if_a_later_step_fails(pi: Machine) -> None:
    where = "/usr/local/bin/facedown"
    [*Carrier(Place(pi.root)).carry_out(Plan((Link(path=where, target="/opt/old"),)))]
    fails = Command(words=("false",))
    with pytest.raises(Refused):
        newer = Plan((Link(path=where, target="/opt/new"), fails))
        [*Carrier(Place(pi.root)).carry_out(newer)]
    assert str(pi.at(where).readlink()) == "/opt/old"


def test_a_missing_user_is_named(pi: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 0)  # as root; the user is looked up first
    plan = Plan((File(path="/etc/x", content="x", user="nobody-here"),))
    with pytest.raises(Refused, match="there is no user nobody-here"):
        [*Carrier(Place(pi.root)).carry_out(plan)]
    assert not pi.at("/etc/x").exists()


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("", {"enabled": True}),
        ("[mqtt]\nenabled = false # x\nhost = '127.0.0.1'\n\n[web]\nport = 1\n", {"enabled": True}),
        ("[mqtt] # here\n[web]\nport = 1\n", {"enabled": True}),
        ("[mqtt]\npassword = 'x'\nusername = ''\nprotocol = '5'\n", {"protocol": "5"}),
        ("[mqtt]\nembedded = true\nenabled = true\n", {"embedded": False}),
        ("[mqtt]\nenabled = true\nusername = 'hub'\npassword_file = 'x'\n", {"enabled": True}),
    ],
)
def test_a_tables_mqtt_settings_are_written_and_the_rest_stays(
    before: str, after: dict[str, object]
) -> None:
    made = with_reach(before, REACH)
    assert made is not None
    values = tomllib.loads(made)
    reach = {"host": "127.0.0.1", "port": 1883, "username": "hub"}
    assert values["mqtt"] == {
        "enabled": True,
        "password_credential": "mqtt-password",
        **reach,
        **after,
    }
    assert values.get("web") == tomllib.loads(before).get("web")
    assert with_reach(made, REACH) == made


@pytest.mark.parametrize(
    "text",
    [
        "[mqtt]\nenabled = true\nhost = '192.168.1.20'\n",
        "[mqtt]\nenabled = true\nusername = 'somebody'\n",
    ],
)
def test_a_table_with_another_broker_stays_unchanged(text: str) -> None:
    assert with_reach(text, REACH) is None


def test_a_hub_that_connects_by_tls_stays_unchanged() -> None:
    text = """[mqtt]
enabled = true
host = "den.local"
port = 8883
username = "hub"
password_credential = "mqtt-password"
[mqtt.tls]
ca = "ca.pem"
"""
    assert with_reach(text, REACH) == text
    assert with_reach(text.replace('"hub"', '"somebody"'), REACH) is None


@pytest.mark.parametrize(
    "text",
    ["[mqtt", "mqtt = 3\n", "mqtt = { enabled = false }\n", "[mqtt]\n[mqtt.tls]\nca = 'x'\n"],
)
def test_a_file_that_cannot_be_edited_safely_is_refused(text: str) -> None:
    with pytest.raises(ValueError):
        with_reach(text, REACH)


class Rights:
    """Records whose rights are in force. Run as root, they really change; otherwise they are only
    recorded, because the kernel lets no other user switch."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.real = os.geteuid() == 0
        self.now = {"setgroups": tuple(os.getgroups()), "setegid": 0, "seteuid": 0}
        self.before = dict(self.now)
        self.used: list[dict[str, object]] = []
        for name in self.now:
            monkeypatch.setattr(os, name, self._noting(name, getattr(os, name)))
        if not self.real:
            monkeypatch.setattr(os, "geteuid", lambda: self.now["seteuid"])
        real = table.set_reach

        def watched(*words: Any, **more: Any) -> Became:
            self.used.append(dict(self.now))
            return real(*words, **more)

        monkeypatch.setattr(table, "set_reach", watched)

    def _noting(self, name: str, real: Callable[[Any], None]) -> Callable[[Any], None]:
        def become(who: Any) -> None:
            if self.real:
                real(who)
            self.now[name] = tuple(who) if name == "setgroups" else who

        return become


@pytest.fixture
def owned(tmp_path: Path) -> Path:
    """A table's folder whose owner is not root."""
    folder = tmp_path / "table"
    folder.mkdir()
    if not os.geteuid():
        os.chown(folder, 65534, 65534)
    for parent in tmp_path.parents:
        if not parent.stat().st_mode & stat.S_IXOTH:
            parent.chmod(parent.stat().st_mode | stat.S_IXOTH)
    tmp_path.chmod(0o755)
    return folder


def test_a_tables_file_is_changed_with_its_owners_rights(
    owned: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Root must not follow a symbolic link that the hub's user has made."""
    victim = Path(shutil.copy("/etc/hostname", owned.parent / "victim"))
    victim.chmod(0o000 if os.geteuid() else 0o600)
    config, owner = owned / "hub.toml", owned.stat()
    rights = Rights(monkeypatch)
    config.symlink_to(victim)
    with pytest.raises(Refused, match="Permission denied"):
        set_as_owner(config, REACH)
    assert rights.now == rights.before
    config.unlink()
    config.write_text("[web]\n")
    os.chown(config, owner.st_uid, owner.st_gid)
    assert set_as_owner(config, REACH) is Became.SET
    assert config.stat().st_uid == owner.st_uid
    assert (owned / "hub.toml.facedown-old").read_text() == "[web]\n"
    assert rights.now == rights.before
    of_owner = {"setgroups": (), "setegid": owner.st_gid, "seteuid": owner.st_uid}
    assert rights.used == [of_owner, of_owner]


def test_provisioning_sets_the_tables_mqtt(pi: Machine) -> None:
    pi.at("/var/lib/facedown/table").mkdir(parents=True)
    config = pi.at("/var/lib/facedown/table/hub.toml")
    config.write_text("[mqtt]\nenabled = false\n")
    said = pi.provision()
    assert "/var/lib/facedown/table/hub.toml: [mqtt]" in said
    assert tomllib.loads(config.read_text())["mqtt"]["enabled"] is True
    assert "nothing was changed" in pi.provision()


def test_our_hashes_equal_those_of_mosquitto_passwd(tmp_path: Path) -> None:
    program = shutil.which("mosquitto_passwd")
    assert program, "these tests need mosquitto: apt-get install mosquitto"
    file = tmp_path / "users"
    password = new_password()
    file.write_text(f"theirs:{password}\n")
    subprocess.run([program, "-U", file], check=True, capture_output=True)
    assert fits(password, entries(file.read_text())["theirs"])
    assert hashed(password) != hashed(password)
    assert hashed(password).startswith("$7$")
    assert not fits("", entries(file.read_text())["theirs"])
    assert not any(fits(password, bad) for bad in ("", "$7$", "$6$a$b", "$7$x$eA==$eA==", "plain"))
