"""Readers of sentence-level quality estimation: one score for each segment."""
