"""Cards and papers to print: each is drawn once, as values, and written in several formats.

``drawing`` has the values; ``front``, ``ended`` and ``back`` draw a card, ``papers`` the other
papers; ``sheets`` arranges cards on paper; ``formats`` writes PDF, PNG and SVG. All lengths are in
millimetres; y increases downwards.
"""
