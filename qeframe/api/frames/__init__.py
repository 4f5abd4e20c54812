"""Data frames of pandas, Polars and PyArrow as input, by their labels; narwhals speaks to all libraries.

`labeled` puts columns into one order by their labels, `tasks` makes tasks of a frame.
"""
