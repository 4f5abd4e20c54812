"""Where an evaluation is computed, and what a user is shown of it meanwhile.

None of it changes a number. All work of an evaluation passes through `Runner.imap` in numbered blocks.

* `executors`: `open_executor` gives threads, processes, or the workers of a dask scheduler.
* `progress`: a bar on a terminal, otherwise plain lines.
"""
