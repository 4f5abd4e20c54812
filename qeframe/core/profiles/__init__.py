"""The rules of a shared task as data: profiles in TOML files.

This package reads a profile, follows what it extends, checks it against the registry, changes single rules, and looks
up the components that it names. It does not read the files of a task and computes no scores: `qeframe.api` and
`qeframe.core.evaluation` do. The package below is `qeframe.core.components`.
"""
