"""C9 to C15, checked by their texts: prices of failures, fates, uses of perks, time."""

import pytest

from hub.games.tricube.reasons import Refused
from hub.games.tricube.rules import perks as said
from hub.games.tricube.rules.character import Affliction, Character, Style, Trait
from hub.games.tricube.rules.settling import Gain, Token
from hub.games.tricube.rules.tale import Tale
from tests.rules.tricube.scripts import (
    SCENE,
    SESSION,
    Json,
    afflicted,
    agile,
    brawny,
    challenge,
    cure,
    fault,
    last,
    opposed,
    perk,
    played,
    roll,
    side,
)

ELF = {"elf": agile(perks=["marksman"], quirks=["greedy"])}
DWARF = {"dwarf": brawny(perks=["healer"])}
HURT = {"elf": agile(perks=["balm"], quirks=["greedy"], resolve=1)}
PRIDE: Json = {"affliction": "pride"}
MISSED = "2 2 2"


def price(said: Json | None, dice: str = MISSED, resolve: int = 3) -> Json:
    """The price of a failure."""
    who = {"elf": agile(resolve=resolve)}
    more = {} if said is None else {"price": said}
    if said is None and resolve == 1:
        more["fate"] = PRIDE
    found = last(who, challenge(), roll("elf", dice, **more))
    paid = found["price"]
    assert isinstance(paid, dict)
    if not found["defeated"]:
        assert found["characters"]["elf"]["resolve"] == resolve - paid["resolve"]
    return paid


# C9


@pytest.mark.book("c9.which", "failure-and-success.always", "failure-and-success.which")
@pytest.mark.book("challenges.critical-brings")
def test_c9_the_gm_decides_the_price_of_a_failure() -> None:
    assert price({"told": "spotted"}) == {"resolve": 0, "complication": None}
    assert price({"complication": "guards"}) == {"resolve": 0, "complication": "guards"}
    assert price({"resolve": True}) == {"resolve": 1, "complication": None}
    several = {"resolve": True, "complication": "guards", "told": "fallen"}
    assert price(several) == {"resolve": 1, "complication": "guards"}
    assert price(several, "1 1 1") == {"resolve": 2, "complication": "guards"}
    for nothing in ({}, {"resolve": False}, {"complication": "", "told": ""}):
        assert fault(ELF, challenge(), roll("elf", MISSED, price=nothing)) == "events[1].price"
    assert fault(ELF, challenge(), roll("elf", "6 2 2", price=several)) == "events[1].price"
    assert last(ELF, challenge(), roll("elf", "6 2 2"))["price"] is None


@pytest.mark.book("c9.usual", "failure-and-success.two")
def test_c9_by_default_a_failure_costs_resolve() -> None:
    assert price(None)["resolve"] == 1
    assert price(None, "1 1 1")["resolve"] == 2
    assert price(None, "1 1 1", resolve=1)["resolve"] == 1, "never more than are left"


@pytest.mark.book("c9.opposed")
def test_c9_by_default_losing_to_a_player_character_costs_nothing() -> None:
    two = {**ELF, **DWARF}
    found = last(two, opposed(elf=side("6 2 2"), dwarf=side("1 1")))
    assert found["sides"]["dwarf"]["price"] == {"resolve": 0, "complication": None}
    assert found["characters"]["dwarf"]["resolve"] == 3
    found = last(two, opposed(elf=side("6 2 2"), dwarf=side("1 1", price={"resolve": True})))
    assert found["sides"]["dwarf"]["price"]["resolve"] == 2
    assert found["characters"]["dwarf"]["resolve"] == 1


# C10


@pytest.mark.book("c10.last", "c10.fate", "defeat.last", "defeat.affliction", "defeat.restored")
@pytest.mark.book("defeat.out", "defeat.victor")
def test_c10_losing_the_last_resolve_needs_a_fate() -> None:
    assert fault(HURT, challenge(), roll("elf", MISSED)) == "events[1].fate"
    assert fault(ELF, challenge(), roll("elf", MISSED, fate=PRIDE)) == "events[1].fate"
    saved = roll("elf", MISSED, fate=PRIDE, price={"told": "seen"})
    assert fault(HURT, challenge(), saved) == "events[1].fate", "no resolve was lost"
    beaten = roll("elf", MISSED, fate=PRIDE)
    found = last(HURT, challenge(), beaten)
    assert found["defeated"]
    elf = found["characters"]["elf"]
    assert elf["afflictions"] == [{"name": "pride", "lasts": "longer"}]
    assert (elf["resolve"], elf["out"], elf["dead"]) == (3, True, False)
    events = challenge(effort=9), beaten, roll("elf", "6 6 6")
    assert fault(HURT, *events) == "events[2].who", "out of the scene"
    assert fault(HURT, *events[:2], SCENE, challenge(), events[2]) == ""


