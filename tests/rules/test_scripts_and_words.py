"""Every key of a ``facedown resolve`` script has a counterpart among the words of a table's steps.

A script can say nothing that a table cannot hear; each exception has its reason here.
"""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from random import Random
from typing import Any, get_args, get_type_hints

import msgspec
import pytest

from hub.games.registry import game_of
from hub.games.resolve import resolve_script
from hub.games.step import Declaration, Step
from hub.games.tourists.rules import game as tourists
from hub.games.triangle.rules import special_steps
from hub.games.triangle.rules import steps as triangle
from hub.games.tricube.rules import said
from hub.games.tricube.rules import steps as tricube
from hub.kernel.documents import Document
from hub.kernel.faults import Faulty, Place
from tests.rules.brawl import brawl
from tests.rules.duel import NINE, setup, turn
from tests.rules.tourists.scripts import script as conflict
from tests.rules.tourists.scripts import sheet
from tests.rules.tourists.walk import Walk as ConflictWalk
from tests.rules.tricube.scripts_at_the_table import with_concepts
from tests.rules.tricube.walk import Walk as TaleWalk
from tests.rules.walk import EDITIONS

Json = dict[str, Any]
SCRIPTS = 60
TOLD = "for whoever reads the script; a table's log has what people told"
NEXT = "another scene: the table ends this one, and a Conflict is set up anew by the same keys"
STORY = "a deed of the story, between scenes"
FORMS: Mapping[str, type[msgspec.Struct]] = {
    "call": said.Call, "oppose": said.Oppose, "npcs": said.Npcs, "offer": said.OfferSaid,
    "karma": said.KarmaSaid, "perk": said.PerkSaid, "cure": said.CureSaid, "price": said.PriceSaid,
    "fate": said.FateSaid, "challenge": said.NewChallenge, "recover": said.AfflictionSaid,
    "convert": said.AfflictionSaid,
}  # fmt: skip
"""Words of a tale that are a line of JSON."""
A_ROLL = {
    "dice": "dice", "quirk": "approach", "karma": "karma", "karma.perks": "karma.perks",
    "karma.by": "karma.for", "karma.complication": "complication", "regain": "regain",
    "price": "price", "price.resolve": "price.resolve", "price.complication": "price.complication",
    "price.told": "price.told", "fate": "fate", "fate.affliction": "fate.affliction",
    "fate.lasts": "fate.lasts", "fate.fatal": "fate.fatal", "fate.stays": "fate.stays",
}  # fmt: skip
"""Fields of a roll from the approach on, for any kind of challenge."""
TALE = {
    "challenge.name": "challenge.name", "challenge.difficulty": "challenge.difficulty",
    "challenge.effort": "challenge.effort", "challenge.deadly": "challenge.deadly",
    "roll.who": "call.rollers", "roll.challenge": "call.challenge",
    "roll.type": "call.rollers.type", "roll.difficulty": "call.rollers.difficulty",
    "roll.defense": "call.defense", "roll.again": "call.rollers.again",
    "roll.together": "call.rollers", "roll.scope": "call.rollers.scope",
    "roll.hindered": "call.rollers.hindered", **{f"roll.{key}": A_ROLL[key] for key in A_ROLL},
    "opposed.sides": "oppose.sides", "opposed.deadly": "oppose.deadly",
    "opposed.sides.NAME.npc": "npcs.sides", "opposed.sides.NAME.type": "oppose.sides.type",
    "opposed.sides.NAME.scope": "oppose.sides.scope",
    "opposed.sides.NAME.hindered": "oppose.sides.hindered",
    **{f"opposed.sides.NAME.{key}": A_ROLL[key] for key in A_ROLL},
    "perk.who": "perk", "perk.perks": "perk.perks", "perk.use": "perk.use",
    "perk.challenge": "perk.challenge", "perk.complication": "complication",
    "complication.who": "offer.who", "complication.quirk": "offer.quirk",
    "complication.accepted": "accept",
    "cure.who": "cure.who", "cure.affliction": "cure.affliction", "cure.perks": "cure.perks",
    "cure.by": "cure", "cure.complication": "complication",
    "recover.who": "recover.who", "recover.affliction": "recover.affliction",
    "convert.who": "convert.who", "convert.affliction": "convert.affliction",
    "challenge.do": "challenge", "roll.do": "call", "opposed.do": "oppose", "perk.do": "perk",
    "complication.do": "offer", "cure.do": "cure", "recover.do": "recover", "convert.do": "convert",
    "turn.do": "turn", "scene.do": "end",
}  # fmt: skip
_DOINGS = ("challenge", "roll", "opposed", "perk", "complication", "cure", "recover", "convert")
DEAF_TALE = {
    **{f"{do}.told": TOLD for do in (*_DOINGS, "turn", "scene", "session")},
    "session.do": STORY,
}
_ANSWER = {
    "by": "let-be", "redraw": "reject", "loss": "loss", "reserve": "cover", "because": "because",
    "because.loss": "because",
}  # fmt: skip
"""A player who answers a card says so; all others accept it."""
CONFLICT = {
    "rounds[].tactics": "tactics", "rounds[].tell": "told", "rounds[].order": "order",
    "rounds[].draw": "drawn", "rounds[].draw.NAME.card": "drawn", "rounds[].draw.NAME.who": "drawn",
    **{f"rounds[].after[].{key}": word for key, word in _ANSWER.items()},
    "rounds[].after": "let-be", "rounds[].after[].on": "whose", "rounds[].after[].turn": "turn",
    "rounds[].bids": "drawn", "rounds[].bids[].party": "drawn", "rounds[].bids[].pass": "pass",
    "rounds[].bids[].draw": "drawn", "rounds[].bids[].who": "drawn",
    "rounds[].bids[].story": "drawn", "rounds[].bids[].after": "let-be",
    "rounds[].bids[].after[].turn": "turn",
    **{f"rounds[].bids[].after[].{key}": word for key, word in _ANSWER.items()},
    "rounds[].losses": "losses", "rounds[].losses.NAME.cards": "losses",
    "rounds[].losses.NAME.text": "losses", "rounds[].concede": "concede",
    "rounds[].refill": "drawn", "rounds[].reframe": "reframe",
}  # fmt: skip
DEAF_CONFLICT = {"rounds[].reframe.parties": NEXT}
TURN = {
    "turns[].active": "active", "turns[].opponent": "opponent", "turns[].stance": "stance",
    "turns[].stance.NAME": "stance", "turns[].move": "move", "turns[].move.NAME": "move",
    "turns[].move.NAME.move": "move", "turns[].move.NAME.variant": "move",
    "turns[].end_combo": "end-combo", "turns[].kill": "kill", "turns[].next": "active",
    "turns[].next.agreed": "agreed", "turns[].loss": "split", "turns[].loss.NAME": "split",
    "turns[].loss.NAME.TYPE": "split", "turns[].special": "special",
    "turns[].special.NAME": "special", "turns[].special.NAME[].name": "special",
    "turns[].special.NAME[].as": "special", "turns[].special.NAME[].for": "special",
    "turns[].special.NAME[].target": "target", "turns[].special.NAME[].gain": "gain",
    "turns[].special.NAME[].gain.TYPE": "gain", "turns[].special.NAME[].loss": "aim",
    "turns[].special.NAME[].loss.TYPE": "aim", "turns[].special.NAME[].replace": "replace",
}  # fmt: skip
SETUP = ("characters", "parties", "deck", "sides", "ruleset", "lethal", "minor", "house", "tables")
"""Keys that are part of a scene's setup; see
:func:`test_a_scene_is_set_up_with_all_that_a_script_has`.
"""
TYPES = ("attack", "defend", "grapple")


