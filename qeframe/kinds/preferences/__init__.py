"""Items with answers that a judge prefers."""
