"""Readers of the evaluation task of 2026: items, predictions and gold annotation as JSON, one object a line.

`spans`, `scores` and `error_free` are the readers of its three tasks, and `systems` that of the ranking of translation
systems; the other modules hold what they share. Below are `qeframe_wmt.formats`.
"""
