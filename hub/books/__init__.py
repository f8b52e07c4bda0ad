"""A family of rules beyond its rules: scripts, words, files, demo, scripted play.

``family`` says what a family brings, ``registry`` lists those there are. Each has a package here
beside its rules in ``hub.rules``; no other room names one. ``docs/add-a-ruleset.md`` tells how to
add a family.
"""
