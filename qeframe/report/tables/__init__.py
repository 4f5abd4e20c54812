"""The package tables."""
