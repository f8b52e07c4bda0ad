"""The guide runner itself: what it does with a page, and which faults it finds in one."""

from pathlib import Path

import pytest

from tests.support.guides import GUIDES, Walk, blocks, mentioned

REFERENCE = {"access.md", "backups.md", "doctor.md", "readers.md", "service.md", "status.md"}
"""Pages beside the guides, to look things up in: they have no steps to follow."""
PAGE = """\
# A page

It names `facedown example-config`, which prints a configuration.

```sh
sudo apt install git make   # a stand-in
facedown example-config \\
  > hub.toml
```

```toml note.txt
a = 1
```

```console
$ cat note.txt
a = …
# a card is laid down
$ read -p "What is it called? [table] " name; echo "<$name>"
What is it called? [table]
> den
<den>
```
"""


def page(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "page.md"
    path.write_text(text, encoding="utf-8")
    return path


def test_a_page_is_followed(tmp_path: Path) -> None:
    laid = []
    hands = {"a card is laid down": lambda walk: laid.append(walk.fields["usb-a"].tags())}
    with Walk(tmp_path / "walk", ("usb-a",), hands) as walk:
        walk.follow(page(tmp_path, PAGE))
        assert "[table]" in (walk.here() / "hub.toml").read_text()
    assert laid == [()]


@pytest.mark.parametrize(
    ("before", "after", "why"),
    [
        ("facedown example-config \\", "facedown example-konfig \\", "page.md:5: .*status 2"),
        ("a = …", "b = …", "page.md:15: "),
        ("<den>", "<table>", "page.md:15: "),
        (
            "# a card is laid down",
            "# a card is eaten",
            "page.md:15: nobody has said what hands do",
        ),
        ("`facedown example-config`", "`facedown doctor`", "none of its blocks runs"),
        ("git make", "git make\nsudo rm -r x", "status 97"),
        ("```toml note.txt", "```toml", "a block of toml"),
    ],
)
def test_a_faulty_page_is_rejected(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, before: str, after: str, why: str
) -> None:
    monkeypatch.setattr("tests.support.guides.SECONDS", 2)
    assert before in PAGE
    hands = {"a card is laid down": lambda _: None}
    with Walk(tmp_path / "walk", (), hands) as walk, pytest.raises(AssertionError, match=why):
        walk.follow(page(tmp_path, PAGE.replace(before, after)))


def test_every_guide_is_followed_by_a_test() -> None:
    tests = "\n".join(
        path.read_text(encoding="utf-8") for path in Path(__file__).parent.glob("*.py")
    )
    for guide in (each for each in GUIDES.glob("*.md") if each.name not in REFERENCE):
        found = [*blocks(guide.read_text(encoding="utf-8"))]
        assert not found or f'"{guide.name}"' in tests, f"no test follows {guide.name}"


def test_a_command_outside_a_code_block_is_found() -> None:
    assert mentioned("Try `facedown doctor --json`.\n```sh\nfacedown run\n```\n") == {
        "facedown doctor"
    }
