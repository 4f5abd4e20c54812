"""The readers of shared-task files: a module with ``wmtYY`` in its name reads those years, others serve several.

`sentence`, `word`, `spans`, `detection` and `wmt25_tables` are quality estimation, `metrics` the metrics tasks, `wmt26`
the tasks of 2026. What several of them share belongs to `qeframe_wmt.formats`, which is the package below.
"""
