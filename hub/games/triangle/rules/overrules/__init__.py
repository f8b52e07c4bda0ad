"""Overrules: the GM may decide anything against the rules, with a reason that is recorded (R11).

``people`` has the overrules about a character, ``turns`` those about a turn, a combo or the end:
each as a value, with its effect and its form. ``said`` tells when each is allowed, and what follows
from it by the rules. :mod:`hub.games.triangle.story.overrules` covers the time between scenes, and
:mod:`hub.games.triangle.rules.problem.game` covers problems.

In JSON ``what`` says which overrule it is: ``{"what": "energy", "name": "Ada", "energy": {"attack":
3}}``. Names are separate fields, so that a name may hold any word.
"""
