"""Where an evaluation is computed: `open_executor` gives threads, processes, or the workers of a dask scheduler.

None of it changes a number. All work of an evaluation passes through `Runner.imap` in numbered blocks.
"""
