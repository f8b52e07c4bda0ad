"""What the doctor says, in each language."""

from functools import partial

from hub.kernel import catalogues
from hub.kernel.reasons import Reason


class DoctorReason(Reason):
    """What was found, or what to do about it."""

    package = __package__


text = partial(catalogues.text, __package__)
"""A text of those that stand around it; see :func:`hub.kernel.catalogues.text`."""
