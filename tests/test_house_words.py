"""One word for one thing: names follow docs/glossary.md."""

import ast
import re
from pathlib import Path

ROOT = Path(__file__).parents[1]
MADE_BY_OPERATORS = {"deploy/compose.env"}
APPS = ("battles", "campaigns", "config", "deploy", "rosters", "systems")

GLOSSARY = ROOT / "docs" / "glossary.md"


def rows(heading):
    """The cells of the glossary's table below a heading, without its head."""
    section = GLOSSARY.read_text().split(f"## {heading}\n")[1].split("\n## ")[0]
    lines = [line for line in section.splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[2:]]


def banned():
    """Patterns of names that nothing may have -> what it is called in their place; `*` is anything before or after."""
    for names, instead in rows("Names in the code"):
        for name in re.findall(r"`([^`]+)`", names):
            yield re.compile(re.escape(name).replace(r"\*", r"\w+")), instead


def names_of(path):
    """The names that a module gives: functions, classes, constants."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            yield node.name
        elif isinstance(node, ast.Assign | ast.AnnAssign):
            for target in node.targets if isinstance(node, ast.Assign) else [node.target]:
                yield from (each.id for each in ast.walk(target) if isinstance(each, ast.Name) and each.id.isupper())


def modules():
    """The modules, without migrations and commands: those use the operator's words."""
    for app in APPS:
        for path in sorted((ROOT / app).rglob("*.py")):
            parts = path.relative_to(ROOT).with_suffix("").parts
            if not {"migrations", "commands"} & set(parts):
                yield parts


def test_no_name_is_one_that_the_glossary_bans():
    patterns, found = list(banned()), list(modules())
    assert ("rosters", "selectors") in found
    assert len(patterns) > 20
    wrong = []
    for parts in found:
        path = ROOT.joinpath(*parts).with_suffix(".py")
        names = {*names_of(path), *parts[1:], *(word for part in parts for word in part.split("_"))}
        wrong += [
            f"{'/'.join(parts)}.py: {name} is called {instead}"
            for name in sorted(names)
            for pattern, instead in patterns
            if pattern.fullmatch(name)
        ]
    assert wrong == []


def test_each_word_of_the_glossary_has_one_meaning():
    words = [word for word, _ in rows("What things are called")]
    assert len(words) > 50
    assert len(set(words)) == len(words)


def test_what_reads_and_what_changes_lie_in_one_module_or_folder_of_their_room():
    second = re.compile(r"(\w+_)(selectors|services|hooks)|(selectors|services|hooks)_\w+")
    assert ["/".join(parts) for parts in modules() if any(second.fullmatch(part) for part in parts)] == []


def test_files_that_the_docs_name_are_there():
    pages = [*(ROOT / "docs").rglob("*.md"), ROOT / "CONTRIBUTING.md", ROOT / "README.md"]
    named = {
        (page.name, path)
        for page in pages
        for path in re.findall(rf"`((?:{'|'.join(APPS)}|tests)/[\w/.-]+)`", page.read_text())
        if path not in MADE_BY_OPERATORS
    }
    assert len(named) > 30
    assert {(page, path) for page, path in named if not (ROOT / path).exists()} == set()
