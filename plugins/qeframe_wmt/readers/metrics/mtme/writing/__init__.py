"""The layout of mt-metrics-eval, written from readings of any layout."""
