"""What the books say: pure functions over frozen values.

No I/O, no clock, no randomness. Imports nothing from the other rooms of the hub.
"""
