"""``verify_log`` and cards beside a step: each is opened, and each is the one that was sealed."""

from collections.abc import Callable

from msgspec.structs import replace

from hub.audit.verify import Verdict, verify_log
from hub.table import acts as i
from hub.table import acts as r
from hub.table.sealed import Opening
from hub.wire.log import GENESIS, decode_row, encode_record
from tests.support.specialtalk import come_to, log_of, moves, table, tap
from tests.support.told import in_words

Openings = dict[str, tuple[Opening, ...]]


def a_turn() -> list[r.Record]:
    """bo lays three times and withdraws once; two cards are opened."""
    talk = table(bo=["yojimbo", "to-blave"])
    come_to(talk, "move")
    for card in ("yojimbo", "to-blave", "yojimbo", "yojimbo"):
        tap(talk, "bo", card)
    moves(talk)
    return talk.records


TURN = a_turn()


def at_the_reveal(change: Callable[[Openings], Openings]) -> Verdict:
    """The verdict on a log whose hub opened other cards beside."""
    records = [
        replace(record, event=replace(record.event, beside=change(record.event.beside)))
        if isinstance(record.event, r.Revealed) and record.event.beside
        else record
        for record in TURN
    ]
    return verify_log(log_of(records), "test")


def without(kind: type, which: int) -> Verdict:
    """The verdict on a log that leaves out the ``which``-th of these events."""
    drop = [record for record in TURN if isinstance(record.event, kind)][which]
    kept = [record for record in TURN if record is not drop]
    numbered = [replace(record, seq=seq) for seq, record in enumerate(kept, 1)]
    return verify_log(log_of(numbered), "test")


def test_a_sound_turn_opens_all_remaining_cards() -> None:
    verdict = verify_log(log_of(TURN), "test")
    assert verdict.problems == ()
    assert (verdict.seals_opened, verdict.seals_unopened) == (6, 1)


def test_a_card_that_is_not_opened_is_found() -> None:
    for fewer in (lambda lay: {"bo": lay["bo"][:1]}, lambda lay: {"bo": ()}, lambda lay: {}):
        (problem,) = at_the_reveal(fewer).problems
        assert "does not open exactly what was sealed" in problem


def test_a_card_that_was_never_sealed_is_found() -> None:
    for more in (
        lambda lay: {"bo": (*lay["bo"], lay["bo"][0])},
        lambda lay: {**lay, "crow": lay["bo"]},
        lambda lay: {**lay, "crow": ()},
    ):
        (problem,) = at_the_reveal(more).problems
        assert "does not open exactly what was sealed" in problem


def test_each_card_is_checked_against_its_own_digest() -> None:
    for at in (0, 1):

        def exchange(lay: Openings, at: int = at) -> Openings:
            cards = list(lay["bo"])
            cards[at] = Opening(cards[at].nonce, "special scouter")
            return {"bo": tuple(cards)}

        (problem,) = at_the_reveal(exchange).problems
        assert "bo's card is not the one that was sealed" in problem
    swapped = at_the_reveal(lambda lay: {"bo": lay["bo"][::-1]})
    assert len(swapped.problems) == 2


def test_a_withdrawal_names_its_card() -> None:
    assert len(without(r.Withdrawn, 0).problems) == 4, "one too few, and neither is in its place"
    assert any("bo had no seal to undo" in problem for problem in without(r.SetBeside, 0).problems)
    (drawn,) = [x.event for x in TURN if isinstance(x.event, r.Withdrawn)]
    (laid, *_) = [x.event for x in TURN if isinstance(x.event, r.SetBeside)]
    assert drawn.digest == laid.digest


def test_cards_left_at_the_end_of_the_log_count_as_unopened() -> None:
    talk = table(bo=["yojimbo", "to-blave"])
    come_to(talk, "move")
    tap(talk, "bo", "yojimbo")
    tap(talk, "bo", "to-blave")
    assert verify_log(log_of(talk.records), "test").seals_unopened == 2
    talk.give(i.Undo())
    assert verify_log(log_of(talk.records), "test").seals_unopened == 2


def test_the_log_and_the_story_mention_every_card() -> None:
    for record in TURN:
        assert decode_row(encode_record(record, GENESIS)).event == record.event
    told = [in_words(record.event) for record in TURN]
    assert told.count("Bo adds a card face down.") == 3
    assert told.count("Bo takes the added card back.") == 1
    assert told[-1].endswith("Bo sets down To Blave. Bo sets down Yojimbo.")
