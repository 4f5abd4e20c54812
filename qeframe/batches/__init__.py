"""The package batches."""
