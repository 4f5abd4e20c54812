"""Data frames of pandas, Polars and PyArrow: as input, by their labels, and as output.

Here belongs everything that knows what a data frame is; narwhals speaks to all libraries. `columns` puts columns into
one order by their labels, `tasks` makes tasks of a frame, and `records` makes a frame of records. The packages below
are `qeframe.core.batch` and `qeframe.core.task`.
"""
