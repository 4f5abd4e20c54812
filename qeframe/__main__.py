"""``python -m qeframe``: the command line."""

from qeframe.cli import main

if __name__ == "__main__":
    main()
