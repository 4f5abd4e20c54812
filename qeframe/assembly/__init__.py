"""From tasks to an `Evaluation`: `evaluate` has the steps, with parts of a task set and without.

`scoreboard` binds tasks, `parts` those of a task set: both are contests over entries. `compare` scores and tests them,
`places` ranks them, enters alone what is not ranked, and averages ranks over the columns of a page. `remarks` adds
warnings and valid clusters, which change nothing else.
"""