@pytest.mark.book("c10.permanent", "defeat.permanent")
def test_c10_a_critical_failures_affliction_is_permanent() -> None:
    found = last(HURT, challenge(), roll("elf", "1 1 1", fate=PRIDE))
    assert found["characters"]["elf"]["afflictions"] == [{"name": "pride", "lasts": "permanent"}]
    for lasts in ("scene", "longer", "permanent"):
        said = roll("elf", "1 1 1", fate=PRIDE | {"lasts": lasts})
        assert fault(HURT, challenge(), said) == "events[1].fate.lasts"
        said = roll("elf", MISSED, fate=PRIDE | {"lasts": lasts})
        place = "events[1].fate.lasts" if lasts == "permanent" else ""
        assert fault(HURT, challenge(), said) == place


@pytest.mark.book("c10.fatal", "defeat.death")
def test_c10_a_fate_is_fatal_only_after_a_warning() -> None:
    fatal = roll("elf", MISSED, fate=PRIDE | {"fatal": True})
    assert fault(HURT, challenge(), fatal) == "events[1].fate.fatal"
    found = played(HURT, challenge(deadly=True), fatal, SESSION)
    for each in found[1:3]:
        elf = each["characters"]["elf"]
        assert (elf["dead"], elf["out"], elf["resolve"]) == (True, True, 0)
    assert elf["afflictions"] == [{"name": "pride", "lasts": "longer"}]
    both = roll("elf", MISSED, fate=PRIDE | {"fatal": True, "stays": True})
    assert fault(HURT, challenge(deadly=True), both) == "events[1].fate.stays"
    beaten = side(MISSED, price={"resolve": True}, fate=PRIDE | {"fatal": True})
    sides = {"dwarf": side("6 6"), "elf": beaten}
    place = fault(HURT | DWARF, opposed(**sides))
    assert place == "events[0].sides.elf.fate.fatal"
    assert last(HURT | DWARF, opposed(deadly=True, **sides))["characters"]["elf"]["dead"]


@pytest.mark.book("c10.retired", "defeat.retired")
def test_c10_four_afflictions_retire_a_character() -> None:
    for count in (3, 4):
        ills = afflicted(*("arm", "leg", "eye", "nerve")[:count])
        who = {"elf": agile(afflictions=ills)} | DWARF
        place = fault(who, challenge(), roll("elf", "6 6 6"))
        assert place == ("events[1].who" if count > 3 else "")
    healed = cure("elf", "eye", "healer", by="dwarf")
    found = played(who, healed, challenge(), roll("elf", "6 6 6"))
    assert found[2]["outcome"] == "exceptional"
    assert fault(who, cure("elf", "eye", "healer")) == "events[0].who", "not by itself"


# C11


@pytest.mark.book("c11.cure", "recovery.cure", "assisting.cure")
def test_c11_a_cure_costs_the_healer() -> None:
    who = {"elf": agile(afflictions=afflicted("arm"))} | DWARF
    found = last(who, cure("elf", "arm", "healer", by="dwarf"))
    assert (found["by"], found["paid"], found["permanent"]) == ("dwarf", 1, False)
    assert [each["karma"] for each in found["characters"].values()] == [3, 2]
    assert found["characters"]["elf"]["afflictions"] == []
    assert fault(who, cure("elf", "arm", "healer")) == "events[0].perks", "a perk of its own"
    assert fault(who, cure("elf", "leg", "healer", by="dwarf")) == "events[0].affliction"
    poor = {"elf": agile(afflictions=afflicted("arm"), perks=["balm"], karma=0)}
    assert fault(poor, cure("elf", "arm", "balm")) == "events[0].complication"
    found = last(poor, cure("elf", "arm", "balm", complication="a debt"))
    assert (found["by"], found["paid"], found["complication"]) == ("elf", 0, "a debt")


@pytest.mark.book("c11.permanent", "recovery.permanent", "c6.three")
def test_c11_curing_a_permanent_affliction_costs_karma_for_good() -> None:
    ill = agile(perks=["balm"], afflictions=afflicted("arm", lasts="permanent"))
    heal = cure("elf", "arm", "balm")
    *_, cured, session, closing = played({"elf": ill}, heal, SESSION)
    assert (cured["paid"], cured["permanent"]) == (1, True)
    for each in (cured, session, closing):
        elf = each["characters"]["elf"]
        assert (elf["karma"], elf["karma_max"]) == (2, 2)
    poor = {"elf": ill | {"karma": 0}}
    assert fault(poor, heal) == "events[0].who"
    assert fault(poor, heal | {"by": "elf"}) == "events[0].by"
    assert fault(poor, heal | {"complication": "a debt"}) == "events[0].who"
    assert fault({"elf": ill}, heal | {"complication": "a debt"}) == "events[0].complication"


