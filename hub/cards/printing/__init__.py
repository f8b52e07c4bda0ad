"""Cards and papers to print: one description of each drawing, and several ways to write it.

``drawing`` is that description; ``front`` and ``back`` draw a card, ``papers`` what lies beside it;
``sheets`` lays cards out on paper; ``pdf``, ``svg`` and ``png`` write. All lengths are millimetres,
y goes down.
"""
