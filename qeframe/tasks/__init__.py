"""The package tasks."""
