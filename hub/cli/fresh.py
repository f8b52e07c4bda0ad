"""A folder without a configuration: a page sets it up, then the table starts."""

import os
import sys
from pathlib import Path
from typing import NoReturn

from hub.cli.language import spoken
from hub.daemon.ending import Ending
from hub.daemon.setup_key import leave_key
from hub.setup.serving import set_up


def set_up_here(ending: Ending) -> NoReturn:
    """Serve the setup page for this folder; once it is done, become `facedown run` there."""
    made = set_up(Path(), ending, language=spoken(), starts=True)
    if made is None:
        sys.exit(0)
    leave_key(made.console_key)
    # The ending has been used up: a table needs a fresh process.
    os.execv(sys.executable, [sys.executable, *sys.argv])  # noqa: S606
