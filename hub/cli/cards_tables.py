"""Shows decks on the terminal, as tables or as JSON; never a tag id or UID."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import typer

from hub.cards.deck import Card, Deck, Mark
from hub.cards.making import Missing
from hub.games import registry
from hub.games.family import Family
from hub.games.game import Choice
from hub.games.registry import texts
from hub.games.terminal import console, print_json, row, table
from hub.kernel.called import called
from hub.kernel.catalogues import ENGLISH
from hub.kernel.reasons import Reason


def label(choice: Choice) -> str:
    """The card's name as printed on it, from the first family that has one."""
    plain = str(choice)
    known = [family for family in registry.FAMILIES if _is_of(family, choice)]
    said = (
        texts(ENGLISH).title(family.words.card(choice)) for family in (*known, *registry.FAMILIES)
    )
    return next(said, plain) if choice.value else plain.replace("-", " ").capitalize()


def _is_of(family: Family, choice: Choice) -> bool:
    dealing = family.dealing
    rulesets = family.rulesets
    return dealing is not None and any(not dealing.unknown(r, choice, ()) for r in rulesets)


def of_new(path: Path, cards: Sequence[Card], deck: Deck) -> None:
    """Report the ``cards`` that were added to the deck in ``path``. A card with two ends counts as
    one."""
    new, total = Deck(tuple(cards)).pieces, len(deck.pieces)
    if not new:
        typer.echo(f"{path}: it lacks nothing; {total} cards")
        return
    by_set = Counter(piece[0].group for piece in new)
    told = ", ".join(f"{group or 'without a set'} {count}" for group, count in by_set.items())
    said = "1 new card" if len(new) == 1 else f"{len(new)} new cards"
    ends = sum(len(piece) > 1 for piece in new)
    more = f", {ends} of them with a tag at each end" if ends else ""
    typer.echo(f"{path}: {said} ({told}){more}; {total} in all")


def show_deck(deck: Deck, *, as_json: bool) -> None:
    """Show a line for each card of each set: its copies, and how many have their tags."""
    lines = [*_lines(deck.pieces)]
    if as_json:
        print_json(lines)
        return
    shown = table("set", "card", "copies", "written", "means")
    for each in lines:
        state = f"{each['written']}"
        if each["one_end"]:
            state += f", {each['one_end']} at one end"
        if each["unfinished"]:
            state += f", {each['unfinished']} unfinished"
        if each["struck_off"]:
            state += f", {each['struck_off']} struck off"
        row(shown, each["set"] or "-", each["card"], str(each["copies"]), state, each["choice"])
    console().print(shown)
    playing = _in_play(deck)
    typer.echo(f"{len(playing)} cards, {sum(map(_has_tags, playing))} with their tag")


_Piece = tuple[Card, ...]
"""A physical card: its tag, or the tags at its two ends."""


def _in_play(deck: Deck) -> list[_Piece]:
    return [piece for piece in deck.pieces if piece[0].in_play]


def _has_tags(piece: _Piece) -> bool:
    return all(end.has_tag for end in piece)


def _lines(pieces: Iterable[_Piece]) -> Iterator[dict[str, Any]]:
    found: dict[tuple[str, tuple[Choice, ...]], list[_Piece]] = {}
    for piece in pieces:
        choices = tuple(end.choice for end in piece)
        found.setdefault((piece[0].group, choices), []).append(piece)
    for (group, choices), copies in found.items():
        playing = [piece for piece in copies if piece[0].in_play]
        yield {
            "set": group,
            "card": " / ".join(map(label, choices)),
            "choice": " / ".join(map(str, choices)),
            "ends": [str(choice) for choice in choices],
            "copies": len(playing),
            "written": sum(map(_has_tags, playing)),
            "one_end": sum(sum(end.has_tag for end in p) == 1 < len(p) for p in playing),
            "unfinished": sum(any(e.mark is Mark.INTENDED for e in p) for p in copies),
            "struck_off": sum(piece[0].mark is Mark.STRUCK for piece in copies),
        }


def show_checked(
    deck: Deck, unknown: Sequence[tuple[Card, Reason]], lacking: Sequence[Missing], *, as_json: bool
) -> None:
    """Show the problems of a deck, and how many of its tags are written.

    ``unknown``: cards that no ruleset knows, and why; ``lacking``: cards that a seat or character
    needs and the deck lacks.
    """
    playing = _in_play(deck)
    has = sum(map(_has_tags, playing))
    one_end = sum(any(end.has_tag for end in each) for each in playing) - has
    unfinished = sum(any(end.mark is Mark.INTENDED for end in each) for each in playing)
    if as_json:
        print_json(
            {
                "cards": len(playing),
                "written": has,
                "one_end": one_end,
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
        ends = [end for end in (each.need.choice, each.need.other) if end is not None]
        card_said = f"{_whose(each.group)}{' / '.join(map(label, ends))}{few}"
        typer.echo(f"missing: {card_said}: {each.need.why}", err=True)
    if lacking:
        typer.echo(f"`{called()} cards new --config` adds what is missing", err=True)
    sound = "sound: " if not (unknown or lacking) else ""
    told = f"{sound}{len(playing)} cards, {has} with their tag"
    told += f", {one_end} with a tag at one end only" if one_end else ""
    typer.echo(told + (f", {unfinished} unfinished: write them again" if unfinished else ""))


def _whose(group: str) -> str:
    return f"{group}: " if group else ""
