"""From a board's data file to everything that is ordered, opened and looked at."""
