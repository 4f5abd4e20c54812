"""What `mtme` reads: the files of a folder, the choice among them, and the cells of a language pair."""
