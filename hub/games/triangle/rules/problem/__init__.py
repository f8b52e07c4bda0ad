"""Problems: players show numbers at once, one of them decides, the others may veto (R13).

``state`` is the frozen state and finds the decider, ``steps`` defines the choices and their
consequences, ``game`` implements the game protocol, and ``sheets`` leads from character sheets into
a problem and back.
"""
