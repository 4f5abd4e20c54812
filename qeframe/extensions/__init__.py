"""The classes of components that an evaluation does not need, and their hooks."""
