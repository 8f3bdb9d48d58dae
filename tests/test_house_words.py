"""One word for one thing: what modules are called, so that who looks for a thing looks in one place."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[1]
MADE_BY_OPERATORS = {"deploy/compose.env"}
APPS = ("battles", "campaigns", "config", "deploy", "rosters", "systems")

# Words that names of modules don't have -> the word that they have instead.
WORDS = {
    "afterwards callback callbacks listener listeners registry signal signals": "hooks",
    "common helper helpers lib misc shared stuff tool tools util utils": "the task it does",
    "dump dumps export exports exporter": "document: what goes out, and comes in again",
    "finders getters queries query reads": "selectors: what is read",
    "handlers managers mutations writes": "services: what is changed",
    "past": "corrections, of decided matches; imports, of results from elsewhere",
    "permissions rights": "policy: who may see and change what",
    "presenters serializers": "api: what programs are given",
    "controllers screens": "views: what people are given",
    "exceptions": "refusals",
}
INSTEAD = {word: instead for words, instead in WORDS.items() for word in words.split()}


def modules():
    """The modules of the house, less migrations and commands: those have the operator's words."""
    for app in APPS:
        for path in sorted((ROOT / app).rglob("*.py")):
            parts = path.relative_to(ROOT).with_suffix("").parts
            if not {"migrations", "commands"} & set(parts):
                yield parts


def test_names_of_modules_have_one_word_for_one_thing():
    found = list(modules())
    assert ("rosters", "selectors") in found
    wrong = {
        f"{'/'.join(parts)}.py: not {word!r} but {INSTEAD[word]}"
        for parts in found
        for part in parts
        for word in part.split("_")
        if word in INSTEAD
    }
    assert wrong == set()


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
