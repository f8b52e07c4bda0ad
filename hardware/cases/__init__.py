"""The cases, as solids that are built, checked and drawn by `make cases`."""
