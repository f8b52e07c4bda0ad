"""Each file next to the journal, replaced by every kind of object, at a start and while the table
plays. Either the table plays on or the hub ends and says so in one line; it never hangs."""

import asyncio
import json
import os
import random
import re
import shutil
from collections.abc import Callable, Iterator
from io import BytesIO
from itertools import count, product
from pathlib import Path

import aiohttp
import pytest
from PIL import Image

from hub.journal import SqliteJournal
from hub.journal.marks import write_snapshot
from tests.support.evening import Evening
from tests.support.playing import SECONDS, sit
from tests.support.smallhub import SmallHub, make_folder
from tests.support.thinned import thinned

NUMBERS = count(1)


def remove(path: Path) -> None:
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)


def folder(path: Path) -> None:
    remove(path)
    path.mkdir()
    (path / "something").touch()


def elsewhere(path: Path) -> None:
    """Move the file away and leave a symbolic link to it."""
    there = path.with_name(f"elsewhere{path.suffix}")
    if path.exists() or path.is_symlink():
        path.rename(there)
    else:
        there.touch()
    path.symlink_to(there)


def nowhere(path: Path) -> None:
    remove(path)
    path.symlink_to(path.with_name("nowhere"))


def fifo(path: Path) -> None:
    remove(path)
    os.mkfifo(path)


def empty(path: Path) -> None:
    remove(path)
    path.touch()


def foreign(path: Path) -> None:
    remove(path)
    path.write_bytes(b"\xff\x00 something else\n" * 400)


def unreadable(path: Path) -> None:
    if not path.exists():
        path.touch()
    path.chmod(0)


STATES: dict[str, Callable[[Path], object]] = {
    "a folder": folder,
    "a link": elsewhere,
    "a loose link": nowhere,
    "a pipe": fifo,
    "empty": empty,
    "foreign": foreign,
    "unreadable": unreadable,
}
KINDS = {
    "a folder": "a folder",
    "a link": "a symbolic link",
    "a loose link": "a symbolic link",
    "a pipe": "a pipe (FIFO)",
}
"""The words for each kind in a message."""
PLAYS = ""
"""The table plays and nothing is said."""


def ends(words: str) -> str:
    return f"facedown: {{folder}}{words}"


def all_but(words: str, **others: str) -> dict[str, str]:
    """Return ``words`` for every state, with ``{kind}`` filled in, except for the states in
    ``others``."""
    named = {each.replace("_", " "): said for each, said in others.items()}
    told = {each: words.replace("{kind}", KINDS.get(each, "")) for each in STATES}
    return {**told, **named}


SQLITE = "this is {kind}, not a file of the journal's; move it away"
LOST = "it ends with record 0, and record 3 was told already"
SESSIONS = "pages may ask for their keys again after a restart"
SOUND = "the table sounds as at its first start"
DOOR = "cannot ask this hub: {path}: something else lies there; move it away"
USERS = "let the hub's user read and write it"
LOCK = "see to the file and its folder"
UNTOLD = "what was told last cannot be read"
WHOLE = "the whole journal is"

