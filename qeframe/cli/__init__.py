"""The command line: `main` is its entry point.

`app` has the group of commands and turns errors into one line on standard error. `commands` has the commands, `shared`
what several of them need, and `new_plugins` the templates of ``qeframe new-plugin``. A command parses its arguments,
calls a function of the core and prints the result. Rules and computations do not belong here. Every command imports
what it needs when it runs, by itself or by the lazy names of packages, so that help appears at once. The package below
is `qeframe.report`.
"""

from qeframe.cli.app import main

__all__ = ["main"]
