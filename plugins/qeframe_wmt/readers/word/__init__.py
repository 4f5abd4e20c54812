"""Readers of word-level quality estimation: one tag for each word, gap or source word.

A module with ``wmtYY`` in its name is a reader of those years; the others serve several readers. Below are
`qeframe_wmt.formats`.
"""
