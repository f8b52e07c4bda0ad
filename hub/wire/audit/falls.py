"""What chance comes to in a log: worked out again from the bytes that were shown."""

from collections.abc import Mapping

import msgspec
from msgspec import UNSET, UnsetType

from hub.rules.game import MAX_TOLD_CHARS, Choice, Fall
from hub.wire.audit.scene import Scene
from hub.wire.audit.told import Told


def work_out(
    told: Told, scene: Scene, chance: str, chosen: Mapping[str, str], fell: Fall | UnsetType
) -> None:
    """Judge what chance came to. ``chance``: bytes that are those that were drawn; empty: none
    were. ``chosen``: the choices that they have met."""
    game = told.games.get(scene.ruleset)
    if not chance:
        if fell is not UNSET:
            told.blame("something fell by chance, and none was drawn")
    elif fell is UNSET:
        if game is not None and game.tells_falls and not told.old:
            told.blame("what chance came to is not said")
    elif game is None:
        told.falls_unknown += 1
    elif not game.tells_falls:
        told.blame("what chance came to is said, and by these rules it is not")
    else:
        told.falls += 1
        try:
            choices = {a: Choice.parse(text, MAX_TOLD_CHARS) for a, text in chosen.items()}
            came = game.fall(fell.on, choices, bytes.fromhex(chance))
        except (ValueError, TypeError, LookupError, AttributeError, ArithmeticError):
            # Whoever forges a log may write down anything that it fell on.
            told.blame("chance cannot fall on what it says that it fell on")
            return
        if _form(came) != _form(fell.came):
            told.blame("chance came to something else than it says")


def _form(value: Mapping[str, object]) -> bytes:
    return msgspec.json.encode(value, order="sorted")
