"""The package profiles."""
