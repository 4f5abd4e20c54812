"""The rules of a shared task as data: profiles in TOML files.

This package reads a profile, follows what it extends, checks it against the registry, and looks up the components that
it names. Single rules are changed for one run by `qeframe.api.overrides`. Files of a task are read by `qeframe.api`,
and scores are computed by `qeframe.core.evaluation`. The package below is `qeframe.core.components`.
"""
