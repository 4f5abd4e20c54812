"""From unit weights to scores: statistics, draws and exchanges.

A statistic (`statistic`; many at once in `statistic_stack`) is a function from unit weights to scores. `draws` makes
the weights and the masks, `exchange` swaps units of two submissions, `parallel` runs blocks of draws, `rounding` says
which scores are equal, and `memory` bounds temporary arrays. Metrics and significance tests do not belong here, since
plugins bring them, nor files. The package below is `qeframe.core.batches`.
"""
