"""What standard errors are made of: scores with parts of a grid left out, and scores around each bootstrap draw.

The errors themselves belong to `qeframe.core.resampling.standard_errors`. What is scored belongs to the package around.
"""
