"""The tables of changes between results, and of results that were kept."""
