"""The GM's overrules in a tale.

``word`` has the possible overrules as values. ``people`` changes characters, ``things`` challenges,
``throws`` the roll in progress. ``said`` says when each overrule is possible, with its form. A
character that no longer takes part is not asked anything more.
"""
