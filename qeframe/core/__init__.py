"""The kernel: units, statistics, components, profiles and evaluations. It imports nothing else of qeframe.

It defines the hooks, and what plugins and layers bring comes in by them. From the bottom: `entry_points`,
`errors`, `process_signals` and `short_repr`; `batches` and `temporary_folders`; `resampling` and `tasks`; `components`;
`display` and `profiles`; `evaluation`.
"""
