"""Readers of the metrics tasks: human judgments of systems, and the scores of metrics.

A module with ``wmtYY`` in its name is a reader of those years, and `judged_texts` reads experiments of one's own; the
others serve several readers. Formats of quality estimation do not belong here. Below are `qeframe_wmt.formats`.
"""
