"""The running hub: configuration, wiring, the one queue that everything goes through, logs."""
