"""What standard errors are made of: scores with parts of a grid left out, and scores around each bootstrap draw.

The errors themselves belong to `qeframe.resampling.standard_errors`. What is scored belongs to `qeframe.evaluation`,
the package around.
"""
