"""Write the table of docs/hooks.md from the hooks in the code: `python -m tests.tools.hooks`."""

import os
import re
from functools import cache
from pathlib import Path

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
django.setup()

import battles.hooks  # noqa: E402
import campaigns.hooks  # noqa: E402
import rosters.hooks  # noqa: E402
from rosters.hooks import HOOKS  # noqa: E402

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "hooks.md"
HOMES = (rosters.hooks, battles.hooks, campaigns.hooks)
OWN = {Path(home.__file__) for home in HOMES}


def signature(name):
    return next(home.__annotations__[name] for home in HOMES if name in home.__annotations__)


@cache
def texts():
    """Return the text of each module of the apps, without the modules that declare hooks."""
    return {
        ".".join(path.relative_to(ROOT).with_suffix("").parts): path.read_text()
        for app in ("battles", "campaigns", "config", "rosters")
        for path in sorted((ROOT / app).rglob("*.py"))
        if path not in OWN
    }


def modules_with(word, pattern):
    """Return the modules whose text contains the word and matches the pattern."""
    looked_for = re.compile(pattern)
    return [module for module, text in texts().items() if word in text and looked_for.search(text)]


def askers(name):
    """Return the modules that iterate over the hook, or call a function of its module that does."""
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
        "| hook | when it is called, and what it returns or does | type | called in | connected by |",
        "|---|---|---|---|---|",
    ]
    for name, hook in HOOKS.items():
        kind = signature(name).removeprefix("Hook[").removesuffix("]").replace("|", "\\|")
        callers = ", ".join(f"`{module}`" for module in askers(name))
        lines.append(f"| `{name}` | {hook.about} | `{kind}` | {callers} | {', '.join(answerers(name))} |")
    return lines


def with_table(page: str) -> str:
    """Return the page with its only table replaced by the current one."""
    lines = page.splitlines()
    drawn = [at for at, line in enumerate(lines) if line.startswith("|")]
    return "\n".join([*lines[: drawn[0]], *table(), *lines[drawn[-1] + 1 :]]) + "\n"


if __name__ == "__main__":
    PAGE.write_text(with_table(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
