"""The table on MQTT: the only room that knows ``aiomqtt``. ``docs/mqtt.md`` is its guide.

``publisher`` is what the daemon opens. ``connection`` keeps one connection to a broker, ``outbox``
knows what is due to it, ``commands`` answers what comes from it. ``embedded`` is a broker of our
own for the demo.
"""
