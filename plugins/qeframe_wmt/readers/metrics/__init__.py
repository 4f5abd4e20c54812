"""Readers of the metrics tasks: human judgments of systems, and the scores of metrics.

`judged_texts` reads experiments of one's own. Formats of quality estimation do not belong here.
"""
