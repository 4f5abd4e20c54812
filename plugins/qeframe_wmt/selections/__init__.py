"""What takes part in the metrics tasks, for each data set and language pair: one TOML file for a data set."""
