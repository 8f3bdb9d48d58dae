"""Updates of WeasyPrint: its internals that we use still exist, and only one module uses them."""

from __future__ import annotations

import ast
import inspect
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from rosters.paper import weasyprint_inside
from rosters.paper.weasyprint_inside import USED

ROOT = Path(__file__).resolve().parents[3]
PROMISED = {"text.fonts.FontConfiguration"}  # by its documentation
APPS = ("rosters", "battles", "campaigns", "systems", "config")


def taken(file: Path) -> set[str]:
    """Return the names of WeasyPrint internals that a file uses."""
    text = file.read_text(encoding="utf-8")
    if "weasyprint." not in text:
        return set()
    imports = [node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.ImportFrom)]
    inside = [node for node in imports if (node.module or "").startswith("weasyprint.")]
    return {f"{node.module.partition('.')[2]}.{name.name}" for node in inside for name in node.names}


def named(name: str) -> Any:
    parts = name.split(".")
    for cut in range(len(parts), 0, -1):
        try:
            found = import_module(".".join(["weasyprint", *parts[:cut]]))
        except ModuleNotFoundError:
            continue
        for part in parts[cut:]:
            found = getattr(found, part)
        return found
    raise ModuleNotFoundError(name)


@pytest.mark.parametrize(("name", "parameters"), USED.items(), ids=USED)
def test_weasyprint_still_has_the_internals_we_use(name: str, parameters: str):
    found = named(name)
    if parameters:
        assert set(parameters.split()) <= set(inspect.signature(found).parameters)


def test_only_one_module_uses_weasyprint_internals():
    own = Path(weasyprint_inside.__file__)
    files = [path for app in APPS for path in (ROOT / app).rglob("*.py") if path != own]
    assert len(files) > 100
    assert {name for path in files for name in taken(path)} <= PROMISED


def test_module_lists_every_used_internal():
    methods = {name for name in USED if name.startswith("pdf.stream.Stream.")}
    assert taken(Path(weasyprint_inside.__file__)) == USED.keys() - methods
