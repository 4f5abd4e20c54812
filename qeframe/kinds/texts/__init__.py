"""Texts of systems, and references."""
