"""Scores of systems on segments."""
