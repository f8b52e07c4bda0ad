"""``[mqtt.homeassistant]``: whether Home Assistant is told of the table, and how."""

from collections.abc import Iterator
from typing import Annotated

from hub.kernel.catalogues import languages
from hub.kernel.documents.sections import Section, must_be
from hub.kernel.reasons import Reason

MOST_PREFIX_CHARS = 64

Language = Annotated[str, must_be(Reason("one-line-of", most=16), max_length=16)]


def bad_language(language: str) -> Iterator[tuple[str, Reason]]:
    """Unless it is one that there is."""
    if language not in languages():
        yield "language", Reason("one-of-words", words=[f'"{each}"' for each in languages()])


class HomeAssistantSection(Section, frozen=True, kw_only=True):
    """``[mqtt.homeassistant]``"""

    enabled: bool = True
    """Without it what was announced before is taken back."""
    prefix: Annotated[
        str,
        must_be(
            Reason("a-topic-prefix", most=MOST_PREFIX_CHARS),
            pattern=r"^(?=.{1,64}\Z)[A-Za-z0-9_-]+(/[A-Za-z0-9_-]+)*\Z",
        ),
    ] = "homeassistant"
    language: Language = "en"
    """Of the names that it shows."""

    def faults(self) -> Iterator[tuple[str, Reason]]:
        """Topics of the table are nobody else's, and the language has to be there."""
        if self.prefix.partition("/")[0] == "facedown":
            yield "prefix", Reason("prefix-ours")
        yield from bad_language(self.language)
