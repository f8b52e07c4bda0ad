"""Each fault that a script can have, with its place; and the optional keys."""

import json
from typing import Any

import pytest

from hub.games.resolve import resolve_script
from hub.kernel.faults import Faulty, written
from tests.rules.tricube.scripts import (
    Json,
    afflicted,
    agile,
    brawny,
    challenge,
    crafty,
    cure,
    fault,
    npc,
    opposed,
    perk,
    played,
    roll,
    script,
    side,
    told,
)

CAST = {
    "elf": agile(perks=["marksman", "balm"], quirks=["greedy"], afflictions=afflicted("fear")),
    "dwarf": brawny(perks=["brave"], resolve=1, karma=0),
    "ghost": crafty(dead=True, afflictions=afflicted("cold")),
    "hermit": crafty(afflictions=afflicted("a", "b", "c", "d")),
    "monk": crafty(perks=["chant"], afflictions=afflicted("scar", lasts="permanent")),
}
HIT, MISS, ONES = "6 6 2", "2 2 2", "1 1 1"


def of_roll(dice: str = HIT, **more: Any) -> Json:
    return roll("elf", dice, **more)


def of_dwarf(dice: str = "2 2", **more: Any) -> Json:
    return roll("dwarf", dice, fate={"affliction": "pride", **more})


def without(event: Json, *keys: str) -> Json:
    return {key: value for key, value in event.items() if key not in keys}


FAULTS: list[tuple[str, Json]] = [
    *((".do", {"do": do}) for do in ("dance", "", None, 3, ["turn"])),
    (".do", {"told": "nothing"}),
    (".colour", {"do": "turn", "colour": "red"}),
    (".told", {"do": "turn", "told": 5}),
    (".name", challenge("wall")),
    (".name", challenge("")),
    (".name", {"do": "challenge"}),
    *((".difficulty", challenge("dog", difficulty=value)) for value in (3, 7, 5.0, "5", True)),
    *((".effort", challenge("dog", effort=value)) for value in (-1, 1.0, None)),
    (".deadly", challenge("dog", deadly=1)),
    *((".who", roll(who, "2 2")) for who in ("ghost", "hermit", "nobody", "out")),
    *((f".{key}", without(of_roll(), key)) for key in ("who", "challenge", "type", "dice")),
    *((".challenge", of_roll(at=name)) for name in ("over", "none", "")),
    *((".type", of_roll(kind=kind)) for kind in ("strong", "", "Agile")),
    *((".dice", of_roll(dice)) for dice in ("", "6", "6 6", "6 6 6 6")),
    *((f".dice[{n}]", {**of_roll(), "dice": d}) for n, d in ((1, [6, 0, 6]), (2, [6, 6, 7]))),
    *((".dice[1]", {**of_roll(), "dice": [6, die, 6]}) for die in (5.0, "6", -1, None, True)),
    (".quirk", of_roll(quirk="vain")),
    (".hindered", of_roll(hindered="cold")),
    (".hindered", of_roll(hindered="fear", quirk="greedy")),
    (".regain", of_roll(regain="karma")),
    (".regain", of_roll(MISS, quirk="greedy", regain="resolve")),
    (".regain", of_roll(quirk="greedy", regain="luck")),
    (".karma.perks", of_roll(karma={})),
    (".karma.perks", of_roll(karma={"perks": []})),
    (".karma.perks", of_roll(karma={"perks": ["brave"]})),
    (".karma.perks", of_roll(karma={"perks": ["balm", "balm"]})),
    (".karma.by", of_roll(karma={"perks": ["chant"], "by": "ghost"})),
    (".karma.by", of_roll(karma={"perks": ["chant"], "by": "out"})),
    (".karma.complication", of_roll(karma={"perks": ["balm"], "complication": "rain"})),
    (".karma.complication", of_roll(karma={"perks": ["brave"], "by": "dwarf"})),
    (".karma.luck", of_roll(karma={"perks": ["balm"], "luck": 1})),
    (".price", of_roll(price={"resolve": True})),
    (".price", of_roll(MISS, price={})),
    (".price", of_roll(MISS, price={"resolve": False, "complication": "", "told": ""})),
    (".price.resolve", of_roll(MISS, price={"resolve": 1})),
    (".fate", of_roll(MISS, fate={"affliction": "pride"})),
    (".fate", roll("dwarf", "2 2")),
    (".fate.affliction", {**of_dwarf(), "fate": {"lasts": "longer"}}),
    (".fate.lasts", of_dwarf("1 1", lasts="longer")),
    (".fate.lasts", of_dwarf(lasts="permanent")),
    (".fate.fatal", of_dwarf(fatal=True)),
    (".fate.stays", of_dwarf(fatal=True, stays=True) | {"challenge": "deep"}),
    (".again", of_roll(again=True)),
    (".defense", of_roll(defense=1)),
    (".scope", of_roll(scope=None)),
    *((".sides", opposed(**sides)) for sides in ({}, {"a": npc("4")}, {"elf": side(HIT)})),
    (".sides", opposed(a=npc("4"), b=npc("4"), c=npc("5"))),
    (".sides", opposed(a=npc("4"), elf=side(HIT))),
    (".sides", {"do": "opposed"}),
    (".sides.elf", opposed(elf=npc("4"), troll=npc("4"))),
    (".sides.ghost", opposed(elf=side(HIT), ghost=side("2 2"))),
    (".sides.troll", opposed(elf=side(HIT), troll=side("2 2"))),
    (".sides.troll.dice", opposed(ogre=npc("4"), troll=npc(""))),
    (".sides.troll.dice", opposed(ogre=npc("4"), troll=npc("4 4 4 4"))),
    (".sides.troll.type", opposed(ogre=npc("4"), troll=npc("4") | {"type": "agile"})),
    (".sides.monk.dice", opposed(elf=side(HIT), monk=side("2"))),
    (".sides.monk.quirk", opposed(elf=side(HIT), monk=side("2 2", quirk="loud"))),
    (".sides.monk.price", opposed(elf=side(HIT), monk=side("2 2", price={}))),
    (".sides.monk.type", opposed(elf=side(HIT), monk=without(side("2 2"), "type"))),
    (".sides.dwarf.fate", opposed(elf=side(HIT), dwarf=side("2 2", price={"resolve": True}))),
    *((".use", perk("elf", use, "balm")) for use in ("", "free")),
    (".who", perk("hermit", "flavour", "balm")),
    (".perks", perk("elf", "impact")),
    (".perks", perk("elf", "flavour", "balm", "balm")),
    (".challenge", perk("elf", "bypass", "balm", challenge="over")),
    (".complication", perk("dwarf", "impact", "brave")),
    (".quirk", {"do": "complication", "who": "elf", "quirk": "vain"}),
    (".who", {"do": "complication", "who": "out"}),
    (".accepted", {"do": "complication", "who": "elf", "accepted": "yes"}),
    (".who", cure("ghost", "cold", "balm", by="elf")),
    (".affliction", cure("elf", "cold", "balm")),
    (".by", cure("elf", "fear", "chant", by="hermit")),
    (".who", cure("hermit", "a", "balm")),
    (".perks", cure("elf", "fear", "chant")),
    (".by", cure("monk", "scar", "brave", by="dwarf")),
    (".affliction", {"do": "recover", "who": "monk", "affliction": "scar"}),
    (".affliction", {"do": "convert", "who": "elf", "affliction": "fear"}),
    (".who", {"do": "convert", "who": "ghost", "affliction": "cold"}),
]
BEFORE = [
    challenge(),
    challenge("over"),
    challenge("deep", deadly=True),
    roll("elf", HIT, at="over"),
    roll("out", ONES, at="wall", fate={"affliction": "pride"}),
]


