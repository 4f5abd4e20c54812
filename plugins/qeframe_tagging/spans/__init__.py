"""Metrics on error spans: marked characters, spans that are matched one to one, and errors of documents."""
