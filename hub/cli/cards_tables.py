"""Decks in the terminal, as tables or as JSON. No tag's id and no UID is ever told."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import typer

from hub.books.registry import FAMILIES
from hub.books.terminal import console, print_json, row, table
from hub.cards.deck import Card, Deck, Mark
from hub.cards.making import Missing
from hub.rules.game import Choice
from hub.rules.reasons import Reason


def label(choice: Choice) -> str:
    """What is printed on a card, by the family that says most of it."""
    plain = str(choice)
    said = (family.words.card(choice) for family in FAMILIES)
    return next(said, plain) if choice.value else plain.replace("-", " ").capitalize()


def of_new(path: Path, cards: Sequence[Card], total: int) -> None:
    """What was added to a deck."""
    if not cards:
        typer.echo(f"{path}: it lacks nothing; {total} cards")
        return
    by_set = Counter(card.group for card in cards)
    told = ", ".join(f"{group or 'without a set'} {count}" for group, count in by_set.items())
    new = "1 new card" if len(cards) == 1 else f"{len(cards)} new cards"
    typer.echo(f"{path}: {new} ({told}); {total} in all")


def show_deck(deck: Deck, *, as_json: bool) -> None:
    """Each card of each set with its copies."""
    lines = [*_lines(deck.cards)]
    if as_json:
        print_json(lines)
        return
    shown = table("set", "card", "copies", "written", "means")
    for each in lines:
        state = f"{each['written']}"
        if each["unfinished"]:
            state += f", {each['unfinished']} unfinished"
        if each["struck_off"]:
            state += f", {each['struck_off']} struck off"
        row(shown, each["set"] or "-", each["card"], str(each["copies"]), state, each["choice"])
    console().print(shown)
    has = sum(card.has_tag for card in deck.cards if card.in_play)
    typer.echo(f"{sum(c.in_play for c in deck.cards)} cards, {has} with their tag")


def _lines(cards: Iterable[Card]) -> Iterator[dict[str, Any]]:
    found: dict[tuple[str, Choice], list[Card]] = {}
    for card in cards:
        found.setdefault((card.group, card.choice), []).append(card)
    for (group, choice), copies in found.items():
        yield {
            "set": group,
            "card": label(choice),
            "choice": str(choice),
            "copies": sum(card.in_play for card in copies),
            "written": sum(card.has_tag and card.in_play for card in copies),
            "unfinished": sum(card.mark is Mark.INTENDED for card in copies),
            "struck_off": sum(card.mark is Mark.STRUCK for card in copies),
        }


def show_checked(
    deck: Deck,
    unknown: Sequence[tuple[Card, Reason]],
    lacking: Sequence[Missing],
    *,
    as_json: bool,
) -> None:
    """What is amiss with a deck, and what is still to be done."""
    playing = [card for card in deck.cards if card.in_play]
    has = sum(card.has_tag for card in playing)
    unfinished = sum(card.mark is Mark.INTENDED for card in playing)
    if as_json:
        print_json(
            {
                "cards": len(playing),
                "written": has,
                "unfinished": unfinished,
                "unknown": [
                    {"set": card.group, "choice": str(card.choice), "why": str(why)}
                    for card, why in unknown
                ],
                "missing": [
                    {
                        "set": each.group,
                        "choice": str(each.need.choice),
                        "why": str(each.need.why),
                        "has": each.has,
                        "needs": each.need.count,
                    }
                    for each in lacking
                ],
            }
        )
        return
    for card, why in unknown:
        typer.echo(f"unknown: {_whose(card.group)}{card.choice}: {why}", err=True)
    for each in lacking:
        few = f" ({each.has} of {each.need.count})" if each.has else ""
        card_said = f"{_whose(each.group)}{label(each.need.choice)}{few}"
        typer.echo(f"missing: {card_said}: {each.need.why}", err=True)
    if lacking:
        typer.echo("`facedown cards new --config` adds what is missing", err=True)
    sound = "sound: " if not (unknown or lacking) else ""
    told = f"{sound}{len(playing)} cards, {has} with their tag"
    typer.echo(told + (f", {unfinished} unfinished: write them again" if unfinished else ""))


def _whose(group: str) -> str:
    return f"{group}: " if group else ""
