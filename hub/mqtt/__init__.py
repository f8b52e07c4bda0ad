"""The table on MQTT: the only package that uses ``aiomqtt``. ``docs/connect/mqtt.md`` is its guide.

The daemon opens ``publisher``. ``connection`` holds one connection to a broker, ``guard`` checks
the packets that come in, ``failures`` says how the connection ended. ``outbox`` knows which
messages are due, ``commands`` answers incoming commands. ``embedded`` is a broker in the hub's
process, for the demo.
"""
