"""Writers of layouts of the WMT shared tasks: `mtme` writes what `scored_cells` has of a task."""

from qeframe_wmt.writers.mtme import mtme as mtme_writer

__all__ = ["mtme_writer"]
