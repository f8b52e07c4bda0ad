"""Commands that only pages may give, and the version that a command is based on."""

from contextlib import suppress

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hub.games.game import Choice
from hub.table import acts as c
from hub.table.acts import CommandFault
from hub.table.looks import Portrait
from hub.table.sealed import Sealed
from hub.table.state import Version
from hub.wire.reading import decode_command, decode_page_command
from hub.wire.replies import Code, Reply

NOW = Version(scene=2, phase=5, revision=3)
CARD = "move defend-mid"
COMMIT = f'{{"command":"commit","id":"7","actor":"ada","choice":"{CARD}"}}'

WITHDRAW = COMMIT.replace("commit", "withdraw")


@pytest.mark.parametrize("text", [COMMIT, WITHDRAW])
def test_a_card_from_a_page_is_sealed_at_once(text: str) -> None:
    command = decode_page_command(text)
    assert isinstance(command, c.Commit | c.Withdraw) and isinstance(command.choice, Sealed)
    assert command.choice.unseal() == Choice("move", "defend-mid")
    assert "defend" not in repr(command) + str(command)
    with pytest.raises(TypeError):
        msgspec.json.encode(command)


@pytest.mark.parametrize(
    "choice",
    [f'"{CARD}\\u0007"', f'"{CARD}{"x" * 200}"', '""', "7", f'["{CARD}"]', f'"{CARD}', "null"],
)
def test_a_refused_card_is_not_named(choice: str) -> None:
    text = f'{{"command":"commit","actor":"ada","choice":{choice}}}'
    with pytest.raises(CommandFault) as caught:
        decode_page_command(text)
    assert "defend" not in str(caught.value)


@pytest.mark.parametrize("text", [COMMIT, WITHDRAW, '{"command":"take-back","actor":"ada"}'])
def test_no_other_channel_takes_sealed_cards(text: str) -> None:
    decode_page_command(text)
    with pytest.raises(CommandFault, match="cannot be played over this channel") as caught:
        decode_command(text)
    assert "defend" not in str(caught.value)


def test_a_page_may_give_public_commands() -> None:
    text = '{"command":"undo","id":"7","version":{"scene":2,"phase":5,"revision":3}}'
    assert decode_page_command(text) == decode_command(text) == c.Undo(id="7", version=NOW)


@pytest.mark.parametrize(
    "version", ["7", "{}", '{"scene":1}', '{"scene":1,"phase":1,"revision":"a"}']
)
def test_an_incomplete_version_is_refused(version: str) -> None:
    with pytest.raises(CommandFault):
        decode_command(f'{{"command":"undo","version":{version}}}')


def test_only_these_commands_may_come_from_an_old_page() -> None:
    always = {c.WishFor, c.PlayFor, c.LetHubPlay, c.NameEvening, c.SetTimer, c.Portray}
    assert {kind for kind in c.COMMANDS if not kind.stale_by} == always


EXAMPLES: dict[type[c.Command], dict[str, object]] = {
    c.Decide: {"actor": "ada", "choice": "use"},
    c.Overrule: {"holds": {"what": "end", "winner": None}, "because": "it is late"},
    c.Commit: {"actor": "ada", "choice": Sealed(Choice("stance", "none"))},
    c.TakeBack: {"actor": "ada"},
    c.Withdraw: {"actor": "ada", "choice": Sealed(Choice("special", "scouter"))},
    c.DropSeal: {"actor": "ada"},
    c.TellStory: {"deed": "rest full"},
    c.RemoveCharacter: {"name": "Quay Guard"},
    c.WishFor: {"name": "ada"},
    c.PlayFor: {"actor": "ada", "on": True},
    c.SitOut: {"actor": "ada", "out": True},
    c.NameEvening: {"title": "The last ferry"},
    c.Portray: {"name": "ada", "portrait": Portrait()},
    c.LetHubPlay: {"actors": ("ada",), "on": True},
}
"""Fields that a command needs besides its version."""


@pytest.mark.parametrize("part", ["scene", "phase", "revision"])
@pytest.mark.parametrize("kind", c.COMMANDS)
def test_a_version_must_match_in_the_parts_that_count(kind: type[c.Command], part: str) -> None:
    fields = EXAMPLES.get(kind, {})
    assert c.stale(kind(**fields), NOW) is None
    assert c.stale(kind(version=NOW, **fields), NOW) is None
    other = msgspec.structs.replace(NOW, **{part: getattr(NOW, part) - 1})
    words = c.stale(kind(version=other, **fields), NOW)
    assert bool(words) == (part in kind.stale_by)
    assert not words or ("nothing was done" in str(words) and "look again" in str(words))


def test_a_refusal_never_says_done() -> None:
    assert Reply("7", ok=True).code is Code.DONE
    assert Reply("7", ok=False).code is Code.ILLEGAL
    assert Reply("7", ok=False, code=Code.BUSY).code is Code.BUSY


@given(st.binary(max_size=200))
def test_any_bytes_are_a_command_or_a_fault(data: bytes) -> None:
    with suppress(CommandFault):
        decode_page_command(data)
