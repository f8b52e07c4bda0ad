"""Fixtures for the worlds of all these tests."""

from collections.abc import Iterator

import pytest

from tests.support.assets import kept_assets


@pytest.fixture(scope="package", autouse=True)
def assets() -> Iterator[None]:
    """Share the pages' files between all worlds; they hold nothing of a table."""
    with kept_assets():
        yield
