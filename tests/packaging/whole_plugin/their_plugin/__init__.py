"""A plugin of a third party that uses every hook. It imports `qeframe.plugin` and nothing else of qeframe.

Each function names the places of what it brings, ``"name = module:variable"``, so that a run imports only what it uses.
"""

from importlib.resources import files

from qeframe.plugin import hookimpl


@hookimpl
def qeframe_metrics():
    """Return the metrics on numbers and on letters."""
    return ["their_metric = their_plugin.numbers:metric", "their_letters = their_plugin.letters:metric"]


@hookimpl
def qeframe_tie_policies():
    """Return the tie policy."""
    return ["their_ties = their_plugin.numbers:tie_policy"]


@hookimpl
def qeframe_significance_tests():
    """Return the test."""
    return ["their_test = their_plugin.numbers:their_test"]


@hookimpl
def qeframe_aggregations():
    """Return the aggregation."""
    return ["their_mean = their_plugin.numbers:aggregation"]


@hookimpl
def qeframe_readers():
    """Return the readers of tables and of files of letters."""
    return ["their_reader = their_plugin.numbers:reader", "their_letters = their_plugin.letters:reader"]


@hookimpl
def qeframe_profiles():
    """Return the profiles: files of this package."""
    folder = files(__name__)
    return {f"their_{name}": folder / f"{name}.toml" for name in ("profile", "letters")}


@hookimpl
def qeframe_kinds():
    """Return the kind of batch."""
    from their_plugin.letters import kind

    return [kind]


@hookimpl
def qeframe_attacks():
    """Return the attack on metrics of letters."""
    return ["their_first_letter = their_plugin.letters:attack"]
