"""An evening as one file to keep: scenes on the display's own stage, seals with their check."""