class Keys:
    """Every key that a family's documents may have, by its place without numbers and names."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.found: set[str] = set()
        self.names: set[str] = set()
        self.doing: Sequence[str] = ()
        real = Document.table

        def table(
            document: Document,
            value: object,
            place: Place,
            required: Iterable[str] = (),
            optional: Iterable[str] | None = None,
        ) -> Json:
            for key in (*required, *(optional or ())):
                self.found.add(self._written((*place, key)))
            return real(document, value, place, [*required], optional and [*optional])

        monkeypatch.setattr(Document, "table", table)

    def _written(self, place: Place) -> str:
        head, *rest = place
        if head == "events" and rest:
            head, rest = self.doing[int(rest[0])], rest[1:]
        words = [str(head), *map(self._word, rest)]
        return ".".join(words).replace(".[]", "[]")

    def _word(self, part: str | int) -> str:
        if isinstance(part, int):
            return "[]"
        return "NAME" if part in self.names else "TYPE" if part in TYPES else part

    def read(self, document: Json) -> None:
        self.names = {"ogre", "troll", *_names(document)}
        self.doing = [event["do"] for event in document.get("events", ())]
        try:
            for _ in resolve_script(json.dumps(document).encode()):
                pass
        except Faulty:
            pass


def _names(document: Json) -> Iterator[str]:
    yield from document.get("characters", ())
    for name, party in document.get("parties", {}).items():
        yield from (name, *party.get("characters", ()))
    for each in document.get("rounds", ()):
        yield from _names(each.get("reframe", {}))


def _triangles() -> Iterator[Json]:
    yield from (brawl(Random(seed), edition).script for seed in range(20) for edition in EDITIONS)
    variant = {"move": "attack-high", "variant": "+1"}
    agreed = {"next": {"agreed": "bo"}, "loss": {"ninja": {"attack": 1}}}
    yield setup() | {
        "turns": [turn("ada", "ninja", "attack-high", "grapple-low", next=agreed["next"])]
    }
    spread = [
        {"name": "santa-carla-attack", "gain": {"attack": 2}},
        {"name": "pressure-point", "loss": {"attack": 1}},
    ]
    for special in spread:
        known = {"ada": {"moves": [*NINE, variant], "specials": [special["name"]]}}
        once = turn("ada", "ninja", variant, "grapple-low", special={"ada": [special]}, **agreed)
        yield setup(characters=known) | {"turns": [once]}


def _conflicts() -> Iterator[Json]:
    yield from (ConflictWalk(seed).script for seed in range(SCRIPTS))
    turned = {"on": "p", "by": "p", "turn": True}
    drawn = {"draw": {"p": "30 upright", "q": "31 upright"}, "after": [turned]}
    yield conflict({"p": sheet(3), "q": sheet(3)}, drawn)


SCRIPTS_OF: Mapping[str, Iterable[Json]] = {
    "tricube": [TaleWalk(seed).script for seed in range(SCRIPTS)],
    "tourists": [*_conflicts()],
    "unroll": [*_triangles()],
}
HEARD = {"tricube": TALE, "tourists": CONFLICT, "unroll": TURN}
DEAF: Mapping[str, Mapping[str, str]] = {
    "tricube": DEAF_TALE, "tourists": DEAF_CONFLICT, "unroll": {},
}  # fmt: skip
STEPS = {"tricube": (tricube,), "tourists": (tourists,), "unroll": (triangle, special_steps)}


def words_of(family: str) -> set[str]:
    """The kinds of choice that a family's steps accept, and of declarations beside them."""
    found: set[str] = set()
    for module in STEPS[family]:
        for value in vars(module).values():
            for step in value if isinstance(value, tuple) else (value,):
                if isinstance(step, Step):
                    found |= {step.word, *step.others, *(each.word for each in step.declarations)}
                elif isinstance(step, Declaration):
                    found.add(step.word)
    return found


