"""The tables of studies: a module for each study, named after what its table shows."""
