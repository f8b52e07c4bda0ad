"""The table without its furniture: phases, inputs, seals, records, state, views.

Sans-IO: no clock, no randomness, no files. Time and nonces come in with each input, and what
happens comes out as records. ``step()`` decides, ``fold()`` is the only thing that changes state.
"""
