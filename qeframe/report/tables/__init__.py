"""The tables of results: one module for each, named after what the table shows.

A function here takes a result and returns a `Table`, with notes in plain words. How a table is printed is decided in
`qeframe.report.layouts`, the package below.
"""
