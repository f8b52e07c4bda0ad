"""Texts about readers, in each language."""

from functools import partial

from hub.kernel import catalogues
from hub.kernel.reasons import Reason


class ReaderReason(Reason):
    """A finding about a reader, or what to do about it."""

    package = __package__


text = partial(catalogues.text, __package__)
"""A text from the catalogues around these sentences; see :func:`hub.kernel.catalogues.text`."""
