"""The command line: `main` is its entry point.

`app` has the group of commands and turns errors into one line on standard error. `commands` has one module for each
command, `shared` what several of them need, and `new_plugins` the templates of ``qeframe new-plugin``. A command parses
its arguments, calls a function of the core and prints the result. Rules and computations do not belong here. Every
command imports what it needs when it runs, so that help appears at once. The package below is `qeframe.report`.
"""

from qeframe.cli.app import main

__all__ = ["main"]
