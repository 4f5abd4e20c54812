"""The programs of the docs that compute their pages."""

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

DOCS = Path(__file__).parents[2] / "docs"


def loaded_study(name: str) -> ModuleType:
    """Return the program docs/studies/NAME.py as a module, which its classes find by its name."""
    spec = importlib.util.spec_from_file_location(f"study_of_{name}", DOCS / "studies" / f"{name}.py")
    study = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = study
    spec.loader.exec_module(study)
    return study