def _fields(form: Any) -> Mapping[str, Any]:
    """A form's fields by their JSON names; for containers and unions, those of their members."""
    parts = [form, *get_args(form), *(more for part in get_args(form) for more in get_args(part))]
    for part in parts:
        if isinstance(part, type) and issubclass(part, msgspec.Struct):
            hints = get_type_hints(part)
            return {f.encode_name: hints[f.name] for f in msgspec.structs.fields(part)}
    return {}


@pytest.mark.parametrize("family", [*HEARD])
def test_each_key_of_a_script_has_its_word(family: str, monkeypatch: pytest.MonkeyPatch) -> None:
    keys = Keys(monkeypatch)
    for document in SCRIPTS_OF[family]:
        keys.read(document)
    own = {key for key in keys.found if key.split(".")[0].split("[")[0] not in SETUP}
    own = {key for key in own if "." in key and not key.startswith("rounds[].reframe.parties.")}
    assert own == {*HEARD[family]} | {*DEAF[family]}
    assert not {*HEARD[family]} & {*DEAF[family]}


@pytest.mark.parametrize("family", [*HEARD])
def test_each_mapped_word_is_accepted_by_a_step(family: str) -> None:
    known = words_of(family)
    for key, said_so in HEARD[family].items():
        word, *path = said_so.split(".")
        assert word in known, f"{key}: no step hears {word}"
        form: Any = FORMS.get(word) if path else None
        for part in path:
            assert part in _fields(form), f"{key}: {word} has no {part}"
            form = _fields(form)[part]


@pytest.mark.parametrize("family", [*HEARD])
def test_a_scene_is_set_up_with_all_that_a_script_has(
    family: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    keys = Keys(monkeypatch)
    for document in SCRIPTS_OF[family]:
        keys.read(document)
    of_scripts, keys.found = {key for key in keys.found if key.split(".")[0] in SETUP}, set()
    for document in SCRIPTS_OF[family]:
        keys.names = {*_names(document)}
        given = {key: each for key, each in document.items() if key in SETUP}
        if family == "tricube":
            given["characters"] = with_concepts(given["characters"])
        game_of(document["ruleset"]).begin(given)
    assert of_scripts <= keys.found
