"""A table after a long time of play: thousands of records of story, scenes and undos."""

from random import Random

from hub.table import acts as i
from hub.table.desk import SWING_MS
from hub.table.state import Phase, SeatFault
from hub.table.step import Step
from hub.wire.log import Scribe
from tests.support.evening import Evening


class LongTable(Evening):
    """A table played at random. Its steps are not checked here; other tests do that."""

    def __init__(self, seed: int = 1) -> None:
        self.random = Random(seed)
        super().__init__(dwell_ms=0, reveal_delay_ms=0, gm_seat="gm")

    def judge(self, given: i.Input, done: Step, scribe: Scribe) -> None:
        pass

    def play(self, least: int) -> None:
        """Play until there are this many records."""
        for _ in range(least):
            if len(self.rows) >= least:
                return
            try:
                self._go_on()
            except SeatFault:  # dice know no rules
                self.clear()
        raise AssertionError("the table does not go on")

    def _go_on(self) -> None:
        self.wait(SWING_MS)  # otherwise every card ever laid counts as just lifted
        scene = self.state.scene
        if scene is None:
            for countdown in self.story.countdowns:
                self.do(f"countdown erase {countdown.name}")
            self.do(f"countdown new 4 Tide {self.state.seq}")
            self.start()
        elif self.phase is Phase.OVER or self.random.random() < 0.01:
            self.give(i.EndScene())
        elif self.random.random() < 0.02:
            self.give(i.Undo())
        else:
            for actor in scene.pending.must:
                self._choose(actor)
            self.clear()

    def _choose(self, actor: str) -> None:
        scene = self.state.scene
        if scene is None or actor not in scene.pending.must or actor in scene.chosen():
            return
        fitting = [o for o in self.offers(actor) if o.split()[0] in scene.pending.kinds]
        choice = self.random.choice(fitting or self.offers(actor))
        if self.phase is Phase.DECISION:
            self.give(i.Decide(actor, choice))
        else:
            self.place(str(scene.seat_of(actor)), choice)
