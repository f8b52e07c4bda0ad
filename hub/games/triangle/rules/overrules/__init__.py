"""The GM's word, which can overrule anything: the last resort of R11, recorded with its reason.

``people`` has what it can say of a character, ``turns`` of a turn, a combo or the end: each as a
value, with its effect and its form. ``said`` says when each is allowed, and what follows.
:mod:`hub.games.triangle.story.overrules` covers the time between scenes, and
:mod:`hub.games.triangle.rules.problem.game` covers problems.

``what`` selects the value. Names are separate fields, so that a name may hold any word. In JSON:
``{"what": "energy", "name": "Ada", "energy": {"attack": 3}}``.
"""
