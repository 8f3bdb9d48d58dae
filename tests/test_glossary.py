"""Names follow docs/glossary.md: one word for one thing."""

import ast
import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest
from django.apps import apps

ROOT = Path(__file__).parents[1]
MADE_BY_OPERATORS = {"deploy/compose.env"}
APPS = ("battles", "campaigns", "config", "deploy", "rosters", "systems")

GLOSSARY = ROOT / "docs" / "glossary.md"

PUBLIC = ("api.py", "serializers.py")  # their classes and fields name the parts of the API's description
GAME_WORDS = {"marked"}  # a unit that commandos mark
QUEUED = {"premiere_run", "premieres"}  # tasks, whose names are in queues and in the schedule
KEPT = {  # names that can't change, each with the reason
    "Letter": "a letter of the alphabet",
    "ClubRestore.told": "a column",
    "PairOdds.counted": "a column",
    "Adjusted.told": "a key of stored JSON",
    "Tried.told": "a key of stored JSON",
    "HandicapOffer.told": "a key of stored JSON",
    "PilotLine.told": "a key of stored gazettes",
    "ArchivePerson.shown": "a key of archives",
}
KEPT_CLASSES = {  # CSS classes whose words mean something else here
    "marked": "a ticked box on paper",
    "is-marked": "a ticked box",
    "is-off": "a unit off the table, a phone that is offline",
    "plate": "an armour plate in a drawing",
    "chit__plate": "an armour plate in a drawing",
    "chit__arcs": "arcs of fire",
    "piece__letter": "a letter of the alphabet",
    "spot__letter": "a letter of the alphabet",
    "building__wall": "the wall of a building",
}


def rows(heading):
    """Return the cells of the glossary's table below a heading, without its header."""
    section = GLOSSARY.read_text().split(f"## {heading}\n")[1].split("\n## ")[0]
    lines = [line for line in section.splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[2:]]


def banned(heading):
    """Yield patterns of banned names, each with the name to use; `*` stands for any letters."""
    for names, instead in rows(heading):
        for name in re.findall(r"`([^`]+)`", names):
            yield re.compile(re.escape(name).replace(r"\*", r"\w+")), instead


@dataclass(frozen=True)
class SourceNames:
    """The names in a module: what it defines; its routes; its fields, parameters and variables as `owner.name`."""

    defined: set[str]
    routes: set[str]
    variables: set[str]


@cache
def source_names(path):
    """Return the names in a module, which is walked once."""
    found = SourceNames(set(), set(), set())
    waiting = [(ast.parse(path.read_text()), "")]
    while waiting:
        node, owner = waiting.pop()
        for child in ast.iter_child_nodes(node):
            inner = owner
            if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
                inner = child.name
                found.defined.add(child.name)
            elif isinstance(child, ast.Assign | ast.AnnAssign):
                found.defined.update(constants_in(child))
            elif isinstance(child, ast.Call):
                found.routes.update(route_names_in(child))
            elif isinstance(child, ast.arg) or (isinstance(child, ast.Name) and isinstance(child.ctx, ast.Store)):
                name = child.arg if isinstance(child, ast.arg) else child.id
                found.variables.add(f"{owner}.{name}" if owner else name)
            if not isinstance(child, ast.Constant | ast.expr_context | ast.operator):
                waiting.append((child, inner))
    return found


def constants_in(node):
    """Yield the constants that a statement assigns."""
    for target in node.targets if isinstance(node, ast.Assign) else [node.target]:
        yield from (each.id for each in ast.walk(target) if isinstance(each, ast.Name) and each.id.isupper())


def route_names_in(call):
    """Yield the name of the route that a call makes."""
    if getattr(call.func, "id", "") in ("path", "re_path"):
        for each in call.keywords:
            if each.arg == "name" and isinstance(each.value, ast.Constant):
                yield each.value.value.removeprefix("api-").replace("-", "_")


def modules():
    """Yield the path parts of the apps' modules, without migrations and commands, which use the operator's words."""
    for app in APPS:
        for path in sorted((ROOT / app).rglob("*.py")):
            parts = path.relative_to(ROOT).with_suffix("").parts
            if not {"migrations", "commands"} & set(parts):
                yield parts


def is_public(path):
    """Return whether the names of a module are parts of the API's description."""
    return path.name in PUBLIC or "api" in path.relative_to(ROOT).parts


def names_by_file():
    """Yield each source file with its names and those of its URLs; of tests, only the names of helpers."""
    for folder in (*APPS, "tests", "benchmarks"):
        for path in sorted((ROOT / folder).rglob("*.py")):
            if "migrations" in path.parts or is_public(path):
                continue
            found = source_names(path)
            names = {name for name in found.defined if not name.startswith("test_")} - QUEUED
            yield path, names | (found.routes if path.name == "urls.py" else set())
    for path in sorted((ROOT / "static" / "js").glob("*.js")):
        yield path, set(re.findall(r"\bconst ([A-Z][A-Z_]+) =", path.read_text()))


def variables_by_file():
    """Yield each source file with its fields, parameters and variables."""
    for folder in (*APPS, "tests", "benchmarks"):
        for path in sorted((ROOT / folder).rglob("*.py")):
            if "migrations" not in path.parts and not is_public(path):
                yield path, source_names(path).variables


