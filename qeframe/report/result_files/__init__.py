"""The folders of files that a run leaves: tables, figures and JSON, written completely or not at all.

What a table or a figure shows is decided in `qeframe.report.tables` and `qeframe.report.figures`, the packages below.
"""
