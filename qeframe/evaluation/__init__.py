"""The package evaluation."""
