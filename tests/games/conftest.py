import pytest

from hub.games import registry
from tests.toy import TOY


@pytest.fixture(autouse=True)
def listed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Add the toy's line to the registry."""
    monkeypatch.setattr(registry, "FAMILIES", (*registry.FAMILIES, TOY))
