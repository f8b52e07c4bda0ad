"""What the worlds of all these tests share."""

from collections.abc import Iterator

import pytest

from tests.support.assets import kept_assets


@pytest.fixture(scope="package", autouse=True)
def assets() -> Iterator[None]:
    """Kept from one world's hub to the next one's: they hold nothing of a table."""
    with kept_assets():
        yield
