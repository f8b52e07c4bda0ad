"""What boards and hub have in common: pure functions, in the Python that both speak."""
