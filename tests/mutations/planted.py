"""Plant changes in the built-in components, one after the other, and see which of them the lock notices.

    python tests/mutations/planted.py [--write] [PART OF A MODULE'S PATH ...]

Each float, each comparison of numbers, and each whole number that is a default or a constant of a module is changed in
turn, in a fork of this process that imports the changed module anew. The components that are defined in the module, or
in one that imports it, and run the changed function, are recorded again until a number differs from
tests/components.json. ``--write`` writes what was found to planted.tsv, where a reason stands beside each change that
is not noticed. A module whose source has changed since must be tried again.
"""

import ast
import json
import os
import re
import signal
import sys
from collections.abc import Callable, Iterator
from functools import cache
from importlib.machinery import SourceFileLoader
from pathlib import Path
from types import CodeType

import qeframe
from qeframe.core.calls import Parametric
from qeframe.core.loader import _load_once
from qeframe.kinds.registered import registered_kinds
from qeframe.testing.fixed_values import digest, fixed_values, same_value, word_of
from qeframe.testing.laws.probes import fixed_submissions, off_grid_submissions
from qeframe.testing.snapshot import _present, read_lock

ROOT = Path(__file__).parents[2]
PLUGINS = ROOT / "plugins"
LIST = Path(__file__).with_name("planted.tsv")
SOURCES = Path(__file__).with_name("planted-sources.tsv")
"""For each module of the list a digest of the source that it was tried on."""
SWAPPED = {ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq}
_SIZES = re.compile("ARRAYS|BYTES|MOST_UNITS|MOST_CELLS|_BLOCK|_AT_ONCE|_KEPT")
_SLACK = 1e-6
"""Not planted: sizes of blocks and of fast ways, by these words in the names of constants; slacks for
rounding, up to so much; the conditions of refusals, which raise an error; bounds of known weaknesses."""
_LONGEST = 45.0
"""Seconds of processor time; no plugin takes thirty to record."""
NOT_RECORDED = ("qeframe_wmt",)
"""Plugins of readers, which have no recorded numbers."""


def places(path: Path) -> Iterator[tuple[str, ast.Module]]:
    """Yield the name of each change of a module, and the tree with it."""
    source = path.read_text(encoding="utf-8")
    for number, name in enumerate(names(path)):
        yield name, ast.fix_missing_locations(_Change(number).visit(ast.parse(source)))


def names(path: Path) -> list[str]:
    """Return the name of each change of a module."""
    none = _Change()
    none.visit(ast.parse(path.read_text(encoding="utf-8")))
    return none.names


class _Change(ast.NodeTransformer):
    """Changes the nth place, or none; `names` say what each was and where."""

    def __init__(self, nth: int = -1) -> None:
        self.nth, self.names, self.where = nth, list[str](), [""]
        self.seen: dict[str, int] = {}

    def _take(self, what: str) -> bool:
        place = f"{self.where[-1] or 'module'}: {what}"
        self.seen[place] = self.seen.get(place, 0) + 1
        self.names.append(place if self.seen[place] == 1 else f"{place} ({self.seen[place]})")
        return len(self.names) == self.nth + 1

    def _within(self, node: ast.AST) -> ast.AST:
        self.where.append(f"{self.where[-1]}.{node.name}".lstrip("."))
        self.generic_visit(node)
        self.where.pop()
        return node

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.AST:
        return self._within(node)

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        node.args.defaults = [self._whole(each) for each in node.args.defaults]
        node.args.kw_defaults = [each and self._whole(each) for each in node.args.kw_defaults]
        annotation, node.returns = node.returns, None
        self._within(node)
        node.returns = annotation
        return node

    def visit_arg(self, node: ast.arg) -> ast.AST:
        return node

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AST:
        if not (isinstance(node.target, ast.Name) and node.target.id == "_KNOWN"):
            node.value = node.value and self.visit(node.value)
        return node

    def visit_If(self, node: ast.If) -> ast.AST:
        if all(isinstance(each, (ast.Raise, ast.Assign)) for each in node.body) and isinstance(
            node.body[-1], ast.Raise
        ):
            node.orelse = [self.visit(each) for each in node.orelse]
            return node
        return self.generic_visit(node)

    def visit_Assign(self, node: ast.Assign) -> ast.AST:
        names = [target.id for target in node.targets if isinstance(target, ast.Name)]
        if any(_SIZES.search(name) for name in names):
            return node
        if not self.where[-1]:
            node.value = self._whole(node.value)
        return self.generic_visit(node)

    def visit_keyword(self, node: ast.keyword) -> ast.AST:
        return node if node.arg == "known_weaknesses" else self.generic_visit(node)

    def _whole(self, node: ast.AST) -> ast.AST:
        """Return a whole number, or one of a tuple, that is a default or a constant of the module, with a change."""
        if isinstance(node, ast.Tuple):
            node.elts = [self._whole(each) for each in node.elts]
        is_whole = isinstance(node, ast.Constant) and type(node.value) is int
        if is_whole and self._take(f"{node.value} -> {node.value + 1}"):
            return ast.Constant(node.value + 1)
        return node

    def visit_Constant(self, node: ast.Constant) -> ast.AST:
        if type(node.value) is not float:
            return node
        if 0 < abs(node.value) <= _SLACK:
            return node
        changed = node.value * 1.01 or 0.01
        return ast.Constant(changed) if self._take(f"{node.value} -> {changed:.6g}") else node

    def visit_Compare(self, node: ast.Compare) -> ast.AST:
        for at, operator in enumerate(node.ops):
            text = ast.unparse(node)
            is_of_numbers = type(operator) in SWAPPED and not _of_words(node)
            if is_of_numbers and self._take(f"{text} [{at}]" if len(node.ops) > 1 else text):
                node.ops[at] = SWAPPED[type(operator)]()
        return self.generic_visit(node)


