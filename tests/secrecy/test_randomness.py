"""Every use of random bytes is fresh and shares nothing with any other use.

One table lists the uses of random bytes in the hub, and the values they become. In a life of the
hub, over a restart and with a reveal delay of zero, no value may appear twice. Otherwise a seal's
nonce, which the reveal publishes, would open the chance of the next step, or the log's public id a
scene's salt. Broken uses are planted, and each is found.
"""

import ast
import json
import sqlite3
import sys
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest

import hub.mqtt.homie
import hub.mqtt.probe
import hub.web.keys
import hub.web.sessions
from hub.daemon.runner import Runner
from hub.table.acts import reveal
from hub.table.transaction import Transaction
from hub.world import World as Machine
from tests.secrecy.leaks import after, put, some_now
from tests.support.tabletalk import TableTalk
from tests.support.twins.moment import Dice
from tests.support.twins.tale import TaleHands, TaleSetting
from tests.support.twins.world import FOLDER, Leak, World, live
from tests.table.test_sealed_chance import TOYS, scene

STEP, KEY, SESSION, BROWSER = "a step", "a page's key", "a session", "a browser's name"
PROBE, HOMIE = "a probe of the broker", "a command of Homie's"
DRAWS = {
    "hub.daemon.runner:apply": STEP,
    "hub.web.keys:new_key": KEY,
    "hub.web.sessions:open": SESSION,
    "hub.web.sessions:new_name": BROWSER,
    "hub.mqtt.probe:__init__": PROBE,
    "hub.mqtt.homie:_take": HOMIE,
}
"""The places where a running hub draws random bytes, and their uses."""
SEAL, CHANCE, SALT, LOG = "a seal's nonce", "a step's chance", "a document's salt", "the log's id"
ELSEWHERE = {
    "hub/cards/deck.py", "hub/cards/making.py", "hub/cards/store.py",  # tags, made by commands
    "hub/cli/witness.py", "hub/install/mosquitto.py", "hub/setup/server.py",  # before any table
    "hub/mqtt/probe.py", "hub/setup/broker.py",  # a client's name for a trial
    "hub/mdns/own.py",  # a pause, so that not all ask at once
    "hub/world/__init__.py",  # the machine
    "hub/readers/board.py",  # frame numbers on a bus, not secret
    "hub/daemon/serve.py",  # passes them to the runner and the hub's players
}  # fmt: skip
RANDOM = {"token_bytes", "token_hex", "token_urlsafe", "randbelow", "choice", "urandom", "uuid4"}
OF_WORLD = {"entropy", "chance", "hex_token", "url_token"}


class Uses:
    """The values that a life's random bytes became, by use."""

    def __init__(self, dice: Callable[[int], bytes]) -> None:
        self.found: dict[str, list[str]] = defaultdict(list)
        self._dice = dice

    def draw(self, size: int) -> bytes:
        """In place of the system's random bytes: records where they are drawn."""
        drawn = self._dice(size)
        frame: Any = sys._getframe(1)
        while frame and not _is_of_the_hub(frame.f_globals.get("__name__", "")):
            frame = frame.f_back
        where = f"{frame.f_globals['__name__']}:{frame.f_code.co_name}" if frame else "a test"
        self.found[f"drawn for {DRAWS.get(where, where)}"].append(drawn.hex())
        return drawn

    def read_journal(self) -> None:
        """Record the values in the journal, as a thief would read them."""
        with sqlite3.connect(FOLDER / "journal.db") as file:
            rows = file.execute("SELECT line, secret FROM record ORDER BY seq").fetchall()
        file.close()
        for line, secret in rows:
            told, kept = json.loads(line), json.loads(secret or b"{}")
            if told["type"] == "log-begun":
                self.found[LOG].append(told["log"])
            if "nonce" in kept:
                use = CHANCE if kept["choice"] == "chance" else SEAL
                self.found[use].append(kept["nonce"])
            if "salt" in kept:
                self.found[SALT].append(kept["salt"])

    def twice(self) -> list[str]:
        """Uses that share a value, or have one of their own twice."""
        users: dict[str, list[str]] = defaultdict(list)
        for use, values in self.found.items():
            for value in values:
                users[value].append(use)
        return sorted({" and ".join(sorted(some)) for some in users.values() if len(some) > 1})


