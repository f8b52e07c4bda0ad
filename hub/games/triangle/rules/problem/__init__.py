"""Problems: players show numbers at once, one of them decides, the others may veto (R13).

``state`` is the frozen state and finds the decider, ``steps`` defines the choices and what follows
from them, and ``game`` implements the game protocol. ``setup`` builds a problem from character
sheets and carries its results back to them.
"""
