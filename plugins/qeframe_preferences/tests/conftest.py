"""Equal examples in every run."""

from hypothesis import settings

settings.register_profile("ci", derandomize=True, deadline=None, print_blob=True, max_examples=40)
settings.load_profile("ci")
