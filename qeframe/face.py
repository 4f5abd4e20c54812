"""What `qeframe/__init__` gives to the packages below it. This module imports nothing, since qeframe imports it."""

VIEWS = []  # type: ignore[var-annotated]
"""The function that imports what shows results: see `qeframe.shown`."""
