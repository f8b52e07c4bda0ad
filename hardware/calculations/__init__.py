"""The calculations behind the boards: inputs with their sources, pure functions, and documents
written from both, so that their figures are always up to date."""