def _of_words(node: ast.Compare) -> bool:
    """Return whether words are compared, such as the values of a parameter that is a choice."""
    sides = [node.left, *node.comparators]
    return any(isinstance(side, ast.Constant) and isinstance(side.value, str) for side in sides)


def modules() -> list[Path]:
    """Return the modules of plugins that bring components with recorded numbers."""
    paths = sorted(path for file in PLUGINS.glob("*/__init__.py") for path in file.parent.rglob("*.py"))
    return [path for path in paths if path.relative_to(PLUGINS).parts[0] not in NOT_RECORDED]


def dotted(path: Path) -> str:
    """Return the name of a module."""
    return ".".join(path.relative_to(PLUGINS).with_suffix("").parts).removesuffix(".__init__")


@cache
def imports(path: Path) -> frozenset[str]:
    """Return the modules of its plugin that a module needs, itself among them."""
    needed = {dotted(path)}
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module and node.module.startswith("qeframe_"):
            for name in (node.module, *(f"{node.module}.{alias.name}" for alias in node.names)):
                for file in (
                    PLUGINS / f"{name.replace('.', '/')}.py",
                    PLUGINS / name.replace(".", "/") / "__init__.py",
                ):
                    if file.exists() and dotted(file) not in needed and file != path:
                        needed |= imports(file)
    return frozenset(needed)


def defined_in(component: object, plugin: str) -> str:
    """Return the module of a plugin in which a component is defined."""
    if isinstance(component, Parametric):
        return component.build.__module__
    loaded = [(name, module) for name, module in sys.modules.items() if name.partition(".")[0] == plugin]
    held = [name for name, module in loaded if any(value is component for value in list(vars(module).values()))]
    return max(held, key=lambda name: name.count("."), default=plugin)


def concerned(path: Path) -> list[tuple[type, str]]:
    """Return the classes and names of the components that a change of a module may change; the nearest come first."""
    registry, plugin = qeframe.load(), path.relative_to(PLUGINS).parts[0]
    found = []
    for kind, table in registry.tables.items():
        for name, entry in table.items():
            if entry.origin.plugin == plugin:
                home = defined_in(entry.find(), plugin)
                file = PLUGINS / f"{home.replace('.', '/')}.py"
                needed = imports(file if file.exists() else PLUGINS / home.replace(".", "/") / "__init__.py")
                if dotted(path) in needed:
                    found.append((home != dotted(path), len(needed), kind, name))
    return [(kind, name) for _, _, kind, name in sorted(found, key=lambda each: (each[0], each[1], each[3]))]


def forget(plugin: str) -> None:
    """Let the modules of a plugin be imported anew."""
    for name in [name for name in sys.modules if name.partition(".")[0] == plugin]:
        del sys.modules[name]
    _load_once.cache_clear()


@cache
def runs(plugin: str) -> dict[str, set[str]]:
    """Return the functions of a plugin that are run while it is loaded, and while each component is recorded."""
    return {label: set(names) for label, names in json.loads(in_a_fork(_traced, plugin)).items()}


def _traced(plugin: str) -> str:
    called: dict[str, dict[int, CodeType]] = {"": {}}
    label = ""

    def note(frame, _event, _argument):
        called[label][id(frame.f_code)] = frame.f_code

    forget(plugin)
    sys.settrace(note)
    present = dict(_present(qeframe.load(), [plugin]))
    for label, each in present.items():
        called[label] = {}
        for fixed in fixed_values(each.kind, each.component):
            fixed.value  # noqa: B018
    sys.settrace(None)
    own = str(PLUGINS / plugin)
    names = {
        label: {
            f"{c.co_filename} {_UNNAMED.sub('', c.co_qualname)}"
            for c in codes.values()
            if c.co_filename.startswith(own)
        }
        for label, codes in called.items()
    }
    return json.dumps({label: sorted(of_label) for label, of_label in names.items()})


_UNNAMED = re.compile(r"\.<locals>|\.?<(lambda|listcomp|setcomp|dictcomp|genexpr)>")


def concerned_by(path: Path, change: str, labels: set[str]) -> set[str]:
    """Return those of recorded components that run the function that is changed; all if it is run on import."""
    by_label = runs(path.relative_to(PLUGINS).parts[0])
    function = f"{path} {change.partition(': ')[0]}"
    if change.startswith("module: ") or function in by_label[""]:
        return labels
    return {label for label in labels if function in by_label[label]}


