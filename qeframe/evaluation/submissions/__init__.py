"""The submissions of an evaluation: those that are read, those that a metric computes from texts, and the attacks.

How submissions are scored and compared does not belong here, but to the modules of `qeframe.evaluation`.
"""
