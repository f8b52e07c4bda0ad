"""A command killed at any file-system call leaves each file it replaces complete, old or new."""

from pathlib import Path

from hub.config.demo import make_demo
from hub.config.loader import load_table
from hub.daemon.outputs import OUTPUTS
from hub.install.removing import USERS
from tests.support.killed import killed
from tests.support.smallhub import make_folder

AGAIN = "# written again\n"


def contents(folder: Path) -> dict[str, str]:
    files = (each for each in folder.rglob("*") if each.is_file() or each.is_symlink())
    return {
        each.relative_to(folder).as_posix(): str(each.readlink())
        if each.is_symlink()
        else each.read_text(encoding="utf-8")
        for each in files
    }


INIT = f"""
from pathlib import Path
from hub.config.starter import write_folder
from hub.daemon.outputs import OUTPUTS
files = [each for each in Path().rglob("*.toml")]
write_folder(Path(), {{str(each): each.read_text() + {AGAIN!r} for each in files}}, OUTPUTS)
"""


def test_a_killed_init_over_an_existing_table(tmp_path: Path) -> None:
    table = tmp_path / "table"
    make_folder(table)
    before = contents(table)
    ends = []
    modules = "hub.config.starter hub.daemon.outputs"
    for _, folder in killed(INIT, table, tmp_path, modules=modules):
        after = {name: text for name, text in contents(folder).items() if name in before}
        assert after.keys() == before.keys(), f"{folder}: a file is gone"
        ends.append({text.removeprefix(before[name]) for name, text in after.items()})
        assert ends[-1] <= {"", AGAIN}
        load_table(folder / "hub.toml", OUTPUTS)
    assert ends[0] == {""} and ends[-1] == {AGAIN}


INSTALL = f"""
from pathlib import Path
from hub.install.carrying import Carrier, Place
from hub.install.steps import File, Link, Plan
plan = Plan(steps=(
    File(path="/etc/a.conf", content={AGAIN!r}),
    Link(path="/etc/b.conf", target="a.conf"),
    Link(path="/etc/c.conf", target="a.conf"),
))
[*Carrier(Place(Path().absolute()), overwrite=True).carry_out(plan)]
"""


def test_a_killed_installation_over_changed_files(tmp_path: Path) -> None:
    machine = tmp_path / "machine"
    (machine / "etc").mkdir(parents=True)
    (machine / "etc/a.conf").write_text("mine")
    (machine / "etc/b.conf").write_text("mine")
    (machine / "etc/c.conf").symlink_to("mine")
    for status, folder in killed(INSTALL, machine, tmp_path, modules="hub.install.carrying"):
        after = contents(folder)
        assert after["etc/a.conf"] in {"mine", AGAIN}
        assert after["etc/b.conf"] in {"mine", "a.conf"} and after["etc/c.conf"] in {
            "mine",
            "a.conf",
        }
        aside = [text for name, text in after.items() if name.endswith(".facedown-old")]
        assert {*aside} <= {"mine"} and (status or len(aside) == 3)


DEMO = """
from pathlib import Path
from hub.config.demo import make_demo
make_demo(Path(), web_port=0)
"""


def test_a_killed_demo_leaves_a_working_demo(tmp_path: Path) -> None:
    make_demo(tmp_path / "demo", web_port=0)
    for _, folder in killed(DEMO, tmp_path / "demo", tmp_path, modules="hub.config.demo"):
        make_demo(folder, web_port=0)


WITNESS = 'from pathlib import Path; from hub.cli.witness import _seed; _seed(Path("key"))'


def test_a_killed_witness_has_a_whole_key_or_none(tmp_path: Path) -> None:
    (tmp_path / "witness").mkdir()
    for _, folder in killed(WITNESS, tmp_path / "witness", tmp_path, modules="hub.cli.witness"):
        assert not (folder / "key").exists() or len((folder / "key").read_text()) == 65


REMOVE = """
from pathlib import Path
from hub.install.carrying import Place
from hub.install.removing import USERS, _remove_users
[*_remove_users(Place(Path().absolute()))]
"""


def test_a_killed_removal_keeps_other_users_of_the_broker(tmp_path: Path) -> None:
    users = tmp_path / "machine" / USERS.lstrip("/")
    users.parent.mkdir(parents=True)
    users.write_text("hub:secret\nmine:secret\n")
    for _, folder in killed(REMOVE, tmp_path / "machine", tmp_path, modules="hub.install.removing"):
        assert "mine:secret\n" in (folder / USERS.lstrip("/")).read_text()
