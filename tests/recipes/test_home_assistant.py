"""docs/connect/recipes/home-assistant.yaml names only entities announced to Home Assistant."""

import re

from tests.adapters.mqtt.test_mqtt_homeassistant import config
from tests.recipes.tools import RECIPES

ENTITY = re.compile(r"entity: (\w+\.\w+)$", re.M)


def named_entities() -> set[str]:
    """Return the entities on the dashboard, for the table ``test``."""
    text = (RECIPES / "home-assistant.yaml").read_text(encoding="utf-8")
    return {each.replace("facedown_den", "facedown_test") for each in ENTITY.findall(text)}


def test_every_entity_on_the_dashboard_is_announced_by_the_table() -> None:
    told = {one.get("default_entity_id") for one in config()["cmps"].values()} - {None}
    assert named_entities() == told
