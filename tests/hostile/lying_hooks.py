"""Plugins that fail when they are imported or asked what they bring."""

from tests.hostile.liar import ORIGIN, SCORE, Liar

_PLUGIN = ORIGIN.removeprefix("of ")
_REPAIR = "; repair it, or start with QEFRAME_BLOCK=liar"


def _import(lie: str, body: str, said: str) -> Liar:
    return Liar(lie, body, said, ("score", "pearson", *SCORE[2:]))


def _hook(lie: str, body: str, said: str) -> Liar:
    return _import(lie, f"@hookimpl\ndef qeframe_metrics():\n    {body}\n", said)


def _import_fails(lie: str, body: str, error: str) -> Liar:
    remedy = "; repair or uninstall 'liar-dist', or start with QEFRAME_BLOCK=liar"
    return _import(lie, body, f"{_PLUGIN} cannot be imported: {error}{remedy}")


def _hook_fails(lie: str, body: str, error: str) -> Liar:
    return _hook(lie, body, f"{_PLUGIN} failed in hook qeframe_metrics: {error}{_REPAIR}")


def _returns(lie: str, returned: str, what: str) -> Liar:
    return _hook(lie, f"return {returned}", f"{_PLUGIN}: hook qeframe_metrics must return {what}{_REPAIR}")


def _metric(lie: str, fields: str, mistake: str) -> Liar:
    return _hook_fails(lie, f"return liar({fields})", f"DataError: metric 'liar': {mistake}")


LIARS = [
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
        "return [attrs.evolve(liar()[0], name='pearson')]",
        f"the metric 'pearson' is brought twice: by plugin 'qeframe_scoring' of distribution 'qeframe 0.2.0' and by {_PLUGIN}; rename that of plugin 'liar', or start with QEFRAME_BLOCK=liar",
    ),
]