@pytest.mark.book("c11.time", "recovery.time", "c11.convert", "recovery.convert")
def test_c11_time_and_advances_remove_afflictions() -> None:
    ills = [*afflicted("arm"), *afflicted("scar", lasts="permanent")]
    who = {"elf": agile(quirks=["vain"], afflictions=ills)}

    def event(do: str, name: str) -> Json:
        return {"do": do, "who": "elf", "affliction": name}

    healed = last(who, event("recover", "arm"))
    assert healed["characters"]["elf"]["afflictions"] == ills[1:]
    turned = last(who, event("convert", "scar"))["characters"]["elf"]
    assert (turned["quirks"], turned["afflictions"]) == (["vain", "scar"], ills[:1])
    assert fault(who, event("recover", "scar")) == "events[0].affliction"
    assert fault(who, event("convert", "arm")) == "events[0].affliction"
    out = {"elf": who["elf"] | {"afflictions": [*ills, *afflicted("a", "b")]}}
    assert fault(out, event("recover", "arm")) == "", "of whoever is not there, too"
    dead = {"elf": who["elf"] | {"dead": True}}
    assert fault(dead, event("recover", "arm")) == fault(dead, event("convert", "scar"))
    assert fault(dead, event("recover", "arm")) == "events[0].who"


# C12


@pytest.mark.book("c12.paid", "perks.impact", "deeper-look.automatic", "deeper-look.bypass")
def test_c12_uses_that_cost_a_karma() -> None:
    for use in ("impact", "automatic"):
        found = last(ELF, perk("elf", use, "marksman"))
        assert (found["paid"], found["characters"]["elf"]["karma"]) == (1, 2)
        there = perk("elf", use, "marksman", challenge="wall")
        assert fault(ELF, challenge(), there) == "events[1].challenge"
    flown = perk("elf", "bypass", "marksman", challenge="wall")
    found = played(ELF, challenge(), flown, roll("elf", "6 2 2"))
    assert (found[1]["paid"], found[1]["challenges"]["wall"]["bypassed"]) == (1, ["elf"])
    assert found[1]["challenges"]["wall"]["over"] is False, "for one alone"
    assert found[2]["over"] is True, "it bars no later roll"
    assert fault(ELF, challenge(), flown, flown) == "events[2].challenge"
    assert fault(ELF, flown) == "events[0].challenge"
    over = challenge(), roll("elf", "6 2 2"), flown
    assert fault(ELF, *over) == "events[2].challenge"
    assert fault(ELF, perk("elf", "bypass", "marksman")) == "events[0].challenge"


@pytest.mark.book("c12.free", "perks.uses", "deeper-look.attempt", "deeper-look.flavour")
def test_c12_uses_that_cost_nothing() -> None:
    for use in ("attempt", "flavour"):
        found = last(ELF, perk("elf", use, "marksman"))
        assert (found["paid"], found["complication"]) == (0, None)
        assert found["characters"]["elf"]["karma"] == 3
        rain = perk("elf", use, "marksman", complication="rain")
        assert fault(ELF, rain) == "events[0].complication"
        assert fault(ELF, perk("elf", use, "flight")) == "events[0].perks"


# C13


@pytest.mark.book("c13.own", "c13.both")
def test_c13_quirk_and_karma_change_the_own_difficulty() -> None:
    two = {"elf": agile(quirks=["vain"], perks=["luck"])} | DWARF
    found = last(two, opposed(elf=side("5 5 2", karma={"perks": ["luck"]}), dwarf=side("6 2")))
    elf, dwarf = found["sides"].values()
    assert elf["difficulty"] == {"set": 6, "quirk": 0, "karma": -1, "final": 5}
    assert dwarf["difficulty"] == {"set": 5, "quirk": 0, "karma": 0, "final": 5}
    assert (elf["hits"], dwarf["hits"]) == (2, 1)
    assert (elf["outcome"], dwarf["outcome"]) == ("success", "failure")
    assert found["winner"] == "elf"


