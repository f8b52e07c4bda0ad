"""Commands as JSON: which are accepted, and that all else is refused."""

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hub.table import acts as c
from hub.wire.reading import MAX_COMMAND_BYTES, CommandFault, decode_command


@pytest.mark.parametrize(
    ("text", "command"),
    [
        ('{"command":"start-scene"}', c.StartScene()),
        (
            '{"command":"start-scene","scene":{"type":"conflict","stakes":"A boat"}}',
            c.StartScene(scene={"type": "conflict", "stakes": "A boat"}),
        ),
        (
            '{"command":"start-scene","scene":{"type":"problem","interested":["ada"]}}',
            c.StartScene(scene={"type": "problem", "interested": ["ada"]}),
        ),
        ('{"command":"tell-story","deed":"rest full"}', c.TellStory(deed="rest full")),
        (
            '{"command":"add-character","sheet":{"name":"Guard","level":1}}',
            c.AddCharacter(sheet={"name": "Guard", "level": 1}),
        ),
        (
            '{"command":"add-character","like":"Guard","name":"Guard 2"}',
            c.AddCharacter(like="Guard", name="Guard 2"),
        ),
        ('{"command":"remove-character","name":"Guard"}', c.RemoveCharacter(name="Guard")),
        ('{"command":"end-scene","id":"7"}', c.EndScene(id="7")),
        (
            '{"command":"decide","actor":"ada","choice":"opponent ninja"}',
            c.Decide(actor="ada", choice="opponent ninja"),
        ),
        ('{"command":"drop-seal","actor":"ada"}', c.DropSeal(actor="ada")),
        (
            '{"command":"drop-seal","actor":"ada","beside":true}',
            c.DropSeal(actor="ada", beside=True),
        ),
        ('{"command":"pause"}', c.Pause()),
        ('{"command":"resume"}', c.Resume()),
        ('{"command":"undo"}', c.Undo()),
    ],
)
def test_every_command_round_trips(text: str, command: c.Command) -> None:
    assert decode_command(text) == decode_command(text.encode()) == command
    assert decode_command(msgspec.json.encode(command)) == command


@pytest.mark.parametrize(
    "text",
    [
        "",
        "null",
        "[]",
        '"undo"',
        "{}",
        '{"command":"reveal"}',
        '{"command":"undo","by":"gm"}',
        '{"command":"undo","id":7}',
        '{"command":"undo"}{"command":"undo"}',
        '{"command":"decide","actor":"ada"}',
        '{"command":"decide","actor":"ada","choice":""}',
        '{"command":"decide","actor":"ada","choice":"a\\u0007"}',
        '{"command":"decide","actor":"ada","choice":"' + "x" * 1201 + '"}',
        '{"command":"decide","actor":"' + "x" * 65 + '","choice":"a"}',
        '{"command":"add-character"}',
        '{"command":"add-character","like":"Guard"}',
        '{"command":"add-character","name":"Guard"}',
        '{"command":"add-character","sheet":{},"name":"Guard"}',
        '{"command":"add-character","sheet":["Guard"]}',
        '{"command":"add-character","sheet":{},"toml":"level = 1"}',
        '{"command":"add-character","toml":"level = 1","like":"Guard","name":"Guard 2"}',
        '{"command":"add-character","toml":"level = 1","seat":"' + "x" * 65 + '"}',
        '{"command":"add-character","like":"Guard","name":"' + "x" * 65 + '"}',
        '{"command":"remove-character"}',
        '{"command":"remove-character","name":"' + "x" * 65 + '"}',
        '{"command":"undo","id":"' + "x" * 65 + '"}',
        '{"command":"undo","id":"\ud800"}',
        '{"command":"undo"}' + " " * MAX_COMMAND_BYTES,
        "[" * 4000,
    ],
)
def test_an_invalid_command_is_refused(text: str) -> None:
    with pytest.raises(CommandFault):
        decode_command(text)
    with pytest.raises(CommandFault):
        decode_command(text.encode("utf-8", "surrogatepass"))


WORDS = st.sampled_from(
    [
        "{", "}", '"command":', '"decide"', '"undo"', ",", '"id":', '"x"', '"actor":', '"choice":',
        "7",
    ]
).map(str.encode)  # fmt: skip


@given(st.binary(max_size=100) | st.lists(WORDS, max_size=14).map(b"".join))
def test_any_bytes_raise_only_command_faults(data: bytes) -> None:
    try:
        command = decode_command(data)
    except CommandFault:
        return
    assert decode_command(msgspec.json.encode(command)) == command


@given(st.text(max_size=100))
def test_any_text_raises_only_command_faults(text: str) -> None:
    with pytest.raises(CommandFault):
        decode_command(text)
