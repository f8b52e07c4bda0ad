"""N-Dimensional Tourists at the table: the Game protocol over the steps of a Conflict."""

from collections.abc import Mapping
from typing import Any

from msgspec.structs import replace

from hub.games.game import GM, Choice, SetupError
from hub.games.steps import StepGame
from hub.games.tourists.reasons import Reason
from hub.games.tourists.rules import answers, bidding, ends, rounds
from hub.games.tourists.rules.conflict import Party, begin
from hub.games.tourists.rules.consequences import AnyConsequence, of_conflict
from hub.games.tourists.rules.deck import drawn_from
from hub.games.tourists.rules.overrules.said import WORD
from hub.games.tourists.rules.setup import blame_texts, read_deck, read_parties
from hub.games.tourists.rules.step import HUB_DRAWS, Step, by_both
from hub.games.tourists.rules.table import RULINGS, Stage, Table, asked, flow
from hub.games.tourists.rules.view import TouristsView, public_view
from hub.kernel.documents import Document
from hub.kernel.faults import Faulty

TACTICS = rounds.TacticsStep()
ANSWERS = rounds.AnswersStep()
WHOSE = rounds.WhoseStep()
BECAUSE = rounds.BecauseStep()
LOSS = rounds.LossStep()
LOSSES = ends.LossesStep()
TELL = ends.TellStep()
PART = ends.PartStep()
DECK_EMPTY = rounds.DeckEmptyStep()
RESERVE = by_both(ends.ReserveStep)
DRAW = by_both(rounds.DrawStep)
BID = by_both(rounds.BidStep)
REDRAW = by_both(rounds.RedrawStep)
STORY = by_both(rounds.StoryStep)
REFILL = by_both(ends.RefillStep)
PARTING = by_both(ends.PartingStep)
_OF_STAGE: Mapping[Stage, Step | tuple[Step, Step]] = {
    Stage.RESERVE: RESERVE,
    Stage.TACTICS: TACTICS,
    Stage.LOSSES: LOSSES,
    Stage.TELL: TELL,
    Stage.PART: PART,
    Stage.REFILL: REFILL,
    Stage.PARTING: PARTING,
}


def _of_round(state: Table) -> Step:
    now, hub = state.conflict.playing(), state.hub_draws
    if state.cover is not None:
        return WHOSE if state.cover.on is None else BECAUSE
    if state.rejection is not None:
        return LOSS if state.rejection.loss is None else REDRAW[hub]
    if not answers.answerable(state.conflict):
        if now.dominant is not None:
            return BID[hub]
        return _drawing(state, DRAW[hub], sum(not laid for laid in now.laid.values()))
    return ANSWERS if asked(state) else _drawing(state, STORY[hub], 1)


def _drawing(state: Table, step: Step, cards: int) -> Step:
    """``step``, or ``DECK_EMPTY`` if the deck has fewer than ``cards`` cards."""
    return step if bidding.has_cards(state.conflict, cards) else DECK_EMPTY


DRAWS = ("table", "hub")


