"""The package kinds."""