@pytest.mark.parametrize(("place", "event"), FAULTS, ids=lambda each: str(each)[:60])
def test_a_fault_of_an_event_has_its_place(place: str, event: Json) -> None:
    cast = CAST | {"out": agile(resolve=1)}
    assert fault(cast, *BEFORE, event) == f"events[5]{place}"


@pytest.mark.parametrize("name", ["greedy", "fear"])
def test_an_affliction_needs_a_new_name(name: str) -> None:
    hurt = {"elf": CAST["elf"] | {"resolve": 1}}
    beaten = roll("elf", MISS, fate={"affliction": name})
    assert fault(hurt, challenge(), beaten) == "events[1].fate.affliction"


@pytest.mark.parametrize(
    ("place", "who"),
    [
        ("trait", {"concept": "thief"}),
        ("concept", agile(concept="half a \ud800")),
        ("perks[1]", agile(perks=["luck", "\udfff"])),
        ("concept", {"trait": "agile"}),
        ("trait", agile() | {"trait": "strong"}),
        ("style", agile(style="agile")),
        ("perks", agile(perks="balm")),
        ("perks[1]", agile(perks=["balm", "balm"])),
        ("quirks[0]", agile(quirks=[5])),
        ("karma", agile(karma=4)),
        ("karma", agile(karma=3, karma_max=2)),
        ("karma", agile(karma=-1)),
        ("karma_max", agile(karma_max=3.0)),
        ("resolve", agile(resolve=0)),
        ("resolve", agile(resolve=4)),
        ("resolve_max", agile(resolve_max=0)),
        ("afflictions[0].name", agile(quirks=["fear"], afflictions=afflicted("fear"))),
        ("afflictions[1].name", agile(afflictions=afflicted("fear", "fear"))),
        ("afflictions[0].name", agile(afflictions=[{}])),
        ("afflictions[0].lasts", agile(afflictions=afflicted("fear", lasts="long"))),
        ("dead", agile(dead="no")),
        ("out", agile(out=True)),
        ("age", agile(age=3)),
    ],
)
def test_a_fault_of_a_character_has_its_place(place: str, who: Json) -> None:
    assert told(script({"elf": who})) == ([], f"characters.elf.{place}")


