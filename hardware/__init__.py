"""What is built: pins, boards, cases, calculations. See README.md."""