AT_A_START: dict[str, dict[str, str]] = {
    "": all_but(
        ends("den.journal: this is {kind}, not a file; name another"),
        a_link=PLAYS,
        a_loose_link=PLAYS,  # all the data is in the -wal
        empty=ends("den.journal: the journal of this table is gone, and this is left: den.j"),
        foreign=PLAYS,  # as above
        unreadable=ends("den.journal: it cannot be opened; check that"),
    ),
    "-wal": all_but(
        ends(f"den.journal-wal: {SQLITE}"),
        empty=ends(f"den.journal: {LOST}"),
        foreign=ends(f"den.journal: {LOST}"),
        unreadable=ends(f"den.journal-wal: {USERS}"),
    ),
    "-shm": all_but(
        ends(f"den.journal-shm: {SQLITE}"),
        empty=PLAYS,
        foreign=PLAYS,  # SQLite creates it again
        unreadable=ends(f"den.journal-shm: {USERS}"),
    ),
    "-journal": all_but(
        ends(f"den.journal-journal: {SQLITE}"),
        empty=PLAYS,
        foreign=PLAYS,  # not an SQLite file
        unreadable=ends(f"den.journal-journal: {USERS}"),
    ),
    "-lock": all_but(
        ends(f"den.journal-lock: is {{kind}}, not a file; {LOCK}"),
        empty=PLAYS,
        foreign=PLAYS,
        unreadable=ends(f"den.journal-lock: Permission denied; {LOCK}"),
    ),
    "-told": all_but(
        ends(f"den.journal-told: {UNTOLD} (is {{kind}}, not a file); let"),
        empty=PLAYS,  # the power was cut while it was created
        foreign=ends("den.journal-told: this does not say what was told last; delete it"),
        unreadable=ends(f"den.journal-told: {UNTOLD} (Permission denied)"),
    ),
    "-snapshot": all_but(
        f"den.journal-snapshot cannot be read: is {{kind}}, not a file; {WHOLE}",
        empty=f"den.journal-snapshot is not whole; {WHOLE} read",
        foreign=f"den.journal-snapshot is not whole; {WHOLE} read",
        unreadable=f"den.journal-snapshot cannot be read: Permission denied; {WHOLE}",
    ),
    "-snapshot.new": all_but(PLAYS),
    "-restored": all_but(
        PLAYS,  # the hub makes only files of this name
        empty=ends("den.journal-restored: this is an empty file, not a journal; to put a backup"),
        foreign=ends("den.journal-restored: this is not a journal of Facedown; name another file"),
        unreadable=ends("den.journal-restored: it cannot be opened; check that"),
    ),
    ".status": all_but(f"facedown status {DOOR}"),
    ".keys": all_but(f"facedown addresses {DOOR}"),
    ".sessions": all_but(
        f"den.journal.sessions is {{kind}}, not a file: {SESSIONS}",
        empty=f"den.journal.sessions is damaged: {SESSIONS}",
        foreign=f"den.journal.sessions is damaged: {SESSIONS}",
        unreadable=f"den.journal.sessions cannot be read (Permission denied): {SESSIONS}",
    ),
    ".sound": all_but(
        f"den.journal.sound is {{kind}}, not a file: {SOUND}",
        empty=f"den.journal.sound is damaged: {SOUND}",
        foreign=f"den.journal.sound is damaged: {SOUND}",
        unreadable=f"den.journal.sound cannot be read (Permission denied): {SOUND}",
    ),
    ".sessions.new": all_but(PLAYS),
    ".sound.new": all_but(PLAYS),
    ".pictures": all_but(PLAYS),  # read only when a picture is uploaded
}
GONE = ends("den.journal{suffix}: was moved, deleted or replaced while the hub was using it")
NO_PICTURE = "a picture could not be kept in {folder}den.journal.pictures: "
NO_SESSIONS = "den.journal.sessions cannot be written (Is a directory)"
NO_SOUND = "den.journal.sound cannot be written (Is a directory)"
HELD_OPEN = (
    *("-shm", "-journal", "-lock", "-told", "-snapshot", "-snapshot.new", "-restored"),
    *(".status", ".keys"),
)
"""Files that the hub holds open or does not read again; the next start reports them."""

WHILE_IT_PLAYS: dict[str, dict[str, str]] = {
    "": all_but(GONE, unreadable=PLAYS),
    "-wal": all_but(GONE, unreadable=PLAYS),
    **{suffix: all_but(PLAYS) for suffix in HELD_OPEN},
    ".sessions": all_but(PLAYS, a_folder=NO_SESSIONS),
    ".sound": all_but(PLAYS, a_folder=NO_SOUND),
    ".sessions.new": all_but(PLAYS, a_folder=NO_SESSIONS),
    ".sound.new": all_but(PLAYS, a_folder=NO_SOUND),
    ".pictures": all_but(
        f"{NO_PICTURE}is no folder",
        a_folder=PLAYS,
        a_link=PLAYS,
        unreadable=f"{NO_PICTURE}Permission denied",
    ),
}


