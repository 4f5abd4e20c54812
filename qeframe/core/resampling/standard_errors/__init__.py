"""Standard errors of scores and of their differences, and what follows from them.

Here belong the jackknife, errors within bootstrap draws, and the scale on which differences are nearest to normal.
The statistics and their draws belong to `qeframe.core.resampling`, the package around.
"""
