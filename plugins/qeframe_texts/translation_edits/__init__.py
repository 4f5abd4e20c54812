"""The edits of TER: insertions, deletions, substitutions and shifts of blocks, of many pairs of texts at once."""
