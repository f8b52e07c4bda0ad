"""The pages' files, loaded once for all web servers that a test process starts."""

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from unittest.mock import patch

from hub.web import server
from hub.web.assets import Assets


@contextmanager
def kept_assets() -> Iterator[None]:
    """Let web servers with the same theme share their files, so that each file is packed once.

    Otherwise every test would read and pack two hundred files. They depend on the theme alone, not
    on the table.
    """
    with patch.object(server, "Assets", cache(Assets)):
        yield
