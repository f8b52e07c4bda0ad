"""Recheck the outcomes of chance in a log, from its events and the revealed random bytes."""

from collections.abc import Mapping
from typing import Any

import msgspec
from msgspec import UNSET, UnsetType

from hub.audit.follow import ODD, WITHOUT, Followed, Unfollowed
from hub.audit.scene import Scene
from hub.audit.told import Told
from hub.games.game import GM, MAX_TOLD_CHARS, Choice, Fall, Game
from hub.table import acts as r

MOST_NAMED = 5
"""How many cards a fault names; the others are only counted."""


def begin(told: Told, scene: Scene, event: r.SceneStarted) -> None:
    """Check that a new scene's rules are known; if they show its setup, begin to follow it."""
    if told.games is None:
        return
    game = told.games.get(event.ruleset)
    if game is None:
        told.blame(f"a scene by rules that are not known here: {event.ruleset!r}")
    elif not game.shows_setup:
        if event.setup is not UNSET:
            told.blame("it says how a scene begins, and by these rules it does not")
    else:
        try:
            scene.followed = Followed(game, event, told.now.seq)
        except Unfollowed as fault:
            if event.setup is UNSET:
                scene.unsaid = str(fault)
            else:
                told.blame(str(fault))


def follow(told: Told, scene: Scene, event: r.Event) -> None:
    """Advance the scene's rules by ``event``, which the audit has judged."""
    if scene.followed is not None:
        try:
            scene.followed.hear(told.now.seq, event, [*scene.seals])
        except Unfollowed as fault:
            told.blame(str(fault))
            scene.followed = None
    elif scene.unsaid and isinstance(event, r.ChanceSealed):
        told.blame(f"chance is drawn, and {scene.unsaid}")
        scene.unsaid = ""
    else:
        _ask(told, scene, event)


def work_out(
    told: Told, scene: Scene, chance: str, chosen: Mapping[str, str], fell: Fall | UnsetType
) -> None:
    """Check an outcome of chance. ``chance``: the verified random bytes in hex, empty if none were
    drawn. ``chosen``: each actor's choice, which may affect the outcome. ``fell``: the outcome that
    the log tells, if any."""
    game = told.games.get(scene.ruleset) if told.games else None
    if not chance:
        if fell is not UNSET:
            told.blame("something fell by chance, and none was drawn")
    elif fell is UNSET:
        if game is not None and game.tells_falls:
            told.blame("what chance came to is not said")
    elif game is None:
        told.falls_unknown += 1
    elif not game.tells_falls:
        told.blame("what chance came to is said, and by these rules it is not")
    else:
        told.falls += 1
        if other := _on_something_else(told, scene, fell):
            told.blame(f"chance fell on something else than the log's own story gives: {other}")
        else:
            _judge_what_came(told, game, bytes.fromhex(chance), chosen, fell)


def _judge_what_came(
    told: Told, game: Game[Any], chance: bytes, chosen: Mapping[str, str], fell: Fall
) -> None:
    try:
        choices = {a: Choice.parse(text, MAX_TOLD_CHARS) for a, text in chosen.items()}
        came = game.fall(fell.on, choices, chance)
    except ODD:
        # A forged log may claim any subject for chance.
        told.blame("chance cannot fall on what it says that it fell on")
    else:
        if _form(came) != _form(fell.came):
            told.blame("chance came to something else than it says")


def _on_something_else(told: Told, scene: Scene, fell: Fall) -> str:
    """How the subject of chance in ``fell`` differs from the true one; empty if it does not, or if
    the true one is unknown."""
    event = told.now.event
    if scene.followed is None or not isinstance(event, r.Decided | r.Revealed):
        return ""
    try:
        on = scene.followed.falls_on(event)
    except Unfollowed:
        return ""  # reported when the rules advance by this line
    return "" if _form(on) == _form(fell.on) else _difference(fell.on, on)


def _ask(told: Told, scene: Scene, event: r.Event) -> None:
    """Check, for rules that do not show their setup, that something in the scene asked for
    chance."""
    game = told.games.get(scene.ruleset) if told.games else None
    if game is None or game.shows_setup or game.tells_falls:
        return
    match event:
        case r.Revealed():
            if event.chance:
                told.blame("chance is shown with cards, and by these rules none meets it")
            lie = ((actor, o) for actor, each in event.beside.items() for o in each)
            for actor, opening in (*event.openings.items(), *lie):
                _show(scene, actor, opening.choice)
        case r.Declared():
            _show(scene, event.actor, event.choice)
        case r.Overruled():
            scene.shown.add((GM, ""))
        case r.Decided() if not event.waits_for:
            _asked(told, scene, game, event)


def _show(scene: Scene, actor: str, text: str) -> None:
    kind, _, value = text.partition(" ")
    if value not in {"", "none"}:
        scene.shown.add((actor, kind))


def _asked(told: Told, scene: Scene, game: Game[Any], event: r.Decided) -> None:
    kind = event.choice.partition(" ")[0]
    card = game.asks_chance.get(kind)
    if card is None:
        if event.chance:
            told.blame(f"chance is shown, and nothing falls by {kind!r}")
        return
    if not event.chance:
        told.blame(WITHOUT)
    for actor in event.awaited:
        if not {(actor, card), (GM, "")} & scene.shown:
            told.blame(f"{actor} has shown no {card} by which chance would fall")


def _difference(said: object, wanted: object, at: str = "") -> str:
    """The path to the first difference between two subjects of chance, and both values there."""
    if isinstance(said, dict) and isinstance(wanted, dict):
        for key in sorted({*said, *wanted}):
            if _form(said.get(key)) != _form(wanted.get(key)):
                return _difference(said.get(key), wanted.get(key), f"{at}.{key}" if at else key)
    if isinstance(said, list) and isinstance(wanted, list):
        more = [each for each in said if each not in wanted]
        less = [each for each in wanted if each not in said]
        parts = [
            f"{word} {_named(some)}" for word, some in (("with", more), ("without", less)) if some
        ]
        return f"{at} {', '.join(parts) or 'in another order'}"
    return f"{at}: {said!r:.80}, not {wanted!r:.80}"


def _named(some: list[object]) -> str:
    named = ", ".join(f"{each!r:.80}" for each in some[:MOST_NAMED])
    return f"{named} and {len(some) - MOST_NAMED} more" if len(some) > MOST_NAMED else named


def _form(value: object) -> bytes:
    return msgspec.json.encode(value, order="sorted")
