"""A gold of two classes and an answer for each unit."""
