"""The generated tasks of the readers: what answers the submissions give, and the files of each layout."""
