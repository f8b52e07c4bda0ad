"""A table under random hands, readers, restarts and clocks: its invariants."""

from typing import Any

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from hub.audit.verify import verify_log
from hub.games.game import GM, Choice
from hub.games.registry import rulebooks
from hub.table import acts as i
from hub.table import acts as r
from hub.table.fold import fold
from hub.table.phases import TRANSITIONS
from hub.table.sealed import Sealed, SealPlace, seal_digest
from hub.table.state import Phase, Seal, SeatFault, TableState
from hub.table.views import public_view, questions
from hub.wire.log import GENESIS, decode_row, encode_record, line_hash
from tests.support.tabletalk import GIFTED, SEATS, TableTalk

CARDS = (
    "stance none", "stance attack 1", "stance attack 9", "stance grapple 2", "stance defend 1",
    "move attack-high", "move attack-low", "move defend-mid", "move grapple-mid",
    "move surrender", "move grapple-spin", "option 3", "?", "special to-blave",
    "special wax-on-attack", "special none", "special yojimbo",
)  # fmt: skip
WORDS = (
    "ada attack 1", "ninja attack 0", "crow out", "crow in", "bo dead", "bo alive", "bo turns 2",
    "ada disadvantage attack-high", "ada specials used scouter", "ada free", "combo none",
    "combo against ninja; ada attack-mid", "combo against ada; ninja attack-low",
    "combo against bo; ninja attack-low", "turn won ninja", "turn won ada", "turn tied",
    "loss ada 2", "loss ninja 1", "end nobody",
)  # fmt: skip
NINJA = {**GIFTED["characters"]["ninja"], "combos": {"attack-low": ["grapple-mid", "attack-low"]}}
COMBOS = {**GIFTED, "characters": {**GIFTED["characters"], "ninja": NINJA}}
"""Both sides know follow-ups, so that the GM can lay a combo against either."""
seats = st.sampled_from(sorted(SEATS))


