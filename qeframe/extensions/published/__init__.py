"""What was published: the files of a shared task, and the values that it or a paper printed.

Both are components that a plugin writes as data, in TOML or in Python. `qeframe fetch` downloads the files, and
`qeframe reproduce` compares the values with computed ones.
"""
