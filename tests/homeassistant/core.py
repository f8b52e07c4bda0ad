"""A real Home Assistant core without a front end, connected to a broker. Runs in its own
environment.

``python core.py FOLDER PORT WEB_PORT``: each input line is a question in JSON, each output line its
answer.
"""

import asyncio
import json
import sys
from typing import Any

from homeassistant import bootstrap, loader
from homeassistant.auth import auth_manager_from_config
from homeassistant.components.device_automation import DeviceAutomationType
from homeassistant.components.device_automation import async_get_device_automations as automations
from homeassistant.components.mqtt import device_trigger, schemas
from homeassistant.components.mqtt.abbreviations import (
    ABBREVIATIONS,
    DEVICE_ABBREVIATIONS,
    ORIGIN_ABBREVIATIONS,
)
from homeassistant.config_entries import ConfigEntries
from homeassistant.core import CoreState, HomeAssistant
from homeassistant.helpers import device_registry as dr
from homeassistant.helpers import entity_registry as er
from homeassistant.helpers.template import Template
from homeassistant.helpers.trigger import async_initialize_triggers
from homeassistant.setup import async_setup_component


class House:
    def __init__(self, folder: str, port: int, web: int) -> None:
        self.port, self.web = port, web
        self.hass = HomeAssistant(folder)
        self.fired: list[str] = []

    async def start(self) -> None:
        hass = self.hass
        loader.async_setup(hass)
        hass.config_entries = ConfigEntries(hass, {})
        await bootstrap.async_load_base_functionality(hass)
        await hass.config_entries.async_initialize()
        hass.auth = await auth_manager_from_config(hass, [], [])
        config = {"http": {"server_host": "127.0.0.1", "server_port": self.web}}
        hass.config.skip_pip = True
        hass.set_state(CoreState.starting)
        assert await async_setup_component(hass, "homeassistant", {})
        assert await async_setup_component(hass, "http", config)
        assert await async_setup_component(hass, "mqtt", {})
        if not hass.config_entries.async_entries("mqtt"):
            flow = await hass.config_entries.flow.async_init("mqtt", context={"source": "user"})
            broker = {
                "broker": "127.0.0.1",
                "port": self.port,
                "username": "house",
                "password": "any",
            }
            made = await hass.config_entries.flow.async_configure(flow["flow_id"], broker)
            assert str(made["type"]) == "create_entry", made
        await hass.async_start()
        await hass.async_block_till_done()

    async def answer(self, asked: dict[str, Any]) -> Any:
        return await getattr(self, f"do_{asked.pop('do')}")(**asked)

    async def do_states(self) -> Any:
        """Return every MQTT entity: its state, attributes and registry entry."""
        registry, found = er.async_get(self.hass), {}
        for entry in registry.entities.values():
            if entry.platform == "mqtt":
                state = self.hass.states.get(entry.entity_id)
                found[entry.entity_id] = {
                    "unique_id": entry.unique_id,
                    "category": entry.entity_category,
                    "state": state.state if state else None,
                    "attributes": json.loads(json.dumps(dict(state.attributes), default=str))
                    if state
                    else {},
                }
        return found

    async def do_devices(self) -> Any:
        registry = dr.async_get(self.hass)
        return [
            {"id": each.id, "name": each.name, "model": each.model, "made by": each.manufacturer}
            for each in registry.devices.values()
        ]

    async def do_triggers(self) -> Any:
        """Return the MQTT triggers that can start an automation."""
        ids = [each["id"] for each in await self.do_devices()]
        kind = DeviceAutomationType.TRIGGER
        found = await automations(self.hass, kind, ids)
        return [each for some in found.values() for each in some if each["domain"] == "mqtt"]

    async def do_watch(self) -> Any:
        """Start one automation for each trigger."""

        async def fire(variables: dict[str, Any], _context: Any = None) -> None:
            self.fired.append(variables["trigger"]["payload"])

        for each in await self.do_triggers():
            given = {key: value for key, value in each.items() if key != "metadata"}
            await async_initialize_triggers(
                self.hass, [given], fire, "test", "test", lambda *_: None
            )
        await self.hass.async_block_till_done()

    async def do_fired(self) -> Any:
        return len(self.fired)

    async def do_call(self, domain: str, service: str, **data: Any) -> Any:
        await self.hass.services.async_call(domain, service, data, blocking=True)

    async def do_render(self, template: str) -> Any:
        return Template(template, self.hass).async_render(parse_result=False)

    async def do_check(self, payload: dict[str, Any]) -> Any:
        """Return the faults that Home Assistant's own schemas find in a discovery message, by
        component."""
        payload = _long(payload, ABBREVIATIONS)
        payload["device"] = _long(payload["device"], DEVICE_ABBREVIATIONS)
        payload["origin"] = _long(payload["origin"], ORIGIN_ABBREVIATIONS)
        payload["components"] = {
            name: _long(each, ABBREVIATIONS) for name, each in payload["components"].items()
        }
        faults: dict[str, str] = {}
        try:
            schemas.DEVICE_DISCOVERY_SCHEMA({**payload})
        except Exception as fault:
            return {"device": str(fault)}
        for name, each in payload["components"].items():
            module = await asyncio.to_thread(_schema_of, each["platform"])
            if each.keys() == {"platform"}:  # a component that is being removed
                continue
            whole = {**each, "device": payload["device"], "origin": payload["origin"]}
            if each["platform"] == "device_automation":
                whole = {key: value for key, value in whole.items() if key != "platform"}
            try:
                kept = module(whole)
                lost = whole.keys() - kept.keys() - {"platform", "origin"}
                if lost - ({"object_id", "default_entity_id"}):
                    faults[name] = f"not known: {sorted(lost)}"
            except Exception as fault:
                faults[name] = str(fault)
        return faults

    async def do_stop(self) -> Any:
        await self.hass.async_stop(force=True)


def _long(given: dict[str, Any], names: dict[str, str]) -> dict[str, Any]:
    return {names.get(key, key): value for key, value in given.items()}


def _schema_of(platform: str) -> Any:
    if platform == "device_automation":
        return device_trigger.TRIGGER_DISCOVERY_SCHEMA
    return __import__(
        f"homeassistant.components.mqtt.{platform}", fromlist=["DISCOVERY_SCHEMA"]
    ).DISCOVERY_SCHEMA


async def main(folder: str, port: int, web: int) -> None:
    house = House(folder, port, web)
    await house.start()
    print(json.dumps("started"), flush=True)
    loop = asyncio.get_running_loop()
    while line := await loop.run_in_executor(None, sys.stdin.readline):
        asked = json.loads(line)
        stopping = asked["do"] == "stop"
        print(json.dumps(await house.answer(asked), default=str), flush=True)
        if stopping:
            return


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3])))
