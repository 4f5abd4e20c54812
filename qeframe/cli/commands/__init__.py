"""The commands, one module for each; `listing` has both ``qeframe profiles`` and ``qeframe plugins``.

No command imports another one: what two of them need is in `qeframe.cli.shared`, the package below. A new command is a
module here and a line in `qeframe.cli.app`.
"""
