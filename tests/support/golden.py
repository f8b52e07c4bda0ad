"""One small evening of each family, the same at each run: the table's folder, its journal, log and
backup, and the state in which it ends.

``python -m tests.support.golden FOLDER`` writes them. ``tests/vectors/golden/1.0.0`` has those of
version 1.0.0, which are never written again: a later version gets a folder of its own.
"""

import sys
from collections.abc import Iterator, Mapping, Sequence
from hashlib import sha256
from pathlib import Path
from random import Random
from typing import Any, Self

import msgspec
from msgspec import Struct

from hub.cards.deck import Card, Deck
from hub.config.loader import TableFiles, load_table
from hub.config.starter import CONFIG_FILE, files_of, write_folder
from hub.daemon.outputs import OUTPUTS
from hub.daemon.repeats import key_of
from hub.daemon.restore import restore
from hub.daemon.serve import table_settings
from hub.games.game import GM
from hub.journal import SqliteJournal
from hub.journal.backup import back_up, check_chain
from hub.players.choosing import Command, choose
from hub.players.players import look
from hub.setup.draft import Draft
from hub.table import acts as c
from hub.table import acts as i
from hub.table.desk import next_due
from hub.table.private_views import hand_view
from hub.table.sealed import Sealed
from hub.table.spots import Desk, Laid
from hub.table.state import Phase, SeatFault, Undoes, phase_of
from hub.table.step import step
from hub.table.views import PublicView, public_view, questions, seat_views
from hub.wire.log import Scribe
from hub.wire.private_frames import Hand, hand_frame
from hub.wire.tags import ID_BYTES, tag_id
from tests.support.asking import OneScene, as_input

START_MS = 1_900_000_000_000
_STEP_MS = 700
_MOST_CHOICES = 16


class Family(Struct, frozen=True):
    """What happens in a family's evening beside the choices of its players."""

    ruleset: str
    scene: Mapping[str, Any]
    deeds: Sequence[Mapping[str, Any]]
    overrule: Mapping[str, Any]


FAMILIES = {
    "triangle": Family(
        "unroll",
        {
            "type": "conflict",
            "title": "The quay",
            "sides": {"players": ["Ada", "Bo"], "others": ["The Lamplighter", "Sergeant Thole"]},
            "stakes": "The tide book",
        },
        (
            {"do": "mark", "name": "Ada", "trait": "belief"},
            {"do": "lose", "name": "Bo", "type": "attack", "points": 1},
        ),
        {"what": "energy", "name": "Ada", "energy": {"attack": 2, "defend": 1, "grapple": 1}},
    ),
    "tourists": Family(
        "tourists",
        {"type": "conflict", "title": "The quay", "draws": "hub"},
        (
            {"do": "stakes", "words": "The tide book"},
            {"do": "gain-weakness", "name": "Ada", "words": "Soaked"},
        ),
        {"what": "control", "party": "players", "ranks": 1},
    ),
    "tricube": Family(
        "tricube",
        {
            "type": "scene",
            "title": "The quay",
            "challenges": {"The guard": {"difficulty": 5, "effort": 3}},
        },
        (
            {"do": "stakes", "words": "The tide book"},
            {"do": "gain-affliction", "name": "Ada", "affliction": "Soaked"},
        ),
        {"what": "tokens", "name": "Ada", "karma": 2},
    ),
}
"""By the name of the folder."""


def entropy(seed: str) -> bytes:
    """32 bytes that are the same each time."""
    return sha256(f"golden {seed}".encode()).digest()


