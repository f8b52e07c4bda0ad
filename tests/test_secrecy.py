"""The places where a sealed value may be opened: a list short enough to read."""

import ast
from pathlib import Path

HUB = Path(__file__).resolve().parent.parent / "hub"

MAY_UNSEAL = {
    "table/state.py": "a seal's choice, for reveals and for the checks of step()",
    "table/desk.py": "counts the cards on a reader, and compares the tags that readers hear",
    "table/acts/characters.py": "reads the sheet that a character joins with",
    "table/acts/commit.py": "judges a card that comes from a page",
    "table/acts/field.py": "judges cards",
    "table/acts/readers.py": "whether a card was there when a reader was lost",
    "table/acts/reveal.py": "opens the chance of a step",
    "table/acts/scenes.py": "reads the setup that a scene begins with",
    "table/acts/story.py": "reads the sheets that a story begins with",
    "table/records.py": "checks that a record has the secret that belongs to it",
    "wire/played.py": "holds a secret against what its line commits to",
    "wire/snapshot.py": "writes what is sealed into the journal's snapshot",
    "wire/reading.py": "compares two commands under one id by what they ask for",
    "wire/log.py": "writes the journal's secret column, and reads it",
    "daemon/broker.py": "the broker's password",
    "cli/cards_write.py": "the password that tags are guarded with",
    "config/starter.py": "writes the broker's password into its own file",
    "setup/broker.py": "shows the broker that somebody names its password, to try it",
    "daemon/pages.py": "a seat's own words for its own page",
    "install/broker.py": "hashes the passwords of the broker's users, and hands the hub its own",
    "cli/install.py": "shows new passwords once, or writes them for root alone",
    "web/codes.py": "draws the code that joins the Wi-Fi, for the GM",
    "cli/wifi.py": "draws that code for whoever may read the password's file",
    "config/web.py": "whether the Wi-Fi's password can be one; the code that joins it",
}


def callers() -> set[str]:
    found = set()
    for path in sorted(HUB.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Attribute) and node.attr in {"unseal", "_Sealed__value"}:
                found.add(path.relative_to(HUB).as_posix())
    return found


def test_only_these_modules_open_a_sealed_value() -> None:
    assert callers() == set(MAY_UNSEAL)


def test_no_public_type_holds_a_sealed_value() -> None:
    """Views, events and payloads: no type that reaches a channel has a field for a secret."""
    for name in (
        "table/views.py",
        "table/private_views.py",
        "wire/payloads.py",
        "wire/private_frames.py",
        "wire/chronicle.py",
        "web/frames.py",
    ):
        tree = ast.parse((HUB / name).read_text(encoding="utf-8"))
        names = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
        assert "Sealed" not in names, name
