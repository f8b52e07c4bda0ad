"""Cards and papers to print: one description of each drawing, and several output formats.

``drawing`` is that description; ``front`` and ``back`` draw a card, ``papers`` the other papers;
``sheets`` arranges cards on paper; ``pdf``, ``svg`` and ``png`` write files. All lengths are in
millimetres; y increases downwards.
"""
