"""Readers of corrected translations."""
