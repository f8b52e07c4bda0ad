"""The table on MQTT: the only room that knows ``aiomqtt``. ``docs/mqtt.md`` is its guide.

``publisher`` is what the daemon opens. ``connection`` keeps one connection to a broker, ``guard``
looks at what comes in there, ``failures`` says how it ends. ``outbox`` knows what is due to the
broker, ``commands`` answers what comes from it. ``embedded`` is a broker of our own for the demo.
"""
