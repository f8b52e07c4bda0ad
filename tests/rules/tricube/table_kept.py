"""A scene at a table, recorded as a script, each event with the table's own result."""

from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from pytest import MonkeyPatch

from hub.games.registry import game_of
from hub.games.tricube.rules import flow
from hub.games.tricube.rules.table import Rolling, Table, What
from hub.games.tricube.script import state_object
from tests.rules.tricube import as_printed
from tests.rules.tricube.scripts import Json

GAME: Any = game_of("tricube")


class Kept:
    """Records ``events`` as a script has them, and ``shown``, the table's result of each.

    A result is the public view of the event and the state of the tale after it.
    """

    def __init__(self, state: Table) -> None:
        self.state = state
        self.events: list[Json] = []
        self.shown: list[Json] = []
        self.between: dict[str, Json] = {}
        """Roller at a challenge → the state of the tale when the roll was settled."""
        self.left: int | None = None
        """Effort tokens before the current rolls."""
        self.reached: Counter[str] = Counter()
        self.said: dict[str, Json] = {}
        """Script values of the current rolls."""
        self.opposed: Json = {}
        self.payers: dict[str, str] = {}
        """Roller → the first helper who has the karma for it."""
        self.asked: Json = {}

    def write(self, event: Json, **shown: Any) -> None:
        """Record an event that has just happened, and its public result."""
        self.written(event, {"do": event["do"], **shown, **state_object(self.state.tale)})

    def written(self, event: Json, seen: Json) -> None:
        self.events.append(event)
        self.shown.append({"event": len(self.events), **seen})

    def settled_before(self, state: Table, rolling: Rolling, name: str) -> None:
        """Record the state before this roll is settled, which follows all settled before."""
        if rolling.what is What.CHALLENGE and name not in rolling.judged:
            for each in rolling.judged:
                self.between.setdefault(each, state_object(state.tale))

    def happened(self, before: Table, *, accepted: bool = True) -> None:
        """Record the answer to a question; ``before`` is the state until then."""
        event, self.asked = self.asked, {}
        payer = event.get("by", event["who"])
        then, now = before.tale.characters[payer], self.state.tale.characters[payer]
        asking = before.asking
        seen: Json = {
            key: event[key] for key in ("who", "perks", "use", "affliction") if key in event
        }
        if event["do"] == "complication":
            gain = {"karma": now.karma - then.karma} if accepted else None
            seen |= {"quirk": event.get("quirk"), "accepted": accepted, "gain": gain}
        else:
            seen["paid"] = then.karma - now.karma
            seen["complication"] = asking.complication if asking else None
        if event["do"] == "perk":
            seen["challenge"] = event.get("challenge")
        elif event["do"] == "cure":
            seen |= {"by": payer, "permanent": now.karma_max < then.karma_max}
            self.reached["cure permanent"] += seen["permanent"]
            self.reached["cure of a friend"] += payer != event["who"]
        if seen.get("complication"):
            self.reached[f"{event['do']} by a complication"] += 1
        self.write(event, **seen)

    # Script values of settled rolls

    def settle(self) -> None:
        rolling = self.state.last
        if self.state.rolling is not None or rolling is None or not self.said:
            return
        for name, roll in rolling.rolls.items():
            said = self.said[name]
            if rolling.what is What.NPCS or name in rolling.moot:
                continue
            payer = self.payers.get(name)
            if payer and (payer == name or rolling.what is What.OPPOSED):
                assert roll.karma, f"{payer} has given a karma for {name}, and it is gone"
                assert roll.karma.by == payer, "the roller goes before friends"
            if roll.karma:
                paid: Json = {"perks": [*roll.karma.perks]}
                paid |= {"by": roll.karma.by} if roll.karma.by != name else {}
                if roll.karma.complication is not None:
                    paid["complication"] = roll.karma.complication
                said["karma"] = paid
            if (gain := rolling.gains.get(name)) is not None:
                said["regain"] = str(gain.what)
        seen = GAME.view(self.state).last_rolling
        if rolling.what is What.CHALLENGE:
            shown = as_printed.rolls(seen, self.left)
            *_, last = ["", *shown]
            for name in [*shown][1:]:
                self.said[name]["together"] = True  # C16
            assert not rolling.moot, "every roll of a call is judged (C16)"
            self._count_behind(rolling)
            for name, each in shown.items():
                stood = state_object(self.state.tale) if name == last else self.between[name]
                self.reached["several settled"] += name != last
                self.written(self.said[name], {**each, **stood})
        else:
            shown = as_printed.opposed(seen)
            self.reached[f"{rolling.what} winner {'nobody' if seen.winner is None else 'one'}"] += 1
            self.written(self.opposed, {**shown, **state_object(self.state.tale)})
        self._count(seen)
        self.said, self.payers = {}, {}

    def _count_behind(self, rolling: Rolling) -> None:
        """Count rolls after the one that has overcome the challenge."""
        if rolling.overcame is None:
            return
        behind = [*rolling.rolls][[*rolling.rolls].index(rolling.overcame) + 1 :]
        failed = [name for name in behind if not rolling.judged[name].outcome.succeeded]
        self.reached["behind the last token"] += len(behind)
        self.reached["a failure behind the last token"] += len(failed)

    def _count(self, rolling: Any) -> None:
        """Count the outcomes."""
        for roll in rolling.rolls.values():
            kind = rolling.what if rolling.what is not What.CHALLENGE else "roll"
            self.reached[f"{kind} outcome {roll.outcome}"] += 1
            if roll.gain:
                self.reached[f"{kind} gain {roll.gain.what} {roll.gain.amount}"] += 1
            if roll.price:
                self.reached[f"{kind} price {roll.price.resolve}"] += 1
                self.reached[f"{kind} price a complication"] += roll.price.complication is not None
            self.reached[f"{kind} defeated"] += roll.defeated
            self.reached[f"{kind} hindered"] += roll.hindered is not None
            if roll.karma:
                self.reached[f"{kind} karma paid {roll.karma.paid}"] += 1


@contextmanager
def watched(heed: Callable[[Table, Rolling, str], None]) -> Iterator[None]:
    """Within this block ``heed`` is called before each roll is settled, with the current state."""
    real = flow._settled

    def watching(state: Table, rolling: Rolling, name: str) -> Table | None:
        heed(state, rolling, name)
        return real(state, rolling, name)

    with MonkeyPatch.context() as patch:
        patch.setattr(flow, "_settled", watching)
        yield
