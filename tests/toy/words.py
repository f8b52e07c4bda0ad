"""The toy's sentences, by keys of its catalogue."""

from collections.abc import Iterator, Mapping, Sequence

from hub.games.game import Choice, Consequence, GameView
from hub.games.telling import Words
from hub.kernel.texts import Said, name, said

from .rules import Missed, Reached, ReachView


class ToyWords(Words):
    def chosen(self, who: str, choice: Choice) -> Said:
        if choice.kind == "spend":
            return said("toy.spend", name=name(who), tokens=choice.value)
        return super().chosen(who, choice)

    def followed(self, came: Consequence, shown: Mapping[str, Choice]) -> Sequence[Said]:
        match came:
            case Reached(name=who, dice=dice):
                return (said("toy.came.reached", name=name(who), dice=dice),)
            case Missed(name=who, dice=dice):
                return (said("toy.came.missed", name=name(who), dice=dice),)
        return super().followed(came, shown)

    def standing(self, view: GameView) -> Iterator[Said]:
        if isinstance(view, ReachView):
            for who, player in view.players.items():
                yield said("toy.standing", name=name(who), tokens=player.tokens)


WORDS = ToyWords()
