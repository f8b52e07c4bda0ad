"""The cases, as solids that `make cases` builds, checks and draws."""
