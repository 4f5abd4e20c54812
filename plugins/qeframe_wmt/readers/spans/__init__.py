"""Readers of error span detection: marked spans with a severity for each segment."""