def css_classes_by_file():
    """Yield each style sheet with its classes."""
    for path in sorted((ROOT / "static" / "css").glob("*.css")):
        text = re.sub(r"/\*.*?\*/", "", path.read_text(), flags=re.DOTALL)
        selectors = re.findall(r"([^{}]*)\{", text)
        yield path, {name for each in selectors for name in re.findall(r"\.([a-zA-Z][\w-]*)", each)}


def css_parts(name):
    """Return the class with underscores for dashes, its block, element and modifier, and the adjective after "is"."""
    parts = {part.replace("-", "_") for part in (name, *re.split(r"__|--", name))}
    return parts | {part.removeprefix("is_") for part in parts}


def any_of(patterns):
    """Return one pattern for all banned names: most names match none."""
    return re.compile("|".join(f"(?:{pattern.pattern})" for pattern, _ in patterns))


def wrong_names(heading, found, parts=lambda name: {name}, kept=()):
    """Return a message for each name that is banned or has a banned part; `kept` are the exceptions."""
    patterns = list(banned(heading))
    quick = any_of(patterns)
    return [
        f"{path}: {name} is called {instead}"
        for path, names in found
        for name in sorted(names.difference(kept))
        if any(map(quick.fullmatch, parts(name)))
        for pattern, instead in patterns
        if any(pattern.fullmatch(part) for part in parts(name))
    ]


@pytest.mark.slow
def test_no_name_is_banned_by_the_glossary():
    found = list(names_by_file())
    assert sum(path.suffix == ".js" and bool(names) for path, names in found) > 5
    assert wrong_names("Names in the code", [("x.py", {"MATCHES_MOST"})]), "the glossary has names to check"
    assert wrong_names("Names in the code", found) == []


def test_no_variable_name_is_banned_by_the_glossary():
    found = list(variables_by_file())
    assert sum(len(names) for _, names in found) > 10_000

    def parts(name):
        return {name.rpartition(".")[2]} - GAME_WORDS

    assert wrong_names("Names in the code", [("x.py", {"f.lines_told"})], parts), "the table is read"
    assert wrong_names("Names in the code", found, parts, KEPT) == []


def test_no_model_field_is_banned_by_the_glossary():
    own = [model for model in apps.get_models() if model._meta.app_label in APPS]
    found = [(model._meta.label, {field.name for field in model._meta.get_fields()}) for model in own]
    assert len(found) > 50
    assert wrong_names("Names of model fields", [("battles.Battle", {"at", "created_at"})]), "the table is read"
    assert wrong_names("Names of model fields", found) == []


def test_no_css_class_is_banned_by_the_glossary():
    found = list(css_classes_by_file())
    assert sum(len(names) for _, names in found) > 1_000
    for wrong in ("table--told", "is-told", "premiere__clock", "unit-figure__told", "fame-nav"):
        assert wrong_names("Names in the code", [("x.css", {wrong})], css_parts), "the table is read"
    assert wrong_names("Names in the code", found, css_parts, KEPT_CLASSES) == []
    assert wrong_names("Names of CSS classes", found, css_parts, KEPT_CLASSES) == []


def test_no_style_sheet_or_script_is_named_as_a_banned_module():
    found = [
        (path, {path.stem})
        for folder in ("css", "js")
        for path in sorted((ROOT / "static" / folder).glob(f"*.{folder}"))
    ]

    def words(name):
        return set(name.split("-"))

    assert wrong_names("Names of modules", [("x.css", {"campaigns-past"})], words), "the table is read"
    assert wrong_names("Names of modules", found, words) == []


def test_no_module_name_is_banned_by_the_glossary():
    found = [
        ("/".join(parts), {*parts[1:], *(word for part in parts for word in part.split("_"))}) for parts in modules()
    ]
    assert wrong_names("Names of modules", [("x.py", {"getters"})]), "the glossary has names to check"
    assert wrong_names("Names of modules", found) == []


def test_glossary_words_are_unique_and_sorted():
    words = [word.casefold() for word, _ in rows("What things are called")]
    assert len(words) > 50
    assert words == sorted(set(words))


def test_selectors_and_services_are_one_module_or_folder_each():
    second = re.compile(r"(\w+_)(selectors|services|hooks)|(selectors|services|hooks)_\w+")
    assert ["/".join(parts) for parts in modules() if any(second.fullmatch(part) for part in parts)] == []


def test_modules_named_in_the_docs_exist():
    pages = [ROOT / "CONTRIBUTING.md", ROOT / "docs" / "architecture.md", ROOT / "docs" / "adding-a-system.md"]
    named = {(page.name, name) for page in pages for name in re.findall(r"`(\w+\.py)`", page.read_text())}
    known = {path.name for folder in (*APPS, "tests", "benchmarks") for path in (ROOT / folder).rglob("*.py")}
    assert len(named) > 15
    assert {(page, name) for page, name in named if name not in known} == set()


def test_files_named_in_the_docs_exist():
    pages = [*(ROOT / "docs").rglob("*.md"), ROOT / "CONTRIBUTING.md", ROOT / "README.md"]
    named = {
        (page.name, path)
        for page in pages
        for path in re.findall(rf"`((?:{'|'.join(APPS)}|tests)/[\w/.-]+)`", page.read_text())
        if path not in MADE_BY_OPERATORS
    }
    assert len(named) > 30
    assert {(page, path) for page, path in named if not (ROOT / path).exists()} == set()
