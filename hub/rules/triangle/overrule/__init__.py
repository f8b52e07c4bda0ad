"""The GM's word over anything: the last resort of R11, recorded with its reason.

``written`` is how it is written, ``clauses`` which of them are open at which step of a conflict,
``characters`` those about one character, ``turns`` those about a turn, a combo or the end,
``aftermath`` what follows by the rules. What may be said between scenes is in the story's
``overrules``, what may be said about a problem in the problem's.
"""
