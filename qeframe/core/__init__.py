"""The kernel: data, statistics, components, profiles and evaluations. It imports nothing else of qeframe.

It defines the hooks; what plugins and layers bring comes in by them. From the bottom: `errors`, `batches`, `resampling` and
`tasks`, `components`, `display` and `profiles`, `evaluation`.
"""
