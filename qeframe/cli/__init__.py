"""The command line. `main` is the entry point; every command imports what it needs when it runs."""

from qeframe.cli.app import main

__all__ = ["main"]
