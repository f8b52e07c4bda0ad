"""docs/recipes/home-assistant.yaml names the entities that Home Assistant is told of, no others."""

import re

from tests.adapters.mqtt.test_mqtt_homeassistant import config
from tests.recipes.tools import RECIPES

ENTITY = re.compile(r"entity: (\w+\.\w+)$", re.M)


def named_entities() -> set[str]:
    """Those of the dashboard, for the table ``test``."""
    text = (RECIPES / "home-assistant.yaml").read_text(encoding="utf-8")
    return {each.replace("facedown_den", "facedown_test") for each in ENTITY.findall(text)}


def test_every_entity_of_the_dashboard_is_one_of_the_table() -> None:
    told = {one.get("default_entity_id") for one in config()["cmps"].values()} - {None}
    assert named_entities() == told
