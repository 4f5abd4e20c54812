"""The page of results that were kept."""
