"""Word tags, sentence by sentence."""
