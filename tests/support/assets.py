"""The pages' files, made once for all the web servers that a test process starts."""

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from unittest.mock import patch

from hub.web import server
from hub.web.assets import Assets


@contextmanager
def kept_assets() -> Iterator[None]:
    """Web servers of the same look share their files, and each is packed once: otherwise every
    test reads and packs two hundred of them. They change with the look alone, not with a table."""
    with patch.object(server, "Assets", cache(Assets)):
        yield
