"""The package components."""
