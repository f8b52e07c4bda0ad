"""The installed command, with the toy's line in the registry."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from hub.games import registry
from tests.toy import TOY

registry.FAMILIES = (*registry.FAMILIES, TOY)

from hub.cli.process import run  # noqa: E402

run()
