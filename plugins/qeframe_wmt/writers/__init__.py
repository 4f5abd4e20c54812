"""Writers of layouts of the WMT shared tasks: `mtme` from `scored_cells`, which has the names of files from `names`."""

from qeframe_wmt.writers.mtme import mtme as mtme_writer

__all__ = ["mtme_writer"]
