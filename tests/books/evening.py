"""A table at which the hub plays the scene of a family's demo, as fast as it can think."""

import asyncio
import tomllib
from collections.abc import Callable
from random import Random
from typing import Any

import pytest

from hub.games.game import GM, Choice
from hub.players.players import HubPlayers, showing_s
from hub.ports import Announcement
from hub.table import acts as i
from hub.table import step as table_step
from hub.table.acts import SceneSetup
from hub.table.state import Phase, phase_of
from tests.adapters.web import playing
from tests.adapters.web.playing import PlayedTable

MOST_CHOICES = 2_000


class Demo:
    """A family's demo: its scene, and who sits where."""

    def __init__(self, demo: Any, *keys: str) -> None:
        self.scene: dict[str, Any] = tomllib.loads(demo.files()["scene.toml"])
        self.seats = {
            seat["name"]: tuple(seat.get("characters", ()))
            for seat in tomllib.loads(demo.SEATS)["seat"]
        }
        self.everybody = (*(who for actors in self.seats.values() for who in actors), GM)
        self.keys = keys

    def evening(self, monkeypatch: pytest.MonkeyPatch) -> Callable[..., "Evening"]:
        """Make an evening of a seed and changes to the scene."""
        return lambda seed, **game: Evening(self, seed, monkeypatch, **game)


class Evening:
    def __init__(self, demo: Demo, seed: int, monkeypatch: pytest.MonkeyPatch, **game: Any) -> None:
        chance = Random(seed)

        def step(*given: Any, entropy: bytes, **more: Any) -> Any:
            return table_step.step(*given, entropy=chance.randbytes(32), **more)

        monkeypatch.setattr(playing, "step", step)
        self.demo = demo
        self.asked: list[tuple[str, str, Choice]] = []
        self.stuck: list[Any] = []
        self.refused: list[Any] = []
        self.longest = 0.0
        self.views: list[Any] = []
        self.step = ""
        self.table = PlayedTable(self._heard, seats=demo.seats)
        self.players = HubPlayers(
            self.table,
            self._obey,
            chance=Random(seed),
            pace_s=0.02,
            stuck=self.stuck.append,
            rest=lambda _: asyncio.sleep(0),
        )
        self.setup = {key: demo.scene[key] for key in demo.keys} | game

    def _heard(self, told: Announcement) -> None:
        view = told.view.game
        self.longest = max(self.longest, showing_s(self.views[-1] if self.views else None, view))
        self.views.append(view)
        self.step = told.view.step
        self.players.announce(told)

    async def _obey(self, asked: Any, by: str, once: str = "", browser: str = "") -> Any:
        choice = asked.choice if isinstance(asked.choice, str) else str(asked.choice.unseal())
        self.asked.append((self.step, asked.actor, Choice.parse(choice, 1000)))
        assert len(self.asked) < MOST_CHOICES
        reply = await self.table.obey(asked, by, once, browser)
        if not reply.ok:
            self.refused.append((self.step, asked.actor, choice, reply.why))
        return reply

    def start(self) -> Any:
        """Start the scene; return its public view."""
        ruleset = str(self.demo.scene["ruleset"])
        self.table.tell(i.Request(i.StartScene(), scene=("", SceneSetup(ruleset, self.setup))))
        return self.view

    async def play(self, *actors: str) -> None:
        async with self.players:
            self.table.tell(i.LetHubPlay(actors or self.demo.everybody, True))
            self.start()
            for _ in range(20 * MOST_CHOICES):
                if phase_of(self.table.state) is Phase.LOCKED:
                    self.table.tell(i.Tick(), after_ms=5_000)
                if self.over or any(self.stuck):
                    break
                await asyncio.sleep(0)

    @property
    def over(self) -> bool:
        return phase_of(self.table.state) is Phase.OVER

    @property
    def view(self) -> Any:
        return self.table.announcement().view.game
