"""Metrics on pairs of answers: decisions of a judge, and their tau by section."""
