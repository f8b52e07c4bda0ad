"""Pictures of characters that players bring: scaled down, re-encoded, and kept beside the
journal."""
