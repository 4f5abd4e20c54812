"""The package studies."""
