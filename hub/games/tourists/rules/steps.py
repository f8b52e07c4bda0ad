"""The steps of a Conflict at a table, and the step that a state is at."""

from collections.abc import Mapping

from hub.games.tourists.rules import answers, bidding
from hub.games.tourists.rules.ends import (
    HubPartingStep,
    HubRefillStep,
    HubReserveStep,
    LossesStep,
    PartingStep,
    PartStep,
    RefillStep,
    ReserveStep,
    TellStep,
)
from hub.games.tourists.rules.rounds import (
    AnswersStep,
    BecauseStep,
    BidStep,
    DeckEmptyStep,
    DrawStep,
    HubBidStep,
    HubDrawStep,
    HubRedrawStep,
    HubStoryStep,
    LossStep,
    RedrawStep,
    StoryStep,
    TacticsStep,
    WhoseStep,
)
from hub.games.tourists.rules.step import Step
from hub.games.tourists.rules.table import Stage, Table, asked

TACTICS = TacticsStep()
ANSWERS = AnswersStep()
WHOSE = WhoseStep()
BECAUSE = BecauseStep()
LOSS = LossStep()
LOSSES = LossesStep()
TELL = TellStep()
PART = PartStep()
DECK_EMPTY = DeckEmptyStep()
# Each pair: players draw, the hub draws.
RESERVE = ReserveStep(), HubReserveStep()
DRAW = DrawStep(), HubDrawStep()
BID = BidStep(), HubBidStep()
REDRAW = RedrawStep(), HubRedrawStep()
STORY = StoryStep(), HubStoryStep()
REFILL = RefillStep(), HubRefillStep()
PARTING = PartingStep(), HubPartingStep()
_OF_STAGE: Mapping[Stage, Step] = {
    Stage.TACTICS: TACTICS,
    Stage.LOSSES: LOSSES,
    Stage.TELL: TELL,
    Stage.PART: PART,
}


def step_of(state: Table) -> Step | None:
    """The step that a Conflict is at; None when it is over."""
    hub = state.hub_draws
    match state.stage:
        case Stage.RESERVE:
            return RESERVE[hub]
        case Stage.ROUND:
            return _of_round(state)
        case Stage.REFILL:
            return REFILL[hub]
        case Stage.PARTING:
            return PARTING[hub]
        case stage:
            return _OF_STAGE.get(stage)


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
    """The step, or ``DECK_EMPTY`` if the deck has fewer than ``cards`` cards."""
    return step if len([*bidding.in_the_deck(state.conflict)]) >= cards else DECK_EMPTY