def _is_of_the_hub(module: str) -> bool:
    return module.startswith("hub.") and module != "hub.world"


def lived(dice: Callable[[int], bytes], leak: Leak | None = None) -> Uses:
    """A hub's life: rolls with sealed chance, a kill in the middle, pages with keys, Homie."""
    uses, setting = Uses(dice), TaleSetting()
    setting.reveal_delay_s = 0

    async def life(world: World) -> None:
        hands = TaleHands(world, "uses", 0)

        def note() -> None:
            """Record keys and sessions; a browser keeps its session until it gets a new one."""
            uses.found[KEY] += world.keys.values()
            shown.update((b._name, b._cookie) for b in world.browsers.values() if b._cookie)

        shown = set[tuple[str, str]]()
        await hands._reach("file", "approach")
        note()
        for feint in ("again", "kill", "page"):
            await hands.feint(feint)
        note()
        uses.found[SESSION] += [cookie.partition("=")[2] for _, cookie in shown]
        for value in ("true", "false"):
            world.broker.say("homie/5/test/table/paused/set", value)
            await world.wait(1500)
        for _ in range(2):
            await hands._reach("file", "approach")
            await hands.sealed(0)
        uses.read_journal()

    world = live(setting, life, "", leak, entropy=uses.draw)
    assert not {said.channel for said in world.telling.said} & {"crash", "stuck"}
    return uses


def problems(leak: Leak | None = None) -> list[str]:
    """The problems with the uses, in words."""
    one, other = lived(Dice("one"), leak), lived(Dice("other"), leak)
    wrong = one.twice()
    for use, values in one.found.items():
        if {*values} & {*other.found[use]}:
            wrong.append(f"{use} does not depend on the random bytes")
    return wrong


def test_every_value_is_unique_and_depends_on_fresh_bytes() -> None:
    assert problems() == []


def test_the_life_covers_every_use() -> None:
    uses = Counter({use: len({*some}) for use, some in lived(Dice("one")).found.items()})
    drawn = {f"drawn for {what}" for what in DRAWS.values()}
    assert {*uses} == drawn | {SEAL, CHANCE, SALT, LOG, KEY, SESSION}
    least = {SEAL: 6, CHANCE: 2, SALT: 2, LOG: 1, KEY: 6, SESSION: 4, f"drawn for {HOMIE}": 2}
    assert {use: uses[use] for use, few in least.items() if uses[use] < few} == {}


def _draws_random_bytes(path: Path) -> bool:
    calls = (n for n in ast.walk(ast.parse(path.read_text())) if isinstance(n, ast.Attribute))
    return any(
        (call.attr in RANDOM and isinstance(call.value, ast.Name)
         and call.value.id in {"secrets", "os", "uuid"})
        or (call.attr in OF_WORLD
            and ast.unparse(call.value).lower().endswith(("world", "machine")))
        for call in calls
    )  # fmt: skip


def test_every_place_that_draws_random_bytes_is_in_the_table() -> None:
    places = {path.as_posix() for path in Path("hub").rglob("*.py") if _draws_random_bytes(path)}
    listed = {f"{where.partition(':')[0].replace('.', '/')}.py" for where in DRAWS}
    assert places == ELSEWHERE | listed - {"hub/daemon/runner.py"}


# Every step of a table


def _nonces(table: TableTalk) -> Iterator[str]:
    for record in table.records:
        secret: Any = record.secret and record.secret.unseal()
        if log := getattr(record.event, "log", ""):
            yield log
        if secret is not None:
            yield getattr(secret, "nonce", "") or secret.salt


def played_at_once() -> list[str]:
    """Sealed steps with chance, one after the other and without a delay.

    One input seals the last card, reveals all and draws the next step's chance.
    """
    table = TableTalk(scene(), rulebooks=TOYS)
    table.settings = type(table.settings)(
        seats={"ada": ("ada",), "bo": ("bo",), "gm": ()}, reveal_delay_ms=0
    )
    table.start()
    for _ in range(3):
        for seat in ("ada", "bo"):
            table.place(seat, "approach careful")
        table.reveal()
        table.clear()
    return [*_nonces(table)]


