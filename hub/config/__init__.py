"""The table's configuration: ``hub.toml`` and the files that it names."""
