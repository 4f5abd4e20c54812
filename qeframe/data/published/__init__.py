"""What was published: the files of a shared task, and the values that it or a paper printed.

Both are data, in TOML files beside the profiles of a plugin. `qeframe fetch` downloads the files, and
`qeframe reproduce` compares the values with computed ones.
"""
