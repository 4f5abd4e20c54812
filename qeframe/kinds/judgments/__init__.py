"""Pairs of translations that humans compared."""
