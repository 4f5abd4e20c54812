"""Standard errors of scores and of their differences, and what follows from them.

Here belong errors within bootstrap draws, grids with parts left out, and the scale on which differences are nearest to
normal. The error of the jackknife is in `qeframe.statistics.jackknife_variance`; the statistics and their draws belong
to `qeframe.core.resampling`, the package around.
"""