@pytest.mark.book("c13.neither")
def test_c13_if_neither_reaches_the_difficulty_both_fail() -> None:
    vain = side("4 4 4", quirk="vain")
    two = {"elf": agile(quirks=["vain"]), "dwarf": brawny(quirks=["vain"])}
    found = last(two, opposed(elf=vain, dwarf=side("4 4", quirk="vain")))
    assert [each["outcome"] for each in found["sides"].values()] == ["failure", "failure"]
    assert found["winner"] is None


@pytest.mark.book("c13.ones")
def test_c13_all_ones_never_succeed() -> None:
    two = {"elf": agile(perks=["luck"])} | DWARF
    lucky = side("1 1 1", karma={"perks": ["luck"]})
    elf, dwarf = last(two, opposed(elf=lucky, dwarf=side("1 1")))["sides"].values()
    assert elf["difficulty"]["final"] == 0
    assert (elf["outcome"], dwarf["outcome"]) == ("critical", "critical")


@pytest.mark.book("c13.even")
def test_c13_an_even_result_is_a_success_for_a_quirk() -> None:
    two = {"elf": agile(quirks=["vain"], perks=["luck"], karma=1, resolve=1)} | DWARF
    vain = side("4 4 2", quirk="vain", regain="resolve", karma={"perks": ["luck"]})
    elf, dwarf = last(two, opposed(elf=vain, dwarf=side("4 4")))["sides"].values()
    assert (elf["outcome"], dwarf["outcome"]) == ("even", "even")
    assert (elf["gain"], elf["price"]) == ({"resolve": 1}, None)
    costs = side("4 4", price={"resolve": True})
    place = fault(two, opposed(elf=vain, dwarf=costs))
    assert place == "events[0].sides.dwarf.price", "and no failure"


# C14


@pytest.mark.book("c14.scene", "recovery.scene")
def test_c14_effects_of_a_new_scene() -> None:
    scared = roll("elf", MISSED, fate={"affliction": "fear", "lasts": "scene"})
    ill = {"elf": HURT["elf"] | {"afflictions": afflicted("arm")}} | DWARF
    found = played(ill, challenge(), scared, SCENE, SCENE, challenge())
    scene = found[2]
    assert scene["gone"] == {"elf": ["fear"]}
    assert scene["characters"]["elf"]["afflictions"] == afflicted("arm")
    assert scene["characters"]["elf"]["out"] is False
    assert (scene["challenges"], found[3]["gone"]) == ({}, {})
    assert fault(ill, challenge(), SCENE, roll("elf", MISSED)) == "events[2].challenge"
    assert fault(ill, challenge(), challenge()) == "events[1].name"


# Complications, and C15 as far as the rules go


@pytest.mark.book("offers.karma", "offers.source")
def test_a_complication_is_offered_for_a_karma() -> None:
    worn = {"elf": agile(quirks=["greedy"], karma=0)}
    offer = {"do": "complication", "who": "elf", "quirk": "greedy"}
    found = last(worn, offer)
    assert (found["gain"], found["characters"]["elf"]["karma"]) == ({"karma": 1}, 1)
    found = last(worn, {**offer, "accepted": False})
    assert (found["gain"], found["characters"]["elf"]["karma"]) == (None, 0)
    found = last(worn, {"do": "complication", "who": "elf"})
    assert (found["quirk"], found["gain"]) == (None, {"karma": 1})
    assert fault(worn, {**offer, "quirk": "vain"}) == "events[0].quirk"


TALE = Tale(
    {
        "elf": Character(
            Trait.AGILE,
            "ranger",
            Style.RANGED,
            perks=("balm",),
            karma=1,
            afflictions=(Affliction("fear"),),
            out=True,
        )
    }
)


@pytest.mark.book("c15.cure")
def test_c15_a_character_who_is_out_may_cure_itself_if_the_gm_agrees() -> None:
    with pytest.raises(Refused) as no:
        said.cure(TALE, "elf", "fear", ["balm"])
    assert no.value.part == ("who",)
    after, _ = said.cure(TALE, "elf", "fear", ["balm"], though_out=True)
    assert (after.characters["elf"].afflictions, after.characters["elf"].karma) == ((), 0)


@pytest.mark.book("c15.reason")
def test_c15_an_affliction_may_be_the_reason_for_a_complication() -> None:
    back = TALE.put(
        "elf", Character(Trait.AGILE, "", Style.RANGED, karma=2, afflictions=(Affliction("fear"),))
    )
    after, gain = said.take_complication(back, "elf", affliction="fear")
    assert (after.characters["elf"].karma, gain) == (3, Gain(Token.KARMA, 1))
    with pytest.raises(Refused) as no:
        said.take_complication(back, "elf", affliction="cold")
    assert no.value.part == ("affliction",)
