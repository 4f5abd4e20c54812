"""What several commands share: options, progress, error messages, and reading and printing of results.

The commands themselves are in `qeframe.cli.commands`, above. The package below is `qeframe.report`.
"""
