"""The hardware: pins, boards, cases, calculations. See README.md."""
