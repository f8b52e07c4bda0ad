"""Shared by boards and hub: pure functions, in the Python that both understand."""
