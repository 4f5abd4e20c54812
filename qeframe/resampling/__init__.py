"""The package resampling."""
