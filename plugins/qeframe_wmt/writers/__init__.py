"""Writers of layouts of the WMT shared tasks: `mtme` from `scored_cells`, which has the names of files from `names`."""
