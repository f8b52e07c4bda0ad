"""The sections of outputs, as far as the configuration has to know them.

The outputs themselves are defined in rooms that this one may not import.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Annotated, Generic, Protocol, TypeVar, cast, get_origin

from msgspec import defstruct
from msgspec.structs import fields

from hub.config.settings import Config
from hub.kernel.documents import Document
from hub.kernel.documents.sections import must_be
from hub.kernel.reasons import Reason


class Switched(Protocol):
    """A :class:`hub.kernel.documents.sections.Section` with a key ``enabled``."""

    @property
    def enabled(self) -> bool:
        """Whether to open the output."""


Said = Switched | tuple[Switched, ...]
"""An output's section, or all of its sections."""
SaidT_co = TypeVar("SaidT_co", bound=Said, covariant=True)


def _unchecked(_document: Document, _config: Config, _said: Said) -> None:
    """The check of sections that do not depend on the rest of the configuration: it does
    nothing."""


@dataclass(frozen=True)
class OutputSection(Generic[SaidT_co]):
    """The section of an output in the configuration: its name, type and check."""

    name: str
    kind: type[SaidT_co]
    """The section's type, such as ``Panel``; ``tuple[Clock, ...]`` if the file has a ``[[clock]]``
    for each instance."""
    check: Callable[[Document, Config, SaidT_co], None] = field(default=_unchecked, kw_only=True)
    """A function that checks an enabled section against the other sections; it records faults in
    the document."""

    def enabled_in(self, config: Config) -> SaidT_co | None:
        """This section in ``config``; None if it is missing or disabled there."""
        said: SaidT_co | None = getattr(config, self.name, None)
        return said if said is not None and _on(said) else None

    def check_in(self, document: Document, config: Config) -> None:
        """Check this section in ``config``, if it is enabled there."""
        said = self.enabled_in(config)
        if said is not None:
            self.check(document, config, said)

    @property
    def key(self) -> tuple[str, object, object]:
        """The section's name, type and default, as a field of the configuration."""
        if get_origin(self.kind) is tuple:
            each = must_be(Reason("an-entry-each", key=self.name))
            return self.name, Annotated[self.kind, each], ()
        return self.name, self.kind | None, None


OutputSections = Sequence[OutputSection[Said]]


def _on(said: Said) -> bool:
    return any(each.enabled for each in said) if isinstance(said, tuple) else said.enabled


def with_outputs(outputs: OutputSections) -> type[Config]:
    """The configuration's type, with the sections of these outputs."""
    own = {field.name for field in fields(Config)}
    more = [output.key for output in outputs if output.name not in own]
    if not more:
        return Config
    made = defstruct("Config", more, bases=(Config,), frozen=True, kw_only=True)
    return cast("type[Config]", made)
