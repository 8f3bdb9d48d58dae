"""Hooks: what higher apps connect to lower ones, and the table of them in the docs."""

import re
from functools import cache
from pathlib import Path

import pytest

import battles.hooks
import campaigns.hooks
import rosters.hooks
from rosters.hooks import HOOKS, Hook

ROOT = Path(__file__).parents[1]
TABLE = ROOT / "docs" / "hooks.md"
HOMES = (rosters.hooks, battles.hooks, campaigns.hooks)
OWN = {Path(home.__file__) for home in HOMES}


@pytest.fixture
def hook():
    yield Hook("of-a-test", "by a test")
    del HOOKS["of-a-test"]


def test_function_connected_twice_is_called_once(hook):
    hook.connect(len, sum)
    hook.connect(len)
    assert list(hook) == [len, sum]


def test_no_two_hooks_share_a_name(hook):
    with pytest.raises(AssertionError, match="two hooks of-a-test"):
        Hook("of-a-test", "by another one")


def signature(name):
    return next(home.__annotations__[name] for home in HOMES if name in home.__annotations__)


@cache
def texts():
    """Return the text of each module of the apps, except those that declare hooks."""
    return {
        ".".join(path.relative_to(ROOT).with_suffix("").parts): path.read_text()
        for app in ("battles", "campaigns", "config", "rosters")
        for path in sorted((ROOT / app).rglob("*.py"))
        if path not in OWN
    }


def modules_with(word, pattern):
    """Return modules whose text has the word in the given pattern."""
    looked_for = re.compile(pattern)
    return [module for module, text in texts().items() if word in text and looked_for.search(text)]


def askers(name):
    """Return modules that iterate over the hook, or call its home's function that does."""
    found = {*modules_with(f"hooks.{name}", rf"(?<!`)\bhooks\.{name}\b(?!\.connect)")}
    for home in HOMES:
        text = Path(home.__file__).read_text()
        for function, body in re.findall(r"^def (\w+)\(.*?:\n((?:    .*\n|\n)+)", text, flags=re.MULTILINE):
            if re.search(rf"\bin {name}\b", body):
                found |= {*modules_with(f"{function}(", rf"\b{function}\(")}
    return [module for module in texts() if module in found]


def answerers(name):
    word = f"hooks.{name}.connect"
    return [module.split(".")[0] for module in modules_with(word, rf"{re.escape(word)}\b")]


def table():
    lines = [
        "| hook | when it is asked, and for what | what is connected | asked in | answered by |",
        "|---|---|---|---|---|",
    ]
    for name, hook in HOOKS.items():
        kind = signature(name).removeprefix("Hook[").removesuffix("]").replace("|", "\\|")
        asked = ", ".join(f"`{module}`" for module in askers(name))
        lines.append(f"| `{name}` | {hook.about} | `{kind}` | {asked} | {', '.join(answerers(name))} |")
    return lines


def test_every_hook_has_a_caller_and_a_listener():
    assert len(HOOKS) > 15
    silent = [name for name in HOOKS if not askers(name) or not answerers(name)]
    assert not silent, f"nobody asks these hooks, or nobody answers: {', '.join(silent)}"
    assert all(len(hook) for hook in HOOKS.values())


def test_table_in_the_docs_matches_the_code():
    drawn = [line for line in TABLE.read_text().splitlines() if line.startswith("|")]
    assert drawn == table(), "\n".join(["docs/hooks.md should hold:", *table()])