class Playing:
    """A table that is played from its folder, with its journal."""

    def __init__(self, folder: Path, seed: str) -> None:
        self.files: TableFiles = load_table(folder / CONFIG_FILE, OUTPUTS)
        self.settings = table_settings(self.files.config)
        self._name, self._seed = self.files.config.table.name, seed
        self.journal = SqliteJournal.open(self.files.config.table.journal, self._name)
        self.state = restore(self.journal, self._name).state
        self.desk: Desk = {}
        self.now_ms = max(START_MS, self.state.at_ms)
        self._steps = self.state.seq
        self._chance = Random(seed)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.journal.close()

    # What players see

    @property
    def view(self) -> PublicView:
        return public_view(self.state, seat_views(self.state, self.settings))

    def hand(self, seat: str) -> Hand:
        return hand_frame(hand_view(self.state, self.settings, seat, self.desk))

    def questions(self) -> Any:
        return questions(self.state)

    # What people do

    def give(self, given: i.Input, once: str = "") -> None:
        self._steps += 1
        self.now_ms += _STEP_MS
        scribe = Scribe(self.journal.head)
        done = step(
            self.state,
            self.desk,
            as_input(given),
            settings=self.settings,
            now_ms=self.now_ms,
            entropy=entropy(f"{self._seed} {self._steps}"),
            written=scribe,
        )
        if scribe.rows:
            self.journal.append(scribe.rows, once)
        self.state, self.desk = done.state, done.desk
        if isinstance(given, i.SetClock):
            self.now_ms += given.by_ms

    def ask(self, command: c.Command, by: str = GM) -> None:
        """A command from a page, remembered by its id."""
        given = i.request(command, by, self.state, OneScene())
        self.give(given, key_of(by, f"page {self._steps}", command))

    def find_readers(self) -> None:
        """Every seat's reader answers, and nothing lies there."""
        for seat in self.settings.seats:
            self.give(i.ReaderFound(seat))
            self.give(i.FieldChanged(seat, Sealed(())))

    def wait(self) -> None:
        """Until nothing is due."""
        while (due := next_due(self.state, self.desk)) is not None:
            self.now_ms = max(self.now_ms, due)
            self.give(i.Tick())

    def choices(self) -> Iterator[tuple[str, Command]]:
        """The choices that are open now: seat, and what its player would choose."""
        view = self.view
        for actor in (*view.answers, *view.awaited):
            if actor in view.committed:
                continue
            seat = next((each.seat for each in view.seats if actor in each.characters), None)
            at = self.settings.gm_seat if actor == GM else seat
            seen = look(self, view, at, actor)
            command = choose(seen, self._chance)
            if command is not None:
                yield seat or GM, command

    def choose(self) -> bool:
        """One choice of the first player who has one; a card, if its seat has it."""
        found = next(self.choices(), None)
        if found is None:
            return False
        seat, command = found
        card = self._card(seat, command) if isinstance(command, c.Commit) else None
        try:
            if card is None:
                self.ask(command, seat)
            else:
                self._place(seat, card)
        except SeatFault:
            return False
        return True

    def _card(self, seat: str, command: c.Commit) -> Card | None:
        choice = command.choice.unseal()
        cards = self.files.deck.cards
        mine = (each for each in cards if each.choice == choice and each.group == seat)
        return next(mine, None) if self._steps % 2 else None

    def _place(self, seat: str, card: Card) -> None:
        laid = Sealed((Laid(card.tag, card.choice),))
        self.give(i.FieldChanged(seat, laid))
        self.give(i.FieldChanged(seat, laid, i.Sight.RESTED))

    def play_until_sealed(self) -> None:
        """Play on until at least one card lies sealed, and others are awaited."""
        for _ in range(_MOST_CHOICES):
            scene = self.state.scene
            if scene is None or (phase_of(self.state) is Phase.SEALED and scene.seals):
                return
            self.play_on()

    def play_on(self, choices: int = 1) -> None:
        for _ in range(choices):
            if not self.choose():
                return
            self.wait()
            for seat, spot in self.desk.items():
                if spot.laid.unseal() and not self._seals_of(seat):
                    self.give(i.FieldChanged(seat, Sealed(())))

    def _seals_of(self, seat: str) -> list[str]:
        scene = self.state.scene
        return [a for a, seal in scene.seals.items() if seal.seat == seat] if scene else []


def _no_scene() -> Any:
    raise AssertionError("the story stages its scenes")


def write(folder: Path, name: str) -> None:
    """One family's folder, with the evening that was played in it."""
    family = FAMILIES[name]
    draft = Draft(name="golden", ruleset=family.ruleset)
    draft.answer("players", 2)
    plan = draft.plan()
    files = files_of(plan)
    deck = files["deck.toml"]
    assert isinstance(deck, Deck)
    files["deck.toml"] = Deck(
        tuple(
            msgspec.structs.replace(each, tag=tag_id(entropy(f"{name} {at}")[:ID_BYTES]))
            for at, each in enumerate(deck.cards)
        )
    )
    write_folder(folder, files, OUTPUTS)
    with Playing(folder, name) as table:
        _evening(table, family)
        log = b"".join(row.line + b"\n" for row in table.journal.rows())
        (folder / "golden.log").write_bytes(log)
        shown = msgspec.json.format(msgspec.json.encode(table.view))
        (folder / "golden.json").write_bytes(shown + b"\n")
    back_up(folder / "golden.journal", folder / "golden.backup", check_chain)
    (folder / "golden.journal-lock").unlink()


def _evening(table: Playing, family: Family) -> None:
    story = table.files.story
    assert story is not None
    table.give(i.BeginLog())
    table.find_readers()
    table.give(story)
    table.ask(c.NameEvening(title="The first evening"))
    table.ask(c.TellStory(deed={"do": "begin-countdown", "name": "The tide", "boxes": 6}))
    for deed in family.deeds:
        table.ask(c.TellStory(deed=dict(deed)))
    table.ask(c.TellStory(deed={"do": "mark-countdown", "name": "The tide"}))
    table.ask(c.Undo(what=Undoes.DEED))
    table.ask(c.StartScene(scene=dict(family.scene)))
    table.ask(c.Overrule(holds=dict(family.overrule), because="It was agreed before"))
    table.play_on(16)
    table.give(i.SetClock(by_ms=3_600_000))
    table.ask(c.Pause())
    table.ask(c.Resume())
    table.play_on(4)
    table.ask(c.Undo(what=Undoes.PLAY))
    table.play_until_sealed()


def main() -> None:
    """Write all families into the folder that the command line names."""
    for name in FAMILIES:
        write(Path(sys.argv[1]) / name, name)


if __name__ == "__main__":
    main()