def noticed(path: Path, change: str, tree: ast.Module, components: list[tuple[type, str]], recorded: dict) -> str:
    """Return the first number that a change changes, in words; empty if there is none."""
    plugin = path.relative_to(PLUGINS).parts[0]
    forget(plugin)
    plain = SourceFileLoader.get_code

    def get_code(loader, name):
        return compile(tree, path, "exec") if Path(loader.path) == path else plain(loader, name)

    SourceFileLoader.get_code = get_code
    wanted = [f"{word_of(kind)} {name}" for kind, name in components]
    try:
        present = {label: each for label, each in _present(qeframe.load(), [plugin]) if base(label) in wanted}
    except Exception as error:
        return f"{type(error).__name__} when it is imported"
    labels = {label for label in recorded if base(label) in wanted}
    if changed := labels ^ {label for label, each in present.items() if each.borrows is not None}:
        return f"{min(changed)} is new or gone"
    labels = concerned_by(path, change, labels)
    for label in sorted(labels, key=lambda label: wanted.index(base(label))):
        gone = dict(recorded[label].values)
        try:
            for fixed in fixed_values(present[label].kind, present[label].component):
                if not same_value(gone.pop(fixed.name, ""), fixed.value):
                    return f"{label} on {fixed.name}"
            if gone:
                return f"{label} on {min(gone)}, which is gone"
        except Exception as error:
            return f"{label}: {type(error).__name__}"
    return ""


def base(label: str) -> str:
    """Return a recorded name without parameters."""
    return label.partition("(")[0]


def in_a_fork(work: Callable[..., str], *given: object) -> str:
    """Return what comes of work in a fork of this process; one that computes for so long is in an endless loop."""
    reader, writer = os.pipe()
    child = os.fork()
    if not child:
        signal.setitimer(signal.ITIMER_PROF, _LONGEST)
        os.write(writer, work(*given).encode())
        os._exit(0)
    os.close(writer)
    with os.fdopen(reader) as pipe:
        told = pipe.read()
    _, status = os.waitpid(child, 0)
    return told if status == 0 else "the process ends"


def found_in(path: Path, recorded: dict) -> dict[str, str]:
    """Return what notices each change of a module, by the name of the change."""
    components = concerned(path)
    runs(path.relative_to(PLUGINS).parts[0])  # once, for all forks
    return {name: in_a_fork(noticed, path, name, tree, components, recorded) for name, tree in places(path)}


def digest_of(path: Path) -> str:
    """Return a digest of a module without its docstrings and comments."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    for node in ast.walk(tree):
        if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef)) and ast.get_docstring(node) is not None:
            node.body = node.body[1:]
    return digest(ast.unparse(tree))


def read_sources() -> dict[str, str]:
    """Return the digests of the sources that the list was made of, by module."""
    return dict(line.split("\t") for line in SOURCES.read_text(encoding="utf-8").splitlines())


def read_list() -> dict[tuple[str, str], tuple[str, str]]:
    """Return what the list says: by module and change what notices it, and the reason where nothing does."""
    rows = [line.split("\t") for line in LIST.read_text(encoding="utf-8").splitlines()[1:]] if LIST.exists() else []
    return {(module, change): (by, reason) for module, change, by, reason in rows}


def main(arguments: list[str]) -> None:
    """Try the changes of the modules that are named, or of all; the list is written after each module."""
    recorded = read_lock(ROOT / "tests" / "components.json")
    for kind in registered_kinds():  # drawn once, for all forks
        fixed_submissions(kind.batch), off_grid_submissions(kind.batch)
    parts = [argument for argument in arguments if argument != "--write"]
    rows = {key: row for key, row in read_list().items() if key[0] in map(dotted, modules())}
    sources = read_sources()
    changes = unnoticed = 0
    for path in modules():
        if parts and not any(part in dotted(path) for part in parts):
            continue
        found = found_in(path, recorded)
        reasons = {change: rows.get((dotted(path), change), ("", ""))[1] for change, by in found.items() if not by}
        for change, reason in reasons.items():
            sys.stdout.write(f"{dotted(path)}\t{change}\t{reason or 'NO REASON'}\n")
        changes, unnoticed = changes + len(found), unnoticed + len(reasons)
        rows = {key: row for key, row in rows.items() if key[0] != dotted(path)}
        rows |= {(dotted(path), change): (by, reasons.get(change, "")) for change, by in found.items()}
        if "--write" in arguments:
            lines = [_HEAD, *("\t".join((*key, *row)) for key, row in sorted(rows.items()))]
            LIST.write_text("\n".join(lines) + "\n", encoding="utf-8")
            tried = sources | {dotted(path): digest_of(path)}
            sources = {module: tried[module] for module in sorted({module for module, _ in rows})}
            text = "".join(f"{module}\t{source}\n" for module, source in sources.items())
            SOURCES.write_text(text, encoding="utf-8")
        sys.stdout.flush()
    sys.stdout.write(f"{changes} changes, {changes - unnoticed} noticed\n")


_HEAD = "module\tchange\tnoticed by\treason"


if __name__ == "__main__":
    main(sys.argv[1:])
