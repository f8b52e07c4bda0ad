"""The table with which most tests here begin."""

import pytest

from tests.support.tabletalk import TableTalk


@pytest.fixture
def table() -> TableTalk:
    """A duel at the stances of its first turn."""
    table = TableTalk()
    table.begin_turn()
    return table
