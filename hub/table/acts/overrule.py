"""The GM overrules something in play."""

from typing import Annotated, Any, ClassVar

from msgspec import Meta

from hub.games.game import MAX_WORD_CHARS, IllegalChoice, Word
from hub.games.telling import Words, because
from hub.kernel.bounds import BECAUSE
from hub.kernel.reasons import Reason
from hub.kernel.texts import Said, said
from hub.table.fold import beside_step, scene_of
from hub.table.inputs import PHASE, SCENE, Command, Request
from hub.table.records import Event, Record
from hub.table.state import SeatFault, TableState
from hub.table.transaction import Transaction


class Overrule(Command, frozen=True, tag="overrule"):
    """Overrule something in play, as the GM. Between scenes this is a deed of the story."""

    holds: dict[str, Any]
    """The new ruling; ``docs/rules/word.md`` lists the options."""
    because: Annotated[str, Meta(min_length=1, max_length=MAX_WORD_CHARS)]

    stale_by: ClassVar[tuple[str, ...]] = (SCENE, PHASE)

    def judge(self, transaction: Transaction, request: Request) -> None:
        scene = transaction.scene
        try:
            word = scene.rules.word(scene.game, Word(holds=self.holds, because=self.because))
        except IllegalChoice as error:
            raise SeatFault(error.reason) from None
        if not BECAUSE.holds(word.because):
            raise SeatFault(Reason("word-needs-reason"))
        transaction.emit(Overruled(holds=word.holds, because=word.because, phase=scene.phase_no))

    def told(self, words: Words) -> Said | None:
        return _told(self, words)


class Overruled(Event, frozen=True, kw_only=True, tag="overruled"):
    """The GM overruled something in play; ``because`` is the GM's reason."""

    holds: dict[str, Any]
    """The new ruling as typed values, of the kind named by ``what`` (``docs/rules/word.md``)."""
    because: str
    phase: int

    keeps_early_cards: ClassVar[bool] = True

    def fold(self, state: TableState, record: Record) -> TableState:
        scene = scene_of(state)
        word = Word(holds=self.holds, because=self.because)
        return beside_step(state, scene.rules.overrule(scene.game, word))

    def told(self, words: Words) -> list[Said]:
        return [_told(self, words)]


def _told(overrule: Overrule | Overruled, words: Words) -> Said:
    word = {"holds": overrule.holds, "because": overrule.because}
    return said("gm.log.overrule", text=because(words, word))
