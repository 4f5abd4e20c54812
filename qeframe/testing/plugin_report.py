"""The report on a plugin: every law of every component of it, and the claims that its metrics do not make."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

from attrs import evolve, frozen

from qeframe.core.component import Component, error_in_words, named_output
from qeframe.core.display import beginning_of
from qeframe.core.errors import DataError, PluginError, QeframeError, did_you_mean
from qeframe.core.metric import Metric
from qeframe.core.origin import Origin
from qeframe.core.registry import Plugin, Registry
from qeframe.testing.failures import shown_part
from qeframe.testing.gates import gaming_gate
from qeframe.testing.laws.checks import TRIES, Check, checks_of, class_name, components_of, laws_of
from qeframe.testing.verdicts import verdicts_on


@frozen(kw_only=True)
class Finding:
    """The result of one law of one component.

    `origin`: the plugin and the distribution that brought the component.
    `kind`, `component`, `law`, `states`: the class and the name of the component, the law's name and the property that
      it states.
    `broken`: whether a component breaks a law, or a claim that it makes.
    `result`: "kept", "broken", "left out", "no such law", "not tried" (no kind is registered for its batches, or the
      component breaks a law that this one presupposes), "not determined" (of a gate), or of a claim that is not made
      "not claimed, ...".
    `tries`: how many examples were tried.
    `what`: the error, in one line.
    `counterexample`: the smallest example, in lines.
    `beginning`: the same lines, of long values the first few alone.
    `exploit`: how it would be exploited.
    """

    origin: Origin
    kind: str
    component: str
    law: str
    states: str = ""
    broken: bool = False
    result: str
    tries: int = 0
    what: str = ""
    counterexample: tuple[str, ...] = ()
    beginning: tuple[str, ...] = ()
    exploit: str = ""


@frozen
class PluginReport:
    """All findings on the plugins of one name."""

    name: str
    findings: tuple[Finding, ...]

    @property
    def broken(self) -> list[Finding]:
        """The findings of broken laws."""
        return [finding for finding in self.findings if finding.broken]


def find_plugins(name: str, registry: Registry) -> list[Plugin]:
    """Return the plugins of that name, or of the distribution of that name.

    Raises DataError if there is none; it names the plugin where a component has the name.
    """
    plugins = plugins_named(name, registry)
    if not plugins:
        for component in registry.hooks.values():
            if name in registry.names(component):
                brought_by = registry.entry(component, name).origin.plugin
                raise DataError(f"'{name}' is a component, no plugin", remedy=f"give what brings it, '{brought_by}'")
        names = {name for p in registry.plugins for name in (p.origin.plugin, p.origin.distribution)}
        blocked = f" (blocked: {', '.join(registry.blocked)})" if name in registry.blocked else ""
        remedy = "'qeframe plugins' lists those that are installed"
        raise DataError(f"no plugin or distribution is named '{name}'{blocked}; {did_you_mean(name, names, remedy)}")
    return plugins


def plugins_named(name: str, registry: Registry) -> list[Plugin]:
    """Return the plugins of that name, else of the distribution of that name, if there are any."""
    plugins = [plugin for plugin in registry.plugins if plugin.origin.plugin == name]
    return plugins or [plugin for plugin in registry.plugins if plugin.origin.has_name(name)]


def check_plugin(
    name: str,
    registry: Registry,
    *,
    tries: int = TRIES,
    costly: bool = False,
    report: Callable[[str], None] = lambda component: None,
    require: Sequence[str] = (),
    undeclared: bool = False,
    strict: bool = False,
    commands: Sequence[Finding] = (),
) -> PluginReport:
    """Hold every component of a plugin to its laws, parametric ones with their default parameters.

    `name`: an entry point of the group, or a distribution.
    `tries`: how many examples of each law.
    `costly`: whether laws that simulate many data sets are tried too.
    `report`: called with the name of each component before it is tried.
    `require`: Claims that every metric must make whose batches have such a law.
    `undeclared`: whether a metric fails that can be gamed further than it declares, see `qeframe.testing.check_gaming`.
    `strict`: whether it fails too where that is not determined.
    `commands`: what was found of the commands of the distribution, which no hook brings. A plugin may have nothing
      else.

    Returns the laws, and for metrics also the claims that they do not make. Raises DataError if no plugin or
    distribution has that name, or no metric of it could make a claim that is required. Raises PluginError if a
    parametric component cannot be made with its default parameters.
    """
    findings = list(commands)
    for plugin in plugins_named(name, registry) if commands else find_plugins(name, registry):
        for component in _components(plugin, registry):
            report(component.name)
            with named_output(f"{class_name(component).lower()} '{component.name}' of {plugin.origin}"):
                of_component = _findings(plugin.origin, component, tries, costly=costly)
                if undeclared and isinstance(component, Metric):
                    of_component.append(_gated(plugin.origin, component, registry, strict=strict))
                findings += of_component
    for claim in require:
        findings = _with_required(name, claim, findings)
    return PluginReport(name, tuple(findings))


def _gated(origin: Origin, metric: Metric, registry: Registry, *, strict: bool) -> Finding:
    """Return whether a metric can be gamed further than it declares, also where it breaks a law."""
    finding = partial(
        Finding,
        origin=origin,
        kind="Metric",
        component=metric.name,
        law="gaming",
        states="no attack gains more than the claims and the known weaknesses of the metric declare",
    )
    try:
        gate = gaming_gate().declared_gate(metric, registry)
    except PluginError as error:  # it fails on what it is given
        return finding(broken=True, result="broken", what=str(error))
    return finding(broken=gate.fails(strict=strict), result=gate.outcome, tries=gate.attacks, what=gate.what)


def _with_required(name: str, claim: str, findings: Sequence[Finding]) -> list[Finding]:
    """Return the findings with a claim that every metric must make."""
    if not any(finding.law == claim and finding.kind == "Metric" for finding in findings):
        what = f"no metric of '{name}' could make the claim '{claim}', which is required"
        raise DataError(what, remedy="require claims that have a law for their batches")
    return [
        evolve(
            finding,
            broken=True,
            result=f"required, {finding.result}",
            states="it is required",
            what=finding.what or f"add '{claim}' to its claims: no counterexample was found",
        )
        if finding.law == claim and finding.kind == "Metric" and finding.result.startswith("not claimed")
        else finding
        for finding in findings
    ]


def _components(plugin: Plugin, registry: Registry) -> list[Component]:
    try:
        with named_output(str(plugin.origin), warnings_are_errors=False):
            return components_of(plugin.module, registry)
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # a parametric component may raise anything when it is made
        what = str(error) if isinstance(error, QeframeError) else error_in_words(error)
        raise PluginError(f"{plugin.origin} cannot make its components: {what}") from error


def _findings(origin: Origin, component: Component, tries: int, *, costly: bool) -> list[Finding]:
    left_out = [_left_out(origin, component, law, reason) for law, reason in component.left_out.items()]
    if any(finding.broken for finding in left_out):
        return left_out
    try:
        checks = checks_of(component, tries=tries, costly=costly)
    except DataError as error:  # no kind is registered for its batches, or the kind has no strategy
        return [_finding_on(origin, component, law="all")(result="not tried", what=str(error))]
    findings = [*left_out, *(_finding(origin, check) for check in checks)]
    if not isinstance(component, Metric) or any(finding.result == "not tried" for finding in findings):
        return findings
    return [*findings, *_not_claimed(origin, component, tries)]


def _left_out(origin: Origin, component: Component, law: str, reason: str) -> Finding:
    """Return that a component leaves out a law, which must exist, for a reason, which must be given."""
    known = law in {each.name for each in laws_of(component)}
    wrong = "no law that concerns it has this name" if not known else "it is left out without a reason"
    if known and reason.strip():
        return _finding_on(origin, component, law)(result="left out", what=reason)
    return _finding_on(origin, component, law, "what is left out is a law")(broken=True, result="broken", what=wrong)


def _finding_on(origin: Origin, component: Component, law: str, states: str = "") -> Callable[..., Finding]:
    kind, name = class_name(component), component.name
    return partial(Finding, origin=origin, kind=kind, component=name, law=law, states=states)


def _finding(origin: Origin, check: Check) -> Finding:
    finding = _finding_on(origin, check.component, law=check.law.name, states=check.law.states)
    if check.lawless:
        what = "there is no such law for its kind of batch: do not claim it"
        return finding(result="no such law", broken=True, what=what)
    if why_not := check.why_not_tried:
        return finding(result="not tried", what=why_not)
    searched = check.search()
    counterexample = searched.found
    if counterexample is None:
        return finding(result="kept", tries=searched.tries)
    whole, beginning = (
        _lines(counterexample.values, show)
        or tuple(shown_part(part, check.kind, show) for part in counterexample.example)
        for show in (repr, beginning_of)
    )
    return finding(
        result="broken",
        broken=True,
        tries=searched.tries,
        what=counterexample.what,
        counterexample=whole,
        beginning=beginning,
        exploit=counterexample.exploit,
    )


def _lines(values: Mapping[str, Any], show: Callable[[Any], str]) -> tuple[str, ...]:
    return tuple(f"{name} = {show(value)}" for name, value in values.items())


def _not_claimed(origin: Origin, metric: Metric, tries: int) -> Sequence[Finding]:
    verdicts = verdicts_on(metric, tries=tries, unclaimed=True)
    return [
        Finding(
            origin=origin,
            kind="Metric",
            component=metric.name,
            law=verdict.claim,
            result=verdict.in_words,
            tries=verdict.tries,
            what=verdict.what,
            counterexample=_lines(verdict.counterexample, repr),
            beginning=_lines(verdict.counterexample, beginning_of),
            exploit=verdict.exploit,
        )
        for verdict in verdicts
        if verdict.holds is not None
    ]
