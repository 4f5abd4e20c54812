"""The kinds of batch with a gold of two classes."""
