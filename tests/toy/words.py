"""The toy's texts."""

from collections.abc import Iterator

from hub.games.family import Words
from hub.games.game import Choice, Consequence, GameView
from tests.toy.rules import Missed, Reached, ReachView


class ToyWords(Words):
    def decided(self, who: str, choice: Choice) -> str:
        if choice.kind == "spend":
            return f"{who} spends {choice.value}"
        return super().decided(who, choice)

    def followed(self, came: Consequence) -> str:
        match came:
            case Reached(name=name, dice=dice):
                return f"{name} makes it with {_shown(dice)}"
            case Missed(name=name, dice=dice):
                return f"{name} falls short with {_shown(dice)}"
        return super().followed(came)

    def standing(self, view: GameView) -> Iterator[str]:
        if isinstance(view, ReachView):
            for name, player in view.players.items():
                yield f"{name}: {player.tokens} tokens"


WORDS = ToyWords()


def _shown(dice: tuple[int, ...]) -> str:
    return ", ".join(map(str, dice))
