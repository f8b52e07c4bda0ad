"""The running hub: configuration, wiring, the single input queue, logs."""