@pytest.mark.parametrize(
    ("place", "document"),
    [
        ("characters", {"ruleset": "tricube", "characters": {}, "events": []}),
        ("characters", {"ruleset": "tricube", "events": []}),
        ("characters", {"ruleset": "tricube", "characters": [], "events": []}),
        ("events", {"ruleset": "tricube", "characters": {"elf": agile()}}),
        ("events", {"ruleset": "tricube", "characters": {"elf": agile()}, "events": {}}),
        ("events[0]", script({"elf": agile()}, None)),  # type: ignore[arg-type]
        ("house", script({"elf": agile()}) | {"house": {}}),
    ],
)
def test_a_fault_of_the_document_has_its_place(place: str, document: Json) -> None:
    assert told(document) == ([], place)


@pytest.mark.parametrize(
    ("place", "ogre"),
    [("ogre.npc", npc("5") | {"npc": 1}), ("ogre", ["npc"]), ("", side("5")), ("ogre", npc("5"))],
)
def test_a_fault_of_a_side_has_its_place(place: str, ogre: Any) -> None:
    """An invalid side is reported first, at its own place."""
    wolf = {"elf": npc("5")} if place == "ogre" and isinstance(ogre, dict) else {"wolf": npc("5")}
    event = {"do": "opposed", "sides": {"ogre": ogre, **wolf}}
    cast = {"ogre": agile()} if "elf" in wolf else {"elf": agile()}
    assert fault(cast, event) == f"events[0].sides{place and '.'}{place}"


@pytest.mark.parametrize(
    ("place", "who"),
    [
        ("perks[0]", agile(perks=[3, ""])),
        ("quirks[1]", agile(quirks=["", None, "x"])),
        ("karma_max", agile(karma_max=None, karma=5)),
        ("resolve_max", agile(resolve_max="4", resolve=4)),
        ("afflictions[0].name", agile(afflictions=[{"name": 4}, {"name": ""}])),
        ("afflictions[0]", agile(quirks=[""], afflictions=["fear"])),
        ("trait", agile(trait="lucky", style="melee")),
        ("dead", agile(dead=0, resolve=0)),
    ],
)
def test_a_fault_is_reported_alone(place: str, who: Json) -> None:
    with pytest.raises(Faulty) as found:
        list(resolve_script(json.dumps(script({"elf": who})).encode()))
    assert [written(each.place) for each in found.value.faults] == [f"characters.elf.{place}"]


def test_every_fault_is_one_sentence() -> None:
    cast = CAST | {"out": agile(resolve=1)}
    for _, event in FAULTS:
        document = json.dumps(script(cast, *BEFORE, event)).encode()
        with pytest.raises(Faulty) as found:
            list(resolve_script(document))
        for each in found.value.faults:
            assert each.reason.is_known, each.reason.code
            assert "\n" not in str(each) and "{" not in str(each)


def test_a_duplicate_key_is_refused() -> None:
    text = json.dumps(script({"elf": agile()}, challenge()))
    twice = text.replace('"name": "wall"', '"name": "wall", "name": "dog"').encode()
    with pytest.raises(Faulty) as found:
        list(resolve_script(twice))
    assert str(found.value) == "events[0].name: appears twice"


def test_missing_keys_have_defaults() -> None:
    short = {"elf": {"trait": "brawny", "concept": ""}, "ghost": crafty(dead=True)}
    *_, closing = played(short)
    assert closing["characters"]["elf"] == {
        "trait": "brawny", "concept": "", "style": "melee", "perks": [], "quirks": [],
        "karma": 3, "karma_max": 3, "resolve": 3, "resolve_max": 3,
        "afflictions": [], "dead": False,
    }  # fmt: skip
    assert closing["characters"]["ghost"]["resolve"] == 0
    told_ = {"ghost": crafty(dead=True, resolve=2)}
    assert played(told_)[-1]["characters"]["ghost"]["resolve"] == 2
    low = {"elf": agile(karma_max=0, resolve_max=1)}
    (closing,) = played(low)
    elf = closing["characters"]["elf"]
    assert (elf["karma"], elf["resolve"]) == (0, 1)
    event = opposed(elf=side(HIT, npc=False, scope=True), dwarf=side("2 2"))
    sides = played({"elf": agile(), "dwarf": brawny()}, event)[0]["sides"]
    assert [each["npc"] for each in sides.values()] == [False, False]


def test_names_keep_the_order_of_the_characters() -> None:
    first, *_, closing = played({"z": agile(), "a": agile()}, {"do": "turn"})
    assert [*first["characters"]] == [*closing["characters"]] == ["z", "a"]
