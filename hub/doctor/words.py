"""The doctor's texts, in each language."""

from functools import partial

from hub.kernel import catalogues
from hub.kernel.reasons import Reason


class DoctorReason(Reason):
    """A finding, or its remedy."""

    package = __package__


text = partial(catalogues.text, __package__)
"""A text from the catalogues around these sentences; see :func:`hub.kernel.catalogues.text`."""
