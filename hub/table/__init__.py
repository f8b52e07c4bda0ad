"""The table's logic, without I/O: phases, inputs, seals, records, state, views.

Sans-IO: no clock, no randomness, no files. Time and random bytes are part of each call; the results
are records. ``step()`` decides; only ``fold()`` changes state.
"""
