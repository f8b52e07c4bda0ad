"""The steps of a tale at a table, and the step that a state is at."""

from hub.games.tricube.rules import roll_steps, settling_steps
from hub.games.tricube.rules.flow import helpers
from hub.games.tricube.rules.scene_step import SceneStep
from hub.games.tricube.rules.step import Step, settling_now
from hub.games.tricube.rules.table import Asking, Rolling, Table

SCENE = SceneStep()
APPROACH = roll_steps.TableApproachStep(), roll_steps.ApproachStep()
"""The approach step for dice thrown by the table, and that for dice thrown by hand."""
THROW = roll_steps.ThrowStep()
DICE = roll_steps.DiceStep()
KARMA = roll_steps.KarmaStep()
INSTEAD = settling_steps.InsteadStep()
ACCEPT = settling_steps.AcceptStep()
NOD = settling_steps.NodStep()
REGAIN = settling_steps.RegainStep()
PRICE = settling_steps.PriceStep()
FATE = settling_steps.FateStep()
VICTOR = settling_steps.VictorStep()


def step_of(state: Table) -> Step | None:
    """The step that a scene is at; None when it is over."""
    if state.over:
        return None
    if state.asking is not None:
        return _answering(state, state.asking)
    if state.rolling is not None:
        return _rolling(state, state.rolling)
    return SCENE


def _answering(state: Table, asking: Asking) -> Step:
    if asking.what == "complication" or asking.complication is not None:
        return ACCEPT
    if state.tale.characters[asking.who].karma or _is_permanent(state, asking):
        return NOD
    return INSTEAD


def _is_permanent(state: Table, asking: Asking) -> bool:
    """Whether the request is to cure a permanent affliction, which only karma can do."""
    patient = state.tale.characters[asking.patient or asking.who]
    return asking.what == "cure" and patient.has_permanent(asking.affliction or "")


def _rolling(state: Table, rolling: Rolling) -> Step:
    if not rolling.approached:
        return APPROACH[rolling.by_hand]
    if not rolling.landed:
        return DICE if rolling.by_hand else THROW
    if not rolling.asked_karma and helpers(state):
        return KARMA
    name = settling_now(state)
    if name not in rolling.gains:
        return REGAIN
    if name not in rolling.prices:
        return PRICE
    return VICTOR if rolling.victor == name else FATE
