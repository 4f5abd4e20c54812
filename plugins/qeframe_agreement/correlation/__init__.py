"""Pearson's and Spearman's correlation of segments on grids; that of systems is in `qeframe_agreement.systems`."""
