"""docs/connect/recipes/home-assistant.yaml names only entities announced to Home Assistant."""

import re
import textwrap

from tests.adapters.mqtt.test_mqtt_homeassistant import config
from tests.recipes.tools import RECIPES

ENTITY = re.compile(r"entity: (\w+\.\w+)$|'(sensor\.\w+)'", re.M)
"""A card's entity, or one that a template names."""


def named_entities() -> set[str]:
    """Return the entities on the dashboard, for the table ``test``."""
    text = (RECIPES / "home-assistant.yaml").read_text(encoding="utf-8")
    named = {one or other for one, other in ENTITY.findall(text)}
    return {each.replace("facedown_den", "facedown_test") for each in named}


def wall() -> str:
    """Return the template of the card for a tablet on the wall, for the table ``test``."""
    text = (RECIPES / "home-assistant.yaml").read_text(encoding="utf-8")
    card = text[text.index("- title: Wall") :].partition("content: |\n")[2]
    return textwrap.dedent(card).replace("facedown_den", "facedown_test")


def test_every_entity_on_the_dashboard_is_announced_by_the_table() -> None:
    told = {one.get("default_entity_id") for one in config()["cmps"].values()} - {None}
    assert named_entities() == told
