"""The table on MQTT: the only room that knows ``aiomqtt``. ``docs/connect/mqtt.md`` is its guide.

The daemon opens ``publisher``. ``connection`` holds one connection to a broker, ``guard`` checks
its incoming packets, ``failures`` says how it ended. ``outbox`` knows which messages are due,
``commands`` answers incoming ones. ``embedded`` is a broker in the hub's process, for the demo.
"""
