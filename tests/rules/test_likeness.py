"""Names must be distinguishable in any alphabet."""

import pytest

from hub.kernel.likeness import alike_fault, name_fault, name_faults

GOOD = [
    "Ada", "Zoë", "Jörg-Ößer", "D’Artagnan", "O'Neill", "Ninja 2", "Ада", "Ελένη", "Łukasz", "Þór",
    "愛田 さくら", "아다", "עדה", "عدا", "देवी", "nobody", "Vic because Tor", "🦊 Fox",
]  # fmt: skip
BAD = {
    "__proto__": "that the pages use", "constructor": "that the pages use",
    "hasOwnProperty": "that the pages use", "__x": "that the pages use",
    "Ad\u0430": "several alphabets", "Αda": "several alphabets", "Bоb": "several alphabets",
    "Ada\u200b": "invisible characters", "A\u200dda": "invisible characters",
    "\u202eadA": "invisible characters", "Ada\ufe0f": "invisible characters",
    "A\u034fda": "invisible characters", "Ada\u3164": "special forms",
    "Ada\u2800": "invisible characters", "Ａda": "special forms", "Zoe\u0308": "special forms",
    "𝐀da": "special forms", "ﬁn": "special forms", "Ada\u00a0B": "special forms",
    "q\u0308": "invisible characters", "Ada  B": "a space too many", " Ada": "a space too many",
}  # fmt: skip
ALIKE = [
    ("Ada", "ada"), ("Ada", "ADA"), ("Асе", "Ace"), ("ЅОР", "SOP"), ("Al", "AI"), ("Al", "A1"),
    ("Bob", "B0b"), ("Ninja I", "Ninja 1"), ("Arn", "Am"), ("ΑΝΝΑ", "ANNA"), ("O'Neill", "O’Neill"),
    ("Jean-Luc", "Jean–Luc"), ("gm", "GM"), ("ѕор", "sop"),
    ("ᎪᎠᎪ", "ADA"), ("ꓮꓓꓮ", "ADA"), ("ᴠᴏᴡ", "vow"), ("ⲞⲤⲤ", "OCC"), ("𐐄𐐄", "OO"), ("Țica", "Ţica"),
    ("ĸoala", "koala"),
]  # fmt: skip
DIFFERENT = [("Ada", "Ida"), ("Bo", "Bob"), ("Zoe", "Zoë"), ("Ninja 1", "Ninja 2"), ("Ада", "Ada")]


@pytest.mark.parametrize("name", GOOD)
def test_a_name_in_one_alphabet_is_accepted(name: str) -> None:
    assert name_fault(name) is None
    assert [*name_faults([name], ["Wenna", "Tor"])] == []


@pytest.mark.parametrize(("name", "why"), BAD.items())
def test_a_deceptive_name_is_refused(name: str, why: str) -> None:
    fault = name_fault(name)
    assert fault is not None
    assert why in str(fault)


@pytest.mark.parametrize(("one", "other"), ALIKE)
def test_names_that_look_alike_are_refused(one: str, other: str) -> None:
    for name, known in ((one, other), (other, one)):
        assert alike_fault(name, [known]) is not None
    assert [name for name, _ in name_faults([one, other])] == ([other] if one != "gm" else ["GM"])


@pytest.mark.parametrize(("one", "other"), DIFFERENT)
def test_names_that_differ_are_accepted(one: str, other: str) -> None:
    assert alike_fault(one, [other]) is None


def test_the_same_name_is_not_a_likeness() -> None:
    assert [*name_faults(["Ada", "Ada"], ["Ada"])] == []


def test_no_name_may_look_like_the_gm() -> None:
    assert [name for name, _ in name_faults(["GM", "ɡm", "Gm"])] == ["GM", "ɡm", "Gm"]
