"""Problems: everybody shows a number at once, one of them decides, the others may veto (R13).

``state`` is the frozen state and who decides in it, ``steps`` what is awaited and what follows,
``game`` brings both to the table, ``editions`` lists the books', and ``sheets`` leads from
character sheets in and out.
"""
