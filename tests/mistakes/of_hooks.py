"""Plugins that fail when they are imported or asked what they bring."""

from tests.mistakes.mistake import ORIGIN, SCORE, Mistake

_PLUGIN = ORIGIN.removeprefix("of ")
_REPAIR = "; repair it, or start with QEFRAME_BLOCK=faulty"


def _import(name: str, body: str, said: str) -> Mistake:
    return Mistake(name, body, said, ("score", "pearson", *SCORE[2:]))


def _hook(name: str, body: str, said: str) -> Mistake:
    return _import(name, f"@hookimpl\ndef qeframe_metrics():\n    {body}\n", said)


def _import_fails(name: str, body: str, error: str) -> Mistake:
    remedy = "; repair or uninstall 'faulty-dist', or start with QEFRAME_BLOCK=faulty"
    return _import(name, body, f"{_PLUGIN} cannot be imported: {error}{remedy}")


def _hook_fails(name: str, body: str, error: str) -> Mistake:
    return _hook(name, body, f"{_PLUGIN} failed in hook qeframe_metrics: {error}{_REPAIR}")


def _returns(name: str, returned: str, what: str) -> Mistake:
    return _hook(name, f"return {returned}", f"{_PLUGIN}: hook qeframe_metrics must return {what}{_REPAIR}")


def _metric(name: str, fields: str, mistake: str) -> Mistake:
    return _hook_fails(name, f"return faulty({fields})", f"DataError: metric 'faulty': {mistake}")


MISTAKES = [
    _import_fails("sys.exit at import", "sys.exit(0)", "SystemExit: 0"),
    _hook_fails("sys.exit in a hook", "sys.exit(0)", "SystemExit: 0"),
    _returns("a hook returns text", "'metrics'", "a sequence, not str"),
    _returns("a hook returns a class", "[Metric]", "values of type Metric, not type"),
    _metric("bounds are text", "bounds='0 to 1'", "bounds are str '0 to 1'; give two numbers, the smaller one first"),
    _metric(
        "bounds are upside down", "bounds=(1, 0)", "bounds are tuple (1, 0); give two numbers, the smaller one first"
    ),
    _metric("the kind is no batch", "kind=dict", "kind is type <class 'dict'>, not a class of batches"),
    _metric("bind is no function", "bind=3", "bind is int 3, not a function of a batch"),
    _hook(
        "a built-in metric is replaced",
        "return [attrs.evolve(faulty()[0], name='pearson')]",
        f"the metric 'pearson' is brought twice: by plugin 'qeframe_scoring' of distribution 'qeframe 0.2.0' and by {_PLUGIN}; rename that of plugin 'faulty', or start with QEFRAME_BLOCK=faulty",
    ),
]
