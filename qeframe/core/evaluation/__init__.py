"""From a profile and its tasks to an `Evaluation`: scores, intervals, comparisons, ranks and a signature.

`evaluate_tasks` does the whole and opens no file. `Sample` binds metrics to the submissions of one task, and
`Scoreboard` holds all tasks. The meaning of rules belongs to `qeframe.core.profiles`, the package below. What users
call is in `qeframe.api`, questions over several evaluations are in `qeframe.studies`, tables and figures in
`qeframe.report`.
"""
