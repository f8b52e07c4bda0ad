"""Pictures that people bring of their characters: made small and anew, kept beside the journal."""
