"""A person with a seat's key but not its cards learns nothing by asking.

A sealed card changes no answer, no signal and no record, except for the browser that sealed it.
"""

import msgspec
import pytest

from hub.games.game import GM, Choice
from hub.table import acts as i
from hub.table import acts as r
from hub.table.sealed import Sealed
from hub.table.state import AtZero, SeatFault
from tests.support.specialtalk import come_to, moves, table, tap
from tests.support.tabletalk import TableTalk

KNOWN = ["wax-on-attack", "pressure-point"]
OWN, OTHER = "a1b2c3d4e5f60718", "8170f6e5d4c3b2a1"
HANDS = ("reader", "browser")


def card(text: str) -> Sealed[Choice]:
    return Sealed(Choice.parse(text))


def lay(talk: TableTalk, special: str, hands: str) -> None:
    if hands == "reader":
        tap(talk, "ada", special)
    else:
        talk.give(i.Request(i.Commit("ada", card(f"special {special}")), "ada", OWN))


def sealed_table(special: str, hands: str, move: str = "move attack-mid") -> TableTalk:
    talk = table(ada=KNOWN, ninja=["wax-on-attack"])
    come_to(talk, "move")
    talk.place("ada", move)
    lay(talk, special, hands)
    return talk


CARDS = [f"special {s}" for s in (*KNOWN, "to-blave", "yojimbo")] + [
    "move attack-mid",
    "move attack-high",
]
WISHES: list[i.Input] = [
    *(
        i.Request(i.Commit("ada", card(one)), by, OTHER)
        for one in CARDS
        for by in ("ada", GM, "gm-seat")
    ),
    *(i.Request(i.Withdraw("ada", card(one)), by, OTHER) for one in CARDS for by in ("ada", GM)),
    *(i.Request(i.Decide("ada", one), "ada") for one in [*CARDS, "pass", "use", "end-combo"]),
    i.Request(i.Withdraw("ada", None), browser=OTHER),
    i.Request(i.TakeBack("ada")),
]


def answers(talk: TableTalk) -> list[object]:
    """The result of each wish, each tried on the same table: answer, records, signals."""
    found: list[object] = []
    for wish in WISHES:
        records, tells = len(talk.records), len(talk.tells)
        try:
            talk.give(wish)
        except SeatFault as fault:
            found.append(str(fault))
        else:
            found.append("done")
        found += [type(record.event) for record in talk.records[records:]]
        found += [(t.seat, t.signal, t.why.unseal()) for t in talk.tells[tells:]]
    return found


@pytest.mark.parametrize("hands", HANDS)
@pytest.mark.parametrize("timed_out", [False, True], ids=["in time", "time is over"])
def test_another_browser_gets_the_same_answers_for_any_sealed_card(
    hands: str, timed_out: bool
) -> None:
    heard = []
    for special in ("wax-on-attack", "pressure-point"):
        for move in ("move attack-mid", "move attack-high"):
            talk = sealed_table(special, hands, move)
            if timed_out:
                talk.settings = msgspec.structs.replace(
                    talk.settings, commit_s=30, at_zero=AtZero.GM_DECIDES
                )
                talk.wait(30_000)
            heard.append(answers(talk))
    assert "done" not in heard[0]
    assert all(answer == heard[0] for answer in heard)


@pytest.mark.parametrize("hands", HANDS)
def test_a_refused_tap_does_not_name_the_card_beside(hands: str) -> None:
    """Every page of the seat gets the signal."""
    words = set()
    for special in ("wax-on-attack", "pressure-point"):
        talk = sealed_table(special, hands)
        talk.clear()
        other = next(s for s in KNOWN if s != special)
        talk.place("ada", f"special {other}")
        words.add(talk.last_words("ada"))
    (said,) = words
    assert said.startswith("it does not go with the cards already beside")


def test_a_copy_of_the_card_beside_is_refused_like_any_other() -> None:
    """A neighbour's copy withdraws nothing, and the refusal does not show that it is a copy."""
    heard = set()
    for special in KNOWN:
        talk = sealed_table(special, "reader")
        talk.clear()
        talk.place("ada", "special wax-on-attack @a-neighbours")
        assert talk.view.beside == ("ada",) and "Withdrawn" not in talk.events()
        heard.add((talk.last_signal("ada"), talk.last_words("ada")))
    [(_, words)] = heard
    assert words.startswith("it does not go with the cards already beside")


def test_the_same_card_withdraws_itself_after_a_restart_too() -> None:
    talk = sealed_table("wax-on-attack", "reader")
    talk.clear()
    talk.restart()
    tap(talk, "ada", "wax-on-attack")
    assert talk.view.beside == () and talk.events()[-1] == "Withdrawn"


def bystander() -> TableTalk:
    """Bo has set one card beside from a page, and one by hand."""
    talk = table(bo=["to-blave", "yojimbo"])
    come_to(talk, "move")
    talk.give(i.Request(i.Commit("bo", card("special to-blave")), "bo", OWN))
    tap(talk, "bo", "yojimbo")
    assert talk.view.beside == ("bo", "bo")
    return talk


def test_a_browser_may_name_only_cards_it_has_set_beside_itself() -> None:
    talk = bystander()
    for one in ("to-blave", "yojimbo"):
        with pytest.raises(SeatFault, match="this browser did not set"):
            talk.give(i.Request(i.Commit("bo", card(f"special {one}")), "bo", OWN))
    with pytest.raises(SeatFault, match="did not set that card beside"):
        talk.give(i.Request(i.Withdraw("bo", card("special yojimbo")), "bo", OWN))
    talk.restart()
    talk.give(i.Request(i.Withdraw("bo", card("special to-blave")), "bo", OWN))
    assert talk.view.beside == ("bo",)
    tap(talk, "bo", "yojimbo")
    assert talk.view.beside == ()


def test_another_browser_can_only_withdraw_all_cards_beside() -> None:
    talk = bystander()
    records = len(talk.records)
    talk.give(i.Request(i.Withdraw("bo", None), "bo", OTHER))
    assert talk.view.beside == ()
    assert [type(record.event) for record in talk.records[records:]] == [r.Withdrawn] * 2
    with pytest.raises(SeatFault, match="bo has no card set beside"):
        talk.give(i.Request(i.Withdraw("bo", None), "bo", OTHER))
    talk.give(i.Request(i.Commit("bo", card("special yojimbo")), "bo", OTHER))
    talk.give(i.Request(i.Withdraw("bo", card("special yojimbo")), "bo", OTHER))


def test_the_log_does_not_mention_browsers() -> None:
    talk = sealed_table("wax-on-attack", "browser")
    talk.lift("ada", "move attack-mid")
    moves(talk, ada="attack-mid")
    lines = b"".join(row.line for row in talk.rows)
    assert b'"revealed"' in lines
    assert b'"beside":{"ada":[{"choice":"special wax-on-attack","nonce":"' in lines
    assert OWN.encode() not in lines
    assert b"browser" not in lines
