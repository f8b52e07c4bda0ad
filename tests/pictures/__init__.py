"""Pictures that the README shows, made from the pages as they are."""
