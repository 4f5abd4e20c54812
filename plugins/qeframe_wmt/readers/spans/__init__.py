"""Readers of error span detection: marked spans with a severity for each segment.

A module with ``wmtYY`` in its name is a reader of those years; the others serve several readers. Below are
`qeframe_wmt.formats`.
"""
