"""Readers of the evaluation task of 2026: items, predictions and human annotation, as JSON.

`single_translations` are the readers of its tasks 1 and 3, `scores` those of task 2 and of the ranking of translation
systems; the other modules hold what they share. Below are `qeframe_wmt.formats`.
"""
