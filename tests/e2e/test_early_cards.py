"""Open cards on simulated chips: one that declares, and one that waits until its actor may
speak."""

from pathlib import Path
from typing import Any

from hub.cards.deck import Card, Deck
from hub.games.game import Choice
from hub.table import acts as i
from hub.table.acts import SceneSetup
from hub.wire.tags import tag_id
from tests.e2e.test_what_lay_there import Table, a_table
from tests.e2e.test_whose_card import told
from tests.rules.tourists.test_at_table import SCENE

CARDS = ("drawn 39 reversed", "drawn 20 upright", "drawn 51 reversed", "turn", "let-be")
TAGS = {card: tag_id(bytes([9, number] * 8)) for number, card in enumerate(CARDS)}
DECK = Deck(tuple(Card(tag, Choice.parse(card)) for card, tag in TAGS.items()))


def begins() -> list[i.Input]:
    """Two parties, north and crow. Crow is the Dominant; north speaks first."""
    parties = {**SCENE["parties"]}
    parties["crow"] = parties.pop("south")
    setup = SceneSetup(ruleset="tourists", game={"ruleset": "tourists", "parties": parties})
    tactics = [i.Request(i.Decide(actor, "tactics")) for actor in ("ada", "crow")]
    return [i.Request(i.StartScene(), scene=("The tower", setup)), *tactics]


async def let_be(table: Table) -> None:
    while table.box.runner._state.scene and table.box.runner._state.scene.pending.step == "answers":
        waits = table.box.runner._state.scene.waits_for()
        await table.box.runner.apply(i.Request(i.Decide(waits[0], "let-be")))


def said(table: Table, kind: str) -> list[tuple[Any, Any]]:
    return [(e["actor"], e["choice"]) for e in table.events if e["type"] == kind]


async def test_a_card_placed_early_is_read_once_the_answers_are_over(tmp_path: Path) -> None:
    async with a_table(tmp_path, DECK, begins()) as table:
        table.readers["bo"].place(TAGS["drawn 39 reversed"])
        await table.until("decided", 3)
        table.readers["gm"].place(TAGS["drawn 20 upright"])
        await told(table, "gm", "waits")
        table.readers["ada"].place(TAGS["drawn 51 reversed"])
        await table.until("declared")
        assert said(table, "declared") == [("ada", "drawn 51 reversed")]
        await table.box.runner.apply(i.Request(i.Decide("ada", "because aspect Quick")))
        await told(table, "gm", "waits")
        await let_be(table)
        await table.until_so(lambda: ("crow", "drawn 20 upright") in said(table, "decided"))
        table.readers["gm"].lift()
        assert said(table, "decided").count(("crow", "drawn 20 upright")) == 1


async def test_an_early_card_that_is_lifted_again_says_nothing(tmp_path: Path) -> None:
    async with a_table(tmp_path, DECK, begins()) as table:
        table.readers["bo"].place(TAGS["drawn 39 reversed"])
        await table.until("decided", 3)
        table.readers["gm"].place(TAGS["drawn 20 upright"])
        await told(table, "gm", "waits")
        table.readers["gm"].lift()
        await table.until_so(lambda: "gm" not in table.box.runner.console()["lies"])
        await let_be(table)
        table.readers["gm"].place(TAGS["turn"])
        await table.until_so(lambda: table.box.runner.hand("gm")["lies"] == "refused")
        assert ("crow", "drawn 20 upright") not in said(table, "decided")