@pytest.fixture(scope="session")
def table(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a table that was played and whose hub was killed."""
    folder = tmp_path_factory.mktemp("table")
    path = make_folder(folder, web=True)
    talk = Evening(gm_seat="gm")
    talk.do("stakes The tide book")
    with SqliteJournal.open(path, "test") as journal:
        journal.append(talk.rows)
        write_snapshot(path, journal.point(2, "of another version"))
        for suffix in ("", "-wal", "-shm"):
            shutil.copyfile(f"{path}{suffix}", folder / f"kept{suffix}")
    for suffix in ("", "-wal", "-shm"):
        (folder / f"kept{suffix}").rename(f"{path}{suffix}")
    (folder / "den.journal.pictures").mkdir(mode=0o700)
    written = {"wall_s": 0, "uptime_s": 0, "boot": ""}
    sessions = json.dumps({"sessions": [], "written": written})
    (folder / "den.journal.sessions").write_text(sessions)
    (folder / "den.journal.sound").write_text("{}")
    for each in folder.iterdir():
        if each.is_file():
            each.chmod(0o600)
    return folder


@pytest.fixture
def here(table: Path, tmp_path: Path) -> Path:
    """A copy of that folder for one test."""
    folder = tmp_path / "table"
    shutil.copytree(table, folder)
    return folder


def judge(hub: SmallHub, path: Path, expected: str) -> None:
    """Check that exactly one line names the file, or none if nothing is ``expected``."""
    words = expected.format(folder=f"{path.parent}/", path=path, suffix=path.name[11:])
    assert "Traceback" not in hub.output and "fault of" not in hub.output, hub.output
    lines = [line for line in hub.output.splitlines() if "level=debug" not in line]
    own = path.name.removesuffix(".new")
    named = [line for line in lines if f"{path.parent}/{own}" in line or "facedown:" in line]
    assert [line for line in named if words not in line] == [], expected
    assert len(named) == (1 if expected else 0), hub.output


TOGETHER = tuple(
    suffix
    for suffix, said in AT_A_START.items()
    if not any(words.startswith("facedown:") for words in said.values())
)
"""Files that never keep a hub from playing, in any state."""


APART = tuple((suffix,) for suffix in AT_A_START if suffix not in TOGETHER)


@pytest.mark.parametrize(
    ("suffixes", "state"), thinned(product((*APART, TOGETHER), STATES)), ids=str
)
def test_each_replaced_file_at_a_start(here: Path, suffixes: tuple[str, ...], state: str) -> None:
    for suffix in suffixes:
        STATES[state](here / f"den.journal{suffix}")
    ended = any(AT_A_START[suffix][state].startswith("facedown:") for suffix in suffixes)
    with SmallHub(here, bound=True) as hub:
        assert hub.until("reader is ready") is not ended, hub.output
        assert (hub.ended() if ended else hub.stop()) == (1 if ended else 0)
    for suffix in suffixes:
        if not suffix.endswith(".new"):  # no message mentions these
            judge(hub, here / f"den.journal{suffix}", AT_A_START[suffix][state])


def a_picture() -> bytes:
    made = BytesIO()
    Image.effect_noise((64, 64), random.uniform(10, 90)).save(made, "PNG")
    return made.getvalue()


async def use(hub: SmallHub) -> None:
    """Make the hub write to each file next to the journal."""
    number = next(NUMBERS)
    console = re.findall(r"GM console\s+(http://\S+)", hub.output)[-1]
    base = console[: console.index("/gm")]
    async with aiohttp.ClientSession(cookie_jar=aiohttp.CookieJar(unsafe=True)) as http:
        gm = await sit(http, console, "/ws/gm")
        await gm.until(lambda state: state)
        louder = {"do": "sound", "id": "sound", "volume": number % 100, "muted": False}
        await gm.socket.send_json(louder)
        async with http.post(f"{base}/portraits", data=a_picture(), headers={"Origin": base}) as _:
            pass
        told = {"id": f"{number:016}", "command": "tell-story", "deed": f"stakes Bell {number}"}
        await gm.socket.send_json({"do": "command", "command": told})
        async with asyncio.timeout(SECONDS):
            while (await gm.hear()).get("id") != told["id"]:
                pass


def evenings() -> Iterator[tuple[str, tuple[str, ...], str]]:
    """Yield a file, the states to try in one evening, and the expected line. All states without a
    line share an evening."""
    for suffix, said in WHILE_IT_PLAYS.items():
        yield suffix, tuple(state for state in STATES if said[state] == PLAYS), PLAYS
        yield from ((suffix, (state,), words) for state, words in said.items() if words != PLAYS)


@pytest.mark.parametrize(("suffix", "states", "expected"), thinned(evenings()), ids=str)
def test_each_file_replaced_during_play(
    here: Path, suffix: str, states: tuple[str, ...], expected: str
) -> None:
    path = here / f"den.journal{suffix}"
    with SmallHub(here, bound=True) as hub:
        assert hub.until("Seat gm") and hub.until("reader is ready")
        ended = expected.startswith("facedown:")
        for state in states:
            STATES[state](path)
            if ended:
                with pytest.raises((aiohttp.ClientError, TypeError)):
                    asyncio.run(use(hub))
            else:
                asyncio.run(use(hub))
        assert (hub.ended() if ended else hub.stop()) == (1 if ended else 0)
    judge(hub, path, expected)


def fill(disk: Path) -> Path:
    filler = disk / "filler"
    with filler.open("wb", buffering=0) as file:
        try:
            while file.write(bytes(4096)):
                pass
        except OSError:
            return filler
    raise AssertionError


def about(hub: SmallHub) -> Iterator[str]:
    """Yield the files next to the journal for which a line reports a full disk."""
    for line in hub.output.splitlines():
        if "No space left on device" in line or "the disk is full" in line:
            yield re.findall(r"den\.journal[a-z.-]*", line)[-1].rstrip(".")


def test_a_disk_that_is_full_at_a_start_and_has_room_again(here: Path) -> None:
    with SmallHub(here, disk_kb=2000, full=True) as hub:
        assert hub.until("Seat gm") and hub.until("reader is ready")

        async def used_all_the_same() -> None:
            using = asyncio.create_task(use(hub))
            await asyncio.to_thread(hub.until, "the table stands still")
            (hub.disk / "filler").unlink()
            await using

        asyncio.run(used_all_the_same())
        assert hub.stop() == 0
    assert sorted(about(hub)) == [
        *("den.journal", "den.journal.pictures", "den.journal.sessions", "den.journal.sound")
    ]
    assert "Traceback" not in hub.output


def test_a_disk_that_fills_while_it_plays(here: Path) -> None:
    with SmallHub(here, disk_kb=2000) as hub:
        assert hub.until("Seat gm") and hub.until("reader is ready")
        asyncio.run(use(hub))
        filler = fill(hub.disk)

        async def used_all_the_same() -> None:
            using = asyncio.create_task(use(hub))
            await asyncio.to_thread(hub.until, "the table stands still")
            filler.unlink()
            await using

        asyncio.run(used_all_the_same())
        assert hub.stop() == 0
    assert {*about(hub)} >= {"den.journal.sessions", "den.journal.sound", "den.journal.pictures"}
    assert "Traceback" not in hub.output


@pytest.mark.parametrize("state", ["a folder", "a loose link", "a pipe", "empty", "foreign"])
def test_an_unreadable_scene_or_deck_is_reported_and_the_table_plays_on(
    here: Path, state: str
) -> None:
    """Both are read again during play, and the GM is told."""

    async def begin(hub: SmallHub) -> str:
        console = re.findall(r"GM console\s+(http://\S+)", hub.output)[-1]
        async with aiohttp.ClientSession(cookie_jar=aiohttp.CookieJar(unsafe=True)) as http:
            gm = await sit(http, console, "/ws/gm")
            asked = {"id": f"{next(NUMBERS):016}", "command": "start-scene"}
            await gm.socket.send_json({"do": "command", "command": asked})
            async with asyncio.timeout(SECONDS):
                while (reply := await gm.hear()).get("id") != asked["id"]:
                    pass
        return str(reply["reason"])

    with SmallHub(here, bound=True) as hub:
        assert hub.until("Seat gm") and hub.until("reader is ready")
        for name in ("scene.toml", "deck.toml"):
            STATES[state](here / name)
        assert "scene.toml" in asyncio.run(begin(hub))
        asyncio.run(use(hub))
        assert hub.stop() == 0
    assert "Traceback" not in hub.output
