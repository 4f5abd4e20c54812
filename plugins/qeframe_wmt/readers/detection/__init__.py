"""Readers of gold with two classes: errors of segments, and explanations by scores of tokens."""
