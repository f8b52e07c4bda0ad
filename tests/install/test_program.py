"""The files and commands of `facedown install`, and the files that `uninstall` leaves."""

import sys
from pathlib import Path

import pytest

from hub.install.broker import ACL, CONF, USERS
from hub.install.carrying import Carrier, Place
from hub.install.program import COMMAND, LINK, RULES, packaged_files, program
from hub.install.removing import uninstall
from hub.install.steps import Command, Plan, Refused, is_own
from tests.install.machine import Machine

CHIPS = {"0403": "FTDI", "10c4": "CP210x", "1a86": "CH34x", "2e8a": "Pico", "303a": "Espressif"}


@pytest.fixture
def pi(tmp_path: Path) -> Machine:
    pi = Machine(tmp_path / "pi")
    pi.at(COMMAND).parent.mkdir(parents=True)
    pi.at(COMMAND).write_text("")
    return pi


def words(plan: Plan) -> list[str]:
    return [" ".join(step.words) for step in plan.steps if isinstance(step, Command)]


def install(pi: Machine, **wanted: bool) -> list[str]:
    """Install the files without running system programs, and return a line about each."""
    plan = program(Place(pi.root), running=False, **wanted)
    files = Plan(tuple(step for step in plan.steps if not isinstance(step, Command)))
    return [f"{done.deed} {done.where}" for done in Carrier(Place(pi.root)).carry_out(files)]


def test_install_adds_a_user_units_rules_and_the_command(pi: Machine) -> None:
    said = install(pi)
    assert {
        f"made /etc/systemd/system/{name}" for name in packaged_files() if "service" in name
    } <= {*said}
    assert pi.at(LINK).readlink() == Path(COMMAND)
    assert "u facedown" in pi.text("/etc/sysusers.d/facedown.conf")
    assert "0700 facedown facedown" in pi.text("/etc/tmpfiles.d/facedown.conf")
    assert install(pi) == []


def test_daemons_reload_on_a_running_machine_but_not_in_a_folder(pi: Machine) -> None:
    still = words(program(Place(pi.root), running=False))
    assert [line.split()[0] for line in still] == [
        "chmod", "systemd-sysusers", "systemd-tmpfiles", "systemctl",
    ]  # fmt: skip
    assert all(str(pi.root) in line for line in still)
    told = words(program(Place(pi.root), running=True))
    assert "udevadm control --reload" in told
    assert "systemctl daemon-reload" in told
    pi.at("/etc/group").write_text("gpio:x:986:\n")
    assert any(
        "usermod" in line and "gpio" in line
        for line in words(program(Place(pi.root), running=False))
    )


def test_rules_cover_every_reader_chip(pi: Machine) -> None:
    install(pi)
    rules = pi.text(RULES)
    assert 'ATTR{latency_timer}="1"' in rules
    for chip in CHIPS:
        assert chip in rules
    assert rules.count('ENV{ID_MM_DEVICE_IGNORE}="1"') == 2


def test_the_display_needs_four_programs(pi: Machine) -> None:
    with pytest.raises(Refused, match="apt install cage xwayland chromium kbd"):
        program(Place(pi.root), kiosk=True, running=False)
    for name in ("cage", "Xwayland", "chromium", "chvt"):
        pi.at("/usr/bin").mkdir(exist_ok=True)
        pi.at(f"/usr/bin/{name}").touch()
    plan = program(Place(pi.root), kiosk=True, running=False)
    assert any("enable facedown-kiosk.service" in line for line in words(plan))


def test_a_program_outside_the_units_path_is_refused() -> None:
    with pytest.raises(Refused) as refused:
        program(Place(), running=False)
    assert sys.prefix in str(refused.value)
    assert "sudo python3 -m venv /opt/facedown/venv" in str(refused.value)


def test_a_missing_program_is_refused(tmp_path: Path) -> None:
    with pytest.raises(Refused, match="there is no program"):
        program(Place(Machine(tmp_path / "pi").root), running=False)


