"""Every example round of the book, with every figure that it and the contract name (T3)."""

from tests.rules.tourists.scripts import Json, bids, fault, played, script, sheet

LEVINULON = {"L": sheet(8, gm=True)}
FORCE = {"D": sheet(5, 3, 1)}
OTHERS = {"C": sheet(5, 4, 1), "N": sheet(4, 1)}
KAIJU = (
    "D 39, L 66, D 79, L -, D 19, L 9r turn, D -, L 48r, D -, L 13r, D -, L 76, D -, L 12, D -, "
    "L 70, D -, L 15, D -, L 11, D -, L 21r, D -, L -"
)
NEWCOMERS = (
    "D 20, C 40r, L 14, N 78r turn, D -, C -, L -, N 67, D -, C -, L -, N 59, D -, C -, L -, "
    "N 46, D -, C -, L -, N 84r, D -, C -, L -, N 62r, D -, C -, L -, N -"
)
BREAKER = {"draw": {"L": "19 reversed", "D": "9 reversed", "C": "79 reversed", "N": "21 upright"}}


def test_the_set_up() -> None:
    opening, _ = played(script(LEVINULON | FORCE))
    assert opening == {
        "conflict": 1,
        "totals": {"L": 8, "D": 7},
        "control": {"party": "L", "ranks": 1},
        "foregone": False,
        "typical_reserve": {"L": 1},
    }
    five = {"characters": {name: sheet(5) for name in "abcde"}}
    assert played(script(LEVINULON | {"D": five}))[0]["typical_reserve"] == {"L": 5}
    opening, _ = played(script(LEVINULON | FORCE | OTHERS))
    assert opening["totals"] == {"L": 8, "D": 7, "C": 8, "N": 5}
    assert (opening["control"], opening["typical_reserve"]) == (None, {"L": 3})


def test_kaiju_round_1() -> None:
    _, found, closing = played(script(LEVINULON | FORCE, {"bids": bids(KAIJU)}))
    assert (found["outcome"], found["control"]) == ("held", {"party": "L", "ranks": 2})
    assert found["tokens"] == {"had": 1, "spent": 1}
    assert (found["winners"], found["losers"]) == (["L"], ["D"])
    loss = {"kind": "lasting", "gravity": 1, "who": "L", "cards": [48, 13, 21], "text": ""}
    assert found["losses"] == {"L": loss}
    assert found["table"]["D"] == {"temporary": [], "lasting": []}
    assert closing == {"over": False}


def test_kaiju_the_next_round() -> None:
    after = [{"by": "D", "redraw": "5 upright", "loss": 48}]
    words = [*bids("D -"), {"party": "L", "draw": "26 upright", "after": after}, *bids("D -, L -")]
    _, _, found, _ = played(script(LEVINULON | FORCE, {"bids": bids(KAIJU)}, {"bids": words}))
    assert found["tokens"] == {"had": 2, "spent": 0}
    assert found["cards"]["L"] == ["5 upright"]
    assert found["table"]["L"]["lasting"] == [{"cards": [48, 13, 21], "face_down": [48]}]


def newcomers(*rounds: Json) -> list[Json]:
    return played(script(LEVINULON | FORCE | OTHERS, BREAKER, *rounds))


def test_newcomers_round_1() -> None:
    _, found, _ = newcomers()
    assert (found["outcome"], found["by"]) == ("taken", ["N"])
    assert found["control"] == {"party": "N", "ranks": 1}
    assert {name: loss["cards"] for name, loss in found["losses"].items()} == {
        "L": [19],
        "D": [9],
        "C": [79],
    }
    assert {loss["kind"] for loss in found["losses"].values()} == {"temporary"}
    assert found["narrate"] == ["N", "L", "D", "C"]


def test_newcomers_round_2() -> None:
    second = {"order": ["D", "C", "L"], "bids": bids(NEWCOMERS), "losses": {"N": {"cards": [84]}}}
    *_, found, _ = newcomers(second)
    assert (found["outcome"], found["by"], found["control"]) == ("broken", ["L", "D"], None)
    assert {name: loss["cards"] for name, loss in found["losses"].items()} == {"C": [40], "N": [84]}
    assert (found["winners"], found["losers"]) == (["D"], ["N"])
    assert found["narrate"] == ["D", "N", "L", "C"]


def test_newcomers_the_loss_used() -> None:
    after = [{"by": "N", "redraw": "33 upright"}]
    words = [{"party": "D", "draw": "20 upright", "after": after}, *bids("C -, L -, N -, D -")]
    *_, found, _ = newcomers({"order": ["D", "C", "L"], "bids": words})
    assert found["cards"]["D"] == ["33 upright"]
    assert found["table"]["D"] == {"temporary": [], "lasting": []}


def test_reserve() -> None:
    parties = {"L": sheet(8, gm=True, reserve=["51 reversed"]), **FORCE}
    after = [{"by": "L", "reserve": "51 reversed", "because": "weakness 0"}]
    words = [{"party": "D", "draw": "21 upright", "after": after}, *bids("L -, D -")]
    _, found, _ = played(script(parties, {"bids": words}))
    assert found["cards"]["D"] == ["51 reversed"]
    assert found["losses"]["D"]["cards"] == [51]
    assert found["reserve"] == {"L": [], "D": []}


def test_wipe_out() -> None:
    words = bids("D 27r, L -, D 28r, L -, D 29r, L -, D 30r, L -, D 31r")
    _, found, closing = played(script(LEVINULON | FORCE, {"bids": words}))
    assert (found["outcome"], found["wiped_out"]) == ("broken", ["D"]), "L has no card (T8)"
    assert found["out"] == {"D": "wiped-out"}
    assert (closing["winner"], closing["reason"]) == ("L", "last-standing")
    assert fault(script(LEVINULON | FORCE, {"bids": words}, {"bids": []})) == "rounds[1]"
