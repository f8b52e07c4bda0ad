"""What the GM can say of a problem now, as forms (R11)."""

from hub.rules.forms import Field, Option, each_of, flag, one
from hub.rules.triangle.problem.overrule import DeciderIs, NoVeto, OptionIs, OutcomeIs, open_now
from hub.rules.triangle.problem.state import Option as Number
from hub.rules.triangle.problem.state import ProblemState
from hub.rules.words import Holds, tag


def forms(state: ProblemState) -> tuple[Option, ...]:
    """What can be said, by ``what``, with its fields."""
    shown = state.options or {}
    fields: dict[type[Holds], tuple[Field, ...]] = {
        DeciderIs: each_of(shown, lambda _: ()),
        OptionIs: each_of(
            shown, lambda name: (one("option", "option", map(int, Number), int(shown[name])),)
        ),
        OutcomeIs: (flag("success", first=True),),
        NoVeto: (),
    }
    return tuple(Option(tag(kind), fields[kind]) for kind in open_now(state))
