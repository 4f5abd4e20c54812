"""From unit weights to scores: statistics, draws, exchanges, and the formulas that they share.

A statistic (`statistic`; many at once in `stack`) is a function from unit weights to scores. `draws` makes the weights
and the masks, `exchange` swaps units of two submissions, `parallel` runs blocks of draws. `correlation` and `ranks` are
the one home of Pearson's correlation and of mid-ranks, and `memory` bounds temporary arrays. Metrics and significance
tests do not belong here, since plugins bring them, nor files, which `qeframe.core.tasks` reads. The package below is
`qeframe.core.batches`.
"""
