"""Building blocks shared by all packages: reasons, faults, documents, look-alike names, catalogues.

They import nothing else from the hub.
"""
