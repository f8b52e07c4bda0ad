"""Pictures for the README, taken from the current pages."""
