"""The tables that are simulated: their configuration, decks and scenes."""

from functools import cache
from pathlib import Path
from random import Random
from typing import Any
from unittest.mock import patch

from msgspec.structs import replace

from hub.config.loader import TableFiles, load_config
from hub.readers import kinds
from tests.simulation.readers import kind
from tests.support.editions import IRON_TRIANGLE, IRON_TRIANGLE_1E, UNROLL
from tests.support.twins.setting import TABLE, Setting

SEATS = {"ada": ("ada",), "bo": ("bo",), "cy": ("ninja",), "gm": ("crow",)}
BOOKS = {each.id: each for each in (UNROLL, IRON_TRIANGLE, IRON_TRIANGLE_1E)}
_CONFIG = (
    TABLE
    + """\
[web]
enabled = {pages}
port = 8080
[mqtt]
enabled = {mqtt}
username = "hub"
password = "of the broker"
[mqtt.homeassistant]
enabled = {homeassistant}
"""
)


class Table(Setting):
    """A duel at four seats, by one of three books."""

    def __init__(
        self,
        ruleset: str,
        timing: tuple[float, float],
        *,
        mqtt: bool = False,
        chips: bool = False,
        pages: bool = False,
        owned: bool = False,
    ) -> None:
        super().__init__(ruleset)
        self.chips, self.pages = chips, pages
        self.seats = SEATS
        self.owned = owned
        """Whether each seat has its own set of cards."""
        self.commit_s, self.reveal_delay_s = timing
        self.mqtt = mqtt
        self.tags = {
            seat: {card: _tag(seat, number) for number, card in enumerate(self._cards(actors))}
            for seat, actors in self.seats.items()
        }
        self.cards = {tag: card for tags in self.tags.values() for card, tag in tags.items()}

    def owner(self, tag: str) -> str:
        """The seat that a card belongs to; empty if all seats may play it."""
        return tag.partition("-")[0] if self.owned else ""

    def files(self, folder: Path) -> TableFiles:
        """Its files, with the journal in ``folder``."""
        (folder / "scene.toml").write_text("".join(self.scene()))
        (folder / "scene.toml").chmod(0o600)
        files = _loaded(
            self.ruleset,
            self.commit_s,
            self.reveal_delay_s,
            self.mqtt,
            self.chips,
            self.pages,
            self.owned,
        )
        config = files.config
        table = replace(config.table, journal=folder / "journal.db", deck=folder / "deck.toml")
        scene = config.scene and replace(config.scene, file=folder / "scene.toml")
        return replace(files, config=replace(config, table=table, scene=scene))


def _tag(seat: str, number: int) -> str:
    """An id of 128 bits in base64url that says whose card it is."""
    return f"{seat}-{number:03}".ljust(22, "A")


@cache
def _loaded(
    ruleset: str,
    commit_s: float,
    reveal_delay_s: float,
    mqtt: bool,
    chips: bool,
    pages: bool,
    owned: bool,
) -> TableFiles:
    """The files as the hub reads them, which takes longer than a turn."""
    from tempfile import TemporaryDirectory

    from hub.daemon.outputs import OUTPUTS

    table = Table(ruleset, (commit_s, reveal_delay_s), mqtt=mqtt, owned=owned)
    reader = "pn532:/dev/" if chips else "hand:"
    seats = "".join(
        f'[[seat]]\nname = "{seat}"\nreader = "{reader}{seat}"\n'
        f"characters = [{', '.join(f'{chr(34)}{each}{chr(34)}' for each in actors)}]\n"
        f"{'gm = true' * (seat == 'gm')}\n" + f'cards = ["{seat}"]\n' * owned
        for seat, actors in SEATS.items()
    )
    config = _CONFIG.format(
        seats=seats,
        commit_s=commit_s,
        at_zero="gm-decides" if commit_s else "nothing",
        reveal_delay_s=reveal_delay_s,
        mqtt=str(mqtt).lower(),
        pages=str(pages).lower(),
        homeassistant=str(mqtt).lower(),
    )
    with TemporaryDirectory() as made, with_hands({}):
        folder = Path(made)
        (folder / "hub.toml").write_text(config)
        (folder / "hub.toml").chmod(0o600)
        (folder / "scene.toml").write_text("".join(table.scene()))
        (folder / "scene.toml").chmod(0o600)
        (folder / "deck.toml").write_text("[cards]\n")
        (folder / "deck.toml").chmod(0o600)
        loaded = load_config(folder / "hub.toml", OUTPUTS)
    return TableFiles(loaded, table.deck(), "A duel")


def with_hands(spots: dict[str, Any]) -> Any:
    """Let ``reader = "hand:NAME"`` name a simulated field."""
    return patch.dict(kinds.KINDS, {"hand": kind(spots)})  # type: ignore[call-overload]


def drawn(chance: Random, *, mqtt: bool = False, chips: bool = False, pages: bool = False) -> Table:
    """A table drawn by ``chance``."""
    timing = chance.choice((0.0, 0.0, 20.0)), chance.choice((1.0, 1.0, 0.0, 2.5))
    book, owned = chance.choice([*BOOKS]), chance.random() < 0.3
    return Table(book, timing, mqtt=mqtt, chips=chips, pages=pages, owned=owned)
