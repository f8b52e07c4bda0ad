"""The doctor: checks everything that an evening needs, and says how to fix what is wrong."""
