"""Readers of word-level quality estimation: one tag for each word, gap or source word."""