class TouristsGame(StepGame[Table]):
    """The rules of a Conflict at the table. The state is a :class:`Table`."""

    ruleset = "tourists"
    rulings = RULINGS
    over = Reason("conflict-is-over")
    view_type = TouristsView
    gms_word = WORD
    shows_setup = True
    tells_falls = True

    def begin(self, setup: Mapping[str, Any], rulings: int = RULINGS) -> Table:
        """The table at the start of a Conflict. ``setup`` has the ``parties`` as for ``facedown
        resolve``, a ``deck`` (missing parts are the default deck's), and ``draws``, which is
        ``table`` (the default) or ``hub``.

        A Reserve missing from ``setup`` is laid at the table, up to ``reserve_max``, or drawn by
        the hub. Raises :class:`SetupError` with the faults and their places.
        """
        document = Document(None)
        try:
            state = self._read(document, setup)
        except Faulty as faulty:
            raise SetupError(*faulty.faults) from None
        return flow(replace(state, rulings=rulings))

    def _read(self, document: Document, setup: Mapping[str, Any]) -> Table:
        given = document.table(setup, (), ("parties",), ("ruleset", "deck", "draws"))
        draws = given.get("draws", DRAWS[0])
        if draws not in DRAWS:
            document.blame(("draws",), Reason("not-one-of", text=repr(draws), names=[*DRAWS]))
        deck = read_deck(document, given.get("deck", {}), ("deck",))
        document.check()
        parties = read_parties(document, given["parties"], ("parties",), deck)
        for party in parties:
            if "," in party.name:
                document.blame(("parties", party.name), Reason("comma-in-name"))
            for who in {party.name, *party.sheets}:
                if who == GM:
                    document.blame(("parties", party.name), Reason("gm-no-name", gm=GM))
        document.check()
        blame_texts(document, parties, given["parties"], ("parties",))
        document.check()
        return Table(
            conflict=begin(deck, parties),
            hub_draws=draws == DRAWS[1],
            registering=tuple(_registering(given["parties"], parties)),
        )

    def fall(
        self, on: Mapping[str, Any], choices: Mapping[str, Choice], chance: bytes
    ) -> dict[str, Any]:
        """The cards that the hub draws, under the key ``drawn``: character → card. ``on`` is
        described at :func:`drawn_from`."""
        drawing = {who for who, choice in choices.items() if choice.kind == HUB_DRAWS}
        return {"drawn": drawn_from(on, drawing, chance)}

    def sheet(self, state: Table, actor: str) -> Any:
        """The character's assets. A Reserve still to be laid at the table is None."""
        party = state.conflict.parties[state.conflict.party_of[actor]]
        sheet = party.sheets[actor]
        own = {} if sheet.attribute is None else {sheet.attribute_name: sheet.attribute}
        return {
            "attributes": own,
            "aspects": sheet.aspects,
            "weaknesses": sheet.weaknesses,
            "reserve": None if actor in state.registering else sheet.reserve,
            "reserve_max": sheet.reserve_max,
        }

    def actors(self, state: Table) -> tuple[str, ...]:
        """The characters around the table, including those who have left."""
        return tuple(state.conflict.party_of)

    def sides(self, state: Table) -> tuple[str, ...]:
        """The parties in their order around the table, including those that have left."""
        return tuple(state.conflict.parties)

    def step_of(self, state: Table) -> Step | None:
        """The step that the Conflict is at; None when it is over."""
        if state.stage is Stage.ROUND:
            return _of_round(state)
        steps = _OF_STAGE.get(state.stage)
        return steps[state.hub_draws] if isinstance(steps, tuple) else steps

    def go_on(self, state: Table) -> Table:
        """The table once all stages that need no choice are skipped."""
        return flow(state)

    def stops(self, state: Table) -> int:
        """How many stops for undo there have been, such as after a draw with its answers, after a
        pass, or after a party's narration."""
        return state.stops

    def anew(self, state: Table) -> int:
        """How often all characters were asked again: after an answer, a Reserve Card taken back, or
        an overrule while a card can be answered."""
        return state.anew

    def turn(self, state: Table) -> int:
        """The number of the round, from 1; 0 before the first."""
        return state.number

    def view(self, state: Table) -> TouristsView:
        """The public view, which is the whole Conflict, because its cards are open."""
        return public_view(state)

    def consequences(
        self, before: TouristsView | None, after: TouristsView
    ) -> list[AnyConsequence]:
        """The consequences that lead from the view ``before`` to ``after``. ``before`` is None at
        the start."""
        return of_conflict(before, after)


def _registering(given: Mapping[str, Any], parties: list[Party]) -> list[str]:
    """The characters that may have a Reserve but have none in ``given``, the description."""
    found = []
    for party in parties:
        written = given[party.name]
        for who, sheet in party.sheets.items():
            own = written["characters"][who] if "characters" in written else written
            if sheet.reserve_max and "reserve" not in own:
                found.append(who)
    return found
