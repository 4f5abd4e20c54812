"""The gaming audit: attacks on metrics, the index of each attack, and claims that are tried.

`audit` is the study. `many_golds` measures attacks on generated golds, `given_gold` on those that are given, and
`indices` has the index and its error. Attacks are components of plugins; claims and their laws belong to
`qeframe.testing`, which is the package below; the answers and the generated gold of each kind of batch belong to
`qeframe.kinds`.
"""

from typing import TYPE_CHECKING

from qeframe.lazy_names import lazy_names

if TYPE_CHECKING:
    from qeframe.gaming.audit_folder import audit_html, audit_page, audit_schema, write_audit
    from qeframe.gaming.gaming_gate import Gamed, gamed_on_tasks
    from qeframe.gaming.tables.audits import (
        attack_table,
        audit_summary,
        audit_tables,
        claims_table,
        counterexample_lines,
        gain_tables,
    )
    from qeframe.gaming.tables.finds import finds_table, recipe_lines

__all__ = [
    "Gamed",
    "attack_table",
    "audit_html",
    "audit_page",
    "audit_schema",
    "audit_summary",
    "audit_tables",
    "claims_table",
    "counterexample_lines",
    "finds_table",
    "gain_tables",
    "gamed_on_tasks",
    "recipe_lines",
    "write_audit",
]

_NAMES = {
    "qeframe.gaming.audit_folder": ["audit_html", "audit_page", "audit_schema", "write_audit"],
    "qeframe.gaming.gaming_gate": ["Gamed", "gamed_on_tasks"],
    "qeframe.gaming.tables.audits": [
        "attack_table",
        "audit_summary",
        "audit_tables",
        "claims_table",
        "counterexample_lines",
        "gain_tables",
    ],
    "qeframe.gaming.tables.finds": ["finds_table", "recipe_lines"],
}
__getattr__, __dir__ = lazy_names(__name__, _NAMES)
