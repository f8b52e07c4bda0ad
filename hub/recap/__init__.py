"""Makes a recap: an evening as one HTML file, with its scenes and the check of its seals."""
