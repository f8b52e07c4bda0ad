"""What follows by the rules from the GM's word over a character."""

from msgspec.structs import replace

from hub.rules.triangle.conflict import Conflict, Ending
from hub.rules.triangle.overrule.characters import unbound
from hub.rules.triangle.overrule.turns import ended
from hub.rules.triangle.turn import result_of_sides, run_stands


def aftermath(before: Conflict, said: Conflict) -> Conflict:
    """Who came back is bound to nobody (R12); a combo whose victim is out, or on which nobody in
    could follow up, is over (R3); a side with nobody left has lost, and one that has somebody
    again has not (R10)."""
    after = said
    for name, fighter in said.fighters.items():
        if before.fighters[name].out and not fighter.out:
            after = unbound(after, name)
    if after.run and not run_stands(after, after.fighters, after.run):
        after = replace(after, run=None)
    if after.result and after.result.reason is Ending.MINOR:
        return after
    result = result_of_sides(after, after.fighters)
    return ended(after, result) if result else replace(after, result=None)
