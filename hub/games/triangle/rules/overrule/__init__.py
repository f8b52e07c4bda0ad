"""The GM's word, which can overrule anything: the last resort of R11, recorded with its reason.

``word`` defines the values. ``clauses`` defines their forms, and the steps of a conflict at which
each is allowed. ``characters`` applies the word to a character, ``turns`` to a turn, a combo or the
end. The story's ``overrules`` covers the time between scenes, and the problem's ``overrule`` covers
problems.
"""
