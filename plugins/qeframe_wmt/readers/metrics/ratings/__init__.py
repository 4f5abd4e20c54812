"""Readers of human ratings: errors with severities, or scores, that raters gave to single translations."""
