"""The calculations behind the boards: inputs with their sources, pure functions, and documents
that are written from both, so that no figure in them is older than what it stands on."""