def test_a_step_that_seals_reveals_and_draws_has_a_nonce_for_each() -> None:
    found = played_at_once()
    assert len(found) >= len({*found}) >= 3 * 2 + 4
    assert len(found) == len({*found})


# Faults, planted one by one


def the_entropy_itself(world: World) -> None:
    put(world, Transaction, "nonce", lambda _: lambda work: work._entropy.hex())


def by_the_number_of_the_record(world: World) -> None:
    put(world, Transaction, "nonce", lambda _: lambda work: f"{work.state.seq:064x}")


def the_log_named_after_its_table(world: World) -> None:
    after(world, Transaction, "nonce", lambda nonce, work:
          nonce if work.state.log else sha256(work.state.table.encode()).hexdigest())  # fmt: skip


def a_salt_that_everybody_knows(world: World) -> None:
    def make(emit: Any) -> Any:
        def salted(work: Any, event: Any, secret: Any = None) -> Any:
            if hasattr(secret, "salt"):
                with patch.object(Transaction, "nonce", lambda _: work.state.log):
                    return emit(work, event, secret)
            return emit(work, event, secret)

        return salted

    put(world, Transaction, "emit", make)


def chance_of_the_step_before(world: World) -> None:
    def make(draw: Any) -> Any:
        def again(work: Any) -> None:
            with patch.object(Transaction, "nonce", lambda _: sha256(b"chance").hexdigest()):
                draw(work)

        return again

    put(world, reveal, "draw_chance", make)


def one_draw_for_a_whole_run(world: World) -> None:
    def make(init: Any) -> Any:
        def once(runner: Runner, **given: Any) -> None:
            drawn = given["entropy"]()
            init(runner, **given | {"entropy": lambda: drawn})

        return once

    put(world, Runner, "__init__", make)


def one_key_for_all_pages(world: World) -> None:
    put(world, hub.web.keys, "new_key", lambda _: lambda _: "k" * 22)


def a_session_that_is_counted(world: World) -> None:
    ids = iter(range(1 << 16))
    make = Machine.url_token

    def counted(machine: Machine, size: int) -> str:
        return f"s{next(ids):042}" if size == hub.web.sessions._ID_BYTES else make(machine, size)

    put(world, Machine, "url_token", lambda _: counted)


def a_key_for_a_session(world: World) -> None:
    put(world, hub.web.sessions.Sessions, "open", lambda opened: lambda sessions, role, known="":
        _renamed(sessions, opened(sessions, role, known), world))  # fmt: skip


def _renamed(sessions: Any, fresh: str, world: World) -> str:
    """Give the session the latest shown key as its id."""
    hashed = hub.web.sessions.hash_key
    key = next(iter(world.keys.values()), fresh)
    sessions._sessions[hashed(key)] = sessions._sessions.pop(hashed(fresh))
    return key


PLANTED: list[tuple[Leak, str]] = [
    (the_entropy_itself, f"{SEAL} and drawn for {STEP}"),
    (by_the_number_of_the_record, "does not depend"),
    (the_log_named_after_its_table, f"{LOG} does not depend"),
    (a_salt_that_everybody_knows, f"{SALT} and {LOG}"),
    (chance_of_the_step_before, f"{CHANCE} does not depend"),
    (one_draw_for_a_whole_run, f"{SEAL} and {SEAL}"),
    (one_key_for_all_pages, f"{KEY} does not depend"),
    (a_session_that_is_counted, f"{SESSION} does not depend"),
    (a_key_for_a_session, f"{KEY} and {SESSION}"),
]


@pytest.mark.parametrize(
    ("planted", "found"), some_now((each[0].__name__, each) for each in PLANTED)
)
def test_a_broken_use_is_found(planted: Leak, found: str) -> None:
    assert any(found in wrong for wrong in problems(planted))


def test_a_nonce_without_its_counter_is_found() -> None:
    def bare(work: Any) -> str:
        return sha256(b"facedown/nonce/1" + work._entropy).hexdigest()

    with patch.object(Transaction, "nonce", bare):
        found = played_at_once()
    assert len(found) > len({*found})
