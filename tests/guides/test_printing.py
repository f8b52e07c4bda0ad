"""The guide to printed cards, followed by somebody who types what stands there."""

from pathlib import Path

from tests.support.guides import GUIDES, Walk


def test_the_guide_leads_to_cards_and_papers(tmp_path: Path) -> None:
    with Walk(tmp_path / "walk") as walk:
        walk.follow(GUIDES / "printing.md")
        made = {each.name for each in walk.home.glob("*.pdf")}
        assert made == {
            *("cards.pdf", "den.pdf", "folded.pdf", "gm.pdf", "shop.pdf"),
            *("rules.pdf", "sheets.pdf", "countdowns.pdf", "tents.pdf"),
        }
        assert (walk.home / "shop" / "back.png").exists()
        assert (walk.home / "drawings" / "back.svg").exists()
