"""Where and in which portions an evaluation is computed: executors, work folders, shards, estimates.

None of it changes a number. All work of an evaluation passes through `Runner.imap` in numbered blocks.

* `executors`: `open_executor` gives threads, processes, a dask cluster, or the executor of a factory.
* `dask_executor`: the workers of a dask scheduler.
* `work_folder`, `block_store`: finished blocks in files, named by digests, and their division among shards.
* `resumable`: runs that go on where they were stopped.
* `shards`: shards and merges.
* `placeholders`: results in place of blocks that are computed elsewhere.
* `estimates`: how long an evaluation takes, from few draws.
"""