def test_files_of_a_debian_package_are_left_to_the_package(pi: Machine) -> None:
    pi.at("/var/lib/dpkg/info").mkdir(parents=True)
    pi.at("/var/lib/dpkg/info/facedown.list").touch()
    for command in ("install", "uninstall"):
        result = pi.run(command)
        assert result.exit_code == 2
        assert "Debian package" in result.output
    assert pi.at(COMMAND).exists()


def test_with_the_debian_package_install_only_enables_the_display(pi: Machine) -> None:
    pi.at("/var/lib/dpkg/info").mkdir(parents=True)
    pi.at("/var/lib/dpkg/info/facedown.list").touch()
    pi.at("/usr/bin").mkdir(exist_ok=True)
    with pytest.raises(Refused, match="apt install cage xwayland chromium kbd"):
        program(Place(pi.root), kiosk=True, running=False)
    for name in ("cage", "Xwayland", "chromium-browser", "chvt"):
        pi.at(f"/usr/bin/{name}").touch()
    plan = program(Place(pi.root), kiosk=True, running=False)
    assert not [*plan.files()], "every file is the package's"
    assert [line.rpartition(" ")[2] for line in words(plan)] == [
        "/usr/share/facedown/facedown-kiosk.sysusers.conf",
        "facedown-kiosk.service",
    ]


def test_a_dry_run_lists_commands_and_runs_none(pi: Machine) -> None:
    before = pi.everything()
    result = pi.run("install", "--dry-run")
    assert result.exit_code == 0
    assert "systemd-sysusers" in result.output
    assert pi.everything() == before


def played(pi: Machine) -> Path:
    """Set up a table that has a journal, and a broker. Return the table's folder."""
    table = pi.at("/var/lib/facedown/table")
    table.mkdir(parents=True)
    (table / "table.journal").write_text("evenings")
    pi.provision()
    return table


def test_uninstall_keeps_the_tables(pi: Machine) -> None:
    before = {path for path in pi.everything() if not is_own(f"/{path}")}
    install(pi)
    table = played(pi)
    [*uninstall(Place(pi.root), purge=False, running=False)]
    left = {path for path in pi.everything() if not is_own(f"/{path}")} - before
    assert left == {path.lstrip("/") for path in (CONF, ACL, USERS)}
    assert (table / "table.journal").exists()
    assert not pi.at("/opt/facedown").exists()
    assert not pi.at(LINK).is_symlink()
    pi.at(COMMAND).parent.mkdir(parents=True)
    pi.at(COMMAND).write_text("")
    install(pi)  # and a new installation finds the old state
    assert "nothing was changed" in pi.provision()


def test_a_purge_leaves_nothing(pi: Machine) -> None:
    before = pi.everything()
    install(pi)
    played(pi)
    [*uninstall(Place(pi.root), purge=True, running=False)]
    del before[COMMAND.lstrip("/")]
    locks = {"etc/.pwd.lock", "etc/passwd-", "etc/group-"}  # written by the system's userdel
    assert {*pi.everything()} - locks == {*before}
    assert not pi.at("/etc/facedown").exists()
    assert not pi.at("/var/lib/facedown").exists()


def test_a_purge_keeps_entries_and_files_of_others(pi: Machine) -> None:
    install(pi)
    pi.at(USERS).write_text("weather:$7$101$c2FsdA==$aGFzaA==\n")
    played(pi)
    pi.at(RULES).write_text("# mine\n")
    said = [
        f"{done.deed} {done.where}" for done in uninstall(Place(pi.root), purge=True, running=False)
    ]
    assert pi.text(USERS) == "weather:$7$101$c2FsdA==$aGFzaA==\n"
    assert pi.text(RULES) == "# mine\n"
    assert f"kept {RULES}" in said


def test_a_purge_asks_first_and_a_script_must_pass_yes(pi: Machine) -> None:
    install(pi)
    played(pi)
    before = pi.everything()
    result = pi.run("uninstall", "--purge")
    assert result.exit_code == 2
    assert str(pi.at("/var/lib/facedown")) in result.output
    assert "--yes" in result.output
    assert pi.everything() == before
