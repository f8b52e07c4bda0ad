"""``[mqtt.homeassistant]``: settings for Home Assistant's discovery of the table."""

from collections.abc import Iterator
from typing import Annotated

from hub.kernel.catalogues import languages
from hub.kernel.documents.sections import Section, must_be
from hub.kernel.reasons import Reason

MOST_PREFIX_CHARS = 64

Language = Annotated[str, must_be(Reason("one-line-of", most=16), max_length=16)]


def bad_language(language: str) -> Iterator[tuple[str, Reason]]:
    """A fault unless the language is available."""
    if language not in languages():
        yield "language", Reason("one-of-words", words=[f'"{each}"' for each in languages()])


class HomeAssistantSection(Section, frozen=True, kw_only=True):
    """``[mqtt.homeassistant]``"""

    enabled: bool = True
    """False: remove an earlier announcement."""
    prefix: Annotated[
        str,
        must_be(
            Reason("a-topic-prefix", most=MOST_PREFIX_CHARS),
            pattern=r"^(?=.{1,64}\Z)[A-Za-z0-9_-]+(/[A-Za-z0-9_-]+)*\Z",
        ),
    ] = "homeassistant"
    language: Language = "en"
    """Language of the displayed names."""

    def faults(self) -> Iterator[tuple[str, Reason]]:
        """Faults of a prefix inside the table's own topics, or of an unknown language."""
        if self.prefix.partition("/")[0] == "facedown":
            yield "prefix", Reason("prefix-ours")
        yield from bad_language(self.language)
