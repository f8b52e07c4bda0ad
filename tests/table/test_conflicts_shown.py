"""Every state of a Conflict can be shown: random walks through words, overrules, undos, absences.

Each state has a public view that fits the description of the topics and round-trips through its
bytes. Every page of it is drawn, in both languages, with all sections unfolded.
"""

import subprocess
from collections import Counter
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest
from jsonschema import Draft7Validator

from hub.games.game import Choice, IllegalChoice
from hub.games.registry import rulebooks
from hub.games.tourists.rules.view import TouristsView
from hub.table import acts as i
from hub.table.acts import SceneSetup
from hub.table.state import SeatFault, Settings, Undoes
from hub.web.frames import state_frame
from hub.wire import asyncapi
from hub.wire.payloads import state_payload
from hub.wire.private_frames import questions_frame
from tests.adapters.web.playing import PlayedTable
from tests.rules.tourists.walk import parties_of
from tests.rules.tourists.wander import spoilt
from tests.support.forms import said_with

DRAW = Path(__file__).parents[1] / "js" / "draw.js"
WALKS, STEPS = 6, 50
WORDS = 0.08
"""How often the GM overrules; undos and absences are about half as frequent."""


class Walk:
    """One random Conflict; ``lines`` are the messages to its pages."""

    def __init__(self, seed: int, validator: Any) -> None:
        self.chance, self.validator = Random(seed), validator
        self.language = ("en", "de")[seed % 2]
        self.done: Counter[str] = Counter()
        self.lines: list[bytes] = []
        self.table = PlayedTable(lambda _: None)
        parties = parties_of(self.chance)
        for sheet in (s for p in parties.values() for s in p.get("characters", {"": p}).values()):
            if self.chance.random() < 0.3:
                del sheet["reserve"]
        names = [who for name, p in parties.items() for who in p.get("characters", [name])]
        seats = {f"seat{at}": (who,) for at, who in enumerate(names[:-1])}
        self.table.settings = Settings(seats=seats | {"gm": (names[-1],)}, gm_seat="gm")
        game = {"parties": parties, "draws": self.chance.choice(("hub", "table"))}
        self.give(
            i.Request(i.StartScene(), scene=("By chance", SceneSetup("tourists", game))), "start"
        )

    def give(self, given: i.Input, what: str) -> None:
        """Refusals change nothing."""
        before = self.table.state
        try:
            self.table.tell(given)
        except (SeatFault, IllegalChoice):
            assert self.table.state is before
            return
        self.done[what] += 1
        self.look(what)

    @property
    def scene(self) -> Any:
        return self.table.state.scene

    def step(self) -> None:
        dice = self.chance.random()
        if dice < WORDS:
            self.word()
        elif dice < 1.5 * WORDS:
            self.give(i.Undo(self.chance.choice((Undoes.PLAY, Undoes.STEP))), "undo")
        elif dice < 2 * WORDS:
            self.leave_or_return()
        else:
            self.say()

    def leave_or_return(self) -> None:
        """A player or a reader leaves or returns; in a Conflict no character can be left out."""
        actor = self.chance.choice([*self.scene.rules.actors(self.scene.game)])
        on = self.chance.random() < 0.5
        seat = self.chance.choice([*self.table.settings.seats])
        absences: tuple[i.Input, ...] = (
            i.Request(i.PlayFor(actor, on)),
            i.Request(i.LetHubPlay((actor,), on)),
            i.ReaderMissing(seat) if on else i.ReaderFound(seat),
            i.Pause() if on else i.Resume(),
        )
        self.give(self.chance.choice(absences), "absence")

    def word(self) -> None:
        forms = [*self.scene.rules.overrules(self.scene.game)]
        if not forms:
            return
        form = self.chance.choice(forms)
        holds = dict(self.chance.choice([*said_with(form, "what")]))
        if self.chance.random() < 0.4:
            holds = spoilt(holds, self.scene.game, self.chance)
        self.give(i.Overrule(holds=holds, because="so"), "word")

    def say(self) -> None:
        """Make an awaited choice, or a declaration beside it."""
        if self.table.announcement().view.phase == "paused":
            self.give(i.Resume(), "absence")
        waiting = [*self.scene.waits_for()]
        if "drawn" in self.scene.pending.kinds and waiting and self.chance.random() < 0.8:
            actor = self.chance.choice(waiting)
            for number in self.chance.sample(sorted(self.scene.game.conflict.deck), 3):
                way = self.chance.choice(("upright", "reversed", "reversed"))
                self.give(i.Decide(actor, str(Choice("drawn", f"{number} {way}"))), "laid")
            return
        rare = {"reframe", "concede"} if self.chance.random() < 0.96 else set()
        able = [
            (question.actor, offer.choice)
            for question in self.table.questions()
            for offer in question.offers
            if not offer.reason and offer.choice.kind not in rare
        ]
        if able:
            actor, choice = self.chance.choice(able)
            self.give(i.Decide(actor, str(choice)), "said")

    def look(self, after: str) -> None:
        told = self.table.announcement()
        payload = state_payload(told.view)
        document = msgspec.json.decode(payload)
        assert [*self.validator.iter_errors(document)] == []
        if document["game"] is not None:
            view = msgspec.convert(document["game"], TouristsView)
            assert view == told.view.game, "it comes back as it was"
        moment = {
            "after": after,
            "language": self.language,
            "state": msgspec.json.decode(state_frame(told).data),
            "questions": questions_frame(self.table.questions(), None)["questions"],
            "hands": {seat: self.table.hand(seat) for seat in self.table.settings.seats},
            "console": self.table.console(),
        }
        self.lines.append(msgspec.json.encode(moment))


@pytest.fixture(scope="module")
def walked() -> list[Walk]:
    described = asyncapi.document(rulebooks()) | {"$ref": "#/components/schemas/PublicView"}
    validator = Draft7Validator(described)
    walks = []
    for seed in range(WALKS):
        walk = Walk(seed, validator)
        for _ in range(STEPS):
            walk.step()
        walks.append(walk)
    return walks


def test_the_walks_cover_every_kind_of_step(walked: list[Walk]) -> None:
    done = sum((walk.done for walk in walked), Counter[str]())
    assert {"word", "undo", "absence", "laid", "said"} <= {*done}
    steps = {msgspec.json.decode(line)["state"]["step"] for walk in walked for line in walk.lines}
    assert steps >= {"draw", "bid", "answers", "because", "losses", "tell", "part", "reserve"}


def test_every_page_of_the_walks_is_drawn(walked: list[Walk]) -> None:
    lines = b"\n".join(line for walk in walked for line in walk.lines)
    done = subprocess.run(["node", str(DRAW)], input=lines, capture_output=True, timeout=120)
    assert done.returncode == 0, done.stderr.decode()
    said = msgspec.json.decode(done.stdout)
    assert said["faults"] == [], "\n\n".join(said["faults"])
    assert not done.stderr, done.stderr.decode()
    assert said["drawn"] > 10 * sum(len(walk.lines) for walk in walked)
