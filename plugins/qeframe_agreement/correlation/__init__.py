"""Pearson's and Spearman's correlation of segment scores on grids; those of systems are in `systems`."""
