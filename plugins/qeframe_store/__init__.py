"""Results over runs: what changed between two, a gate against worse ones, and the store that keeps them in one file.

It brings commands only. A result that was written is read by `qeframe.plugin.results`.
"""
