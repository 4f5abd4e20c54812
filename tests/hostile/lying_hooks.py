"""Plugins that fail when they are imported or asked what they bring."""

from tests.hostile.liar import SCORE, Liar


def _hook(lie: str, body: str, said: str) -> Liar:
    return Liar(lie, f"@hookimpl\ndef qeframe_metrics():\n    {body}\n", said, ("score", "pearson", *SCORE[2:]))


def _import(lie: str, body: str, said: str) -> Liar:
    return Liar(lie, body, said, ("score", "pearson", *SCORE[2:]))


LIARS = [
    _import(
        "sys.exit at import",
        "sys.exit(0)",
        "plugin 'liar' of distribution 'liar-dist 6.6' cannot be imported: SystemExit: 0; repair or uninstall 'liar-dist', or start with QEFRAME_BLOCK=liar",
    ),
    _import(
        "BaseException at import",
        "class Worst(BaseException):\n    pass\nraise Worst('the worst')",
        "plugin 'liar' of distribution 'liar-dist 6.6' cannot be imported: Worst: the worst; repair or uninstall 'liar-dist', or start with QEFRAME_BLOCK=liar",
    ),
    _import(
        "KeyboardInterrupt at import",
        "raise KeyboardInterrupt",
        "KeyboardInterrupt without an interrupt by the user: plugin 'liar' of distribution 'liar-dist 6.6' was being imported; QEFRAME_TRACEBACK=1 shows the traceback",
    ),
    _import(
        "GeneratorExit at import",
        "raise GeneratorExit",
        "plugin 'liar' of distribution 'liar-dist 6.6' cannot be imported: GeneratorExit; repair or uninstall 'liar-dist', or start with QEFRAME_BLOCK=liar",
    ),
    _hook(
        "sys.exit in a hook",
        "sys.exit(0)",
        "plugin 'liar' of distribution 'liar-dist 6.6' failed in hook qeframe_metrics: SystemExit: 0; repair it, or start with QEFRAME_BLOCK=liar",
    ),
    _hook(
        "BaseException in a hook",
        "raise GeneratorExit",
        "plugin 'liar' of distribution 'liar-dist 6.6' failed in hook qeframe_metrics: GeneratorExit; repair it, or start with QEFRAME_BLOCK=liar",
    ),
    _hook(
        "KeyboardInterrupt in a hook",
        "raise KeyboardInterrupt",
        "KeyboardInterrupt without an interrupt by the user: plugin 'liar' of distribution 'liar-dist 6.6' was in hook qeframe_metrics; QEFRAME_TRACEBACK=1 shows the traceback",
    ),
    _hook(
        "a hook returns text",
        "return 'metrics'",
        "plugin 'liar' of distribution 'liar-dist 6.6': hook qeframe_metrics must return a sequence, not str; repair it, or start with QEFRAME_BLOCK=liar",
    ),
    _hook(
        "a hook returns a class",
        "return [Metric]",
        "plugin 'liar' of distribution 'liar-dist 6.6': hook qeframe_metrics must return values of type Metric, not type; repair it, or start with QEFRAME_BLOCK=liar",
    ),
    _hook(
        "bounds are text",
        "return liar(bounds='0 to 1')",
        "plugin 'liar' of distribution 'liar-dist 6.6' failed in hook qeframe_metrics: DataError: metric 'liar': bounds are str '0 to 1'; give two numbers, the smaller one first; repair it, or start with QEFRAME_BLOCK=liar",
    ),
    _hook(
        "bounds are upside down",
        "return liar(bounds=(1, 0))",
        "plugin 'liar' of distribution 'liar-dist 6.6' failed in hook qeframe_metrics: DataError: metric 'liar': bounds are tuple (1, 0); give two numbers, the smaller one first; repair it, or start with QEFRAME_BLOCK=liar",
    ),
    _hook(
        "the kind is no batch",
        "return liar(kind=dict)",
        "plugin 'liar' of distribution 'liar-dist 6.6' failed in hook qeframe_metrics: DataError: metric 'liar': kind is type <class 'dict'>, not a class of batches; repair it, or start with QEFRAME_BLOCK=liar",
    ),
    _hook(
        "bind is no function",
        "return liar(bind=3)",
        "plugin 'liar' of distribution 'liar-dist 6.6' failed in hook qeframe_metrics: DataError: metric 'liar': bind is int 3, not a function of a batch; repair it, or start with QEFRAME_BLOCK=liar",
    ),
    _hook(
        "a built-in metric is replaced",
        "return [attrs.evolve(liar()[0], name='pearson')]",
        "the metric 'pearson' is brought twice: by plugin 'qeframe_scoring' of distribution 'qeframe 0.2.0' and by plugin 'liar' of distribution 'liar-dist 6.6'; rename that of plugin 'liar', or start with QEFRAME_BLOCK=liar",
    ),
]
