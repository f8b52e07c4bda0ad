"""The doctor: everything between a box and an evening, looked at and said with what to do."""
