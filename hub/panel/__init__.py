"""The GM's panel on the header of a Raspberry Pi: buttons, lamps, a buzzer, a knob."""
