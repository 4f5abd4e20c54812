"""From a profile and its tasks to an `Evaluation`: scores, intervals, comparisons, ranks and a signature.

`evaluate` does the whole; `score` and `compare` work on plain values. `ScoredTask` binds metrics to the submissions of
one task, `Scoreboard` holds all tasks. The meaning of rules belongs to `qeframe.core.profiles`, the package below. Questions
over several evaluations belong to `qeframe.studies`, tables and figures to `qeframe.report`.
"""
