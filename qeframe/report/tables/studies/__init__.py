"""The tables of studies: of what `qeframe.studies` and `qeframe.gaming` return, not of one evaluation.

Here belongs a module for each study, named after what its table shows, and that of a submission that is checked
without a gold. The tables of an evaluation are in `qeframe.report.tables`, the package around.
"""