class TableMachine(RuleBasedStateMachine):
    def __init__(self) -> None:
        super().__init__()
        self.table = TableTalk(COMBOS, commit_s=60)
        self.told: list[bytes] = []

    def _try(self, given: i.Input) -> None:
        before = self.table.phase
        try:
            self.table.give(given)
        except SeatFault:
            assert self.table.phase is before
        else:
            assert self.table.phase in TRANSITIONS[before, type(getattr(given, "command", given))]

    @rule()
    def start(self) -> None:
        self._try(i.Request(i.StartScene(), scene=("a duel", self.table.setup)))

    @rule(seat=seats, data=st.data())
    def place(self, seat: str, data: Any) -> None:
        legal = [
            card
            for actor in SEATS[seat]
            for card in self.table.offers(actor)
            if card.split()[0] in {"stance", "move", "special"}
        ]
        self.table.place(seat, data.draw(st.sampled_from([*legal, *CARDS])))

    @rule(seat=seats, data=st.data())
    def page_commits(self, seat: str, data: Any) -> None:
        actor = data.draw(st.sampled_from(SEATS[seat]))
        card = Choice.parse(data.draw(st.sampled_from([*self.table.offers(actor), "move fly"])))
        self._try(i.Request(i.Commit(actor, Sealed(card)), seat))

    @rule(seat=seats, data=st.data())
    def page_takes_back(self, seat: str, data: Any) -> None:
        self._try(i.Request(i.TakeBack(data.draw(st.sampled_from(SEATS[seat]))), seat))

    @rule(seat=seats, data=st.data())
    def page_withdraws(self, seat: str, data: Any) -> None:
        actor = data.draw(st.sampled_from(SEATS[seat]))
        card = Choice.parse(data.draw(st.sampled_from([*self.table.offers(actor), "move fly"])))
        self._try(i.Request(i.Withdraw(actor, Sealed(card)), seat))

    def _pages_seals(self) -> dict[str, str]:
        scene = self.table.state.scene
        return {a: s.digest for a, s in scene.seals.items() if s.page} if scene else {}

    @rule(seat=seats)
    def lift(self, seat: str) -> None:
        before = self._pages_seals()
        self.table.lift(seat)
        assert self._pages_seals() == before

    @rule()
    def clear(self) -> None:
        before = self._pages_seals()
        self.table.clear()
        assert self._pages_seals() == before

    @rule(seat=seats)
    def doubt(self, seat: str) -> None:
        before = self.table.committed
        self.table.doubt(seat)
        assert self.table.committed == before

    @rule(seat=seats)
    def see_again(self, seat: str) -> None:
        before = self.table.committed
        self.table.see_again(seat)
        assert self.table.phase is not Phase.SEALED or self.table.committed == before

    @rule(ms=st.integers(0, 5000))
    def wait(self, ms: int) -> None:
        self.table.wait(ms)

    @rule(seat=seats)
    def lose(self, seat: str) -> None:
        before = self.table.committed
        self.table.lose(seat)
        assert self.table.committed == before

    @rule(seat=seats)
    def find(self, seat: str) -> None:
        before = self.table.committed
        self.table.find(seat)
        assert self.table.committed == before

    @rule()
    def restart(self) -> None:
        for seat in self.table.lying:  # A restart clears the doubt, so the step may lock.
            self.table.see_again(seat)
        view = self.table.view
        self.table.restart()
        lost = self.table.state.lost
        assert not lost
        after = self.table.view
        assert (after.phase, after.committed, after.game) == (view.phase, view.committed, view.game)

    @rule(data=st.data())
    @precondition(lambda self: questions(self.table.state))
    def answer(self, data: Any) -> None:
        question = data.draw(st.sampled_from(questions(self.table.state)))
        offer = data.draw(st.sampled_from(question.offers))
        self._try(i.Decide(question.actor, str(offer.choice)))

    @rule(word=st.sampled_from(WORDS))
    def overrule(self, word: str) -> None:
        sealed = self.table.phase in {Phase.SEALED, Phase.LOCKED}
        before = self.table.state
        self._try(i.Decide(GM, str(Choice("overrule", f"{word} because of it"))))
        assert not sealed or self.table.state is before

    @rule(actor=st.sampled_from(["ada", "bo", "ninja", "crow", "nobody"]), beside=st.booleans())
    def drop(self, actor: str, beside: bool) -> None:
        self._try(i.DropSeal(actor, beside))

    @rule()
    def pause(self) -> None:
        self._try(i.Pause())

    @rule()
    def resume(self) -> None:
        self._try(i.Resume())

    @rule()
    def undo(self) -> None:
        self._try(i.Undo())

    @rule()
    @precondition(lambda self: self.table.phase is Phase.OVER)
    def end(self) -> None:
        self._try(i.EndScene())

    @invariant()
    def seals_are_legal_and_their_digests_fit(self) -> None:
        scene = self.table.state.scene
        if scene is None:
            return
        for actor, seal in scene.seals.items():
            assert actor in scene.pending.must
            assert seal.choice().kind in scene.pending.kinds
            assert seal_digest(self._place(seal), seal.opening()) == seal.digest
        everybody = set(scene.seals) == set(scene.pending.must)
        beside = [(actor, seal) for actor, seals in scene.beside.items() for seal in seals]
        assert self.table.view.beside == tuple(sorted(actor for actor, _ in beside))
        game = scene.rules
        for actor, seal in beside:
            assert actor in scene.pending.may
            card = seal.choice()
            assert card.kind in scene.pending.beside
            others = [s.choice() for s in scene.beside[actor] if s is not seal]
            assert game.why_not(scene.game, actor, card, others) is None
            assert seal_digest(self._place(seal), seal.opening()) == seal.digest
        assert scene.answers <= set(scene.seals) - set(scene.beside)
        if self.table.phase in {Phase.SEALED, Phase.LOCKED}:
            spots = self.table.desk.values()
            doubtful = any(spot.doubtful and spot.bound in scene.seals for spot in spots)
            locked = self.table.phase is Phase.LOCKED
            complete = everybody and not scene.answers
            assert complete if locked else (not complete or doubtful)

    def _place(self, seal: Seal) -> SealPlace:
        """The place named by the seal's record."""
        events = (record.event for record in reversed(self.table.records))
        made = (e for e in events if isinstance(e, r.Committed | r.SetBeside))
        event = next(e for e in made if e.digest == seal.digest)
        return event.place(self.table.state.log, "test")

    @invariant()
    def what_was_decided_is_still_open(self) -> None:
        scene = self.table.state.scene
        for actor, choice in scene.decided.items() if scene else ():
            assert scene.rules.why_not(scene.game, actor, choice) is None

    @invariant()
    def nobody_faces_its_own_side(self) -> None:
        scene = self.table.state.scene
        turn = scene.game.turn if scene else None
        if scene and turn and turn.opponent:
            sheets = scene.game.scene.sheets
            assert sheets[turn.active].side != sheets[turn.opponent].side

    @invariant()
    def somebody_can_always_go_on(self) -> None:
        if self.table.phase is Phase.SEALED:
            for actor in self.table.view.awaited:
                assert self.table.offers(actor)
        if self.table.phase is Phase.DECISION:
            open_now = [q for q in questions(self.table.state) if q.step == self.table.step]
            assert any(not offer.reason for q in open_now for offer in q.offers)

    def teardown(self) -> None:
        """Written and read again, the whole log is sound and gives the same table.

        ``TableTalk`` checks each step by itself.
        """
        numbers = [record.seq for record in self.table.records]
        assert numbers == list(range(1, len(numbers) + 1))
        head = GENESIS
        lines = []
        again = TableState("test", rulebooks())
        for record in self.table.records:
            row = encode_record(record, head)
            assert decode_row(row).event == record.event
            again = fold(again, decode_row(row))
            head = line_hash(row.line)
            lines.append(row.line)
        assert public_view(again) == self.table.view
        verdict = verify_log(lines, "test")
        assert verdict.problems == ()
        opened = sum(
            len(record.event.openings) + sum(map(len, record.event.beside.values()))
            for record in self.table.records
            if isinstance(record.event, r.Revealed)
        )
        assert verdict.seals_opened == opened


TestTable = TableMachine.TestCase
TestTable.settings = settings(max_examples=60, stateful_step_count=60)
