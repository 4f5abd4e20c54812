"""The readers of shared-task files, one module for each format, named by its years.

`sentence`, `word` and `spans` are the levels of quality estimation; `metrics` are the metrics tasks. What several
levels share belongs to `qeframe_wmt.formats`, which is the package below.
"""
