"""A panel at the GM's place, on the header of a Raspberry Pi: buttons, lamps, a buzzer, a knob."""
