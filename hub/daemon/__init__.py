"""The running hub: wiring, the single input queue, logs."""
