"""List every text that a person reads, with its place: `python -m tests.tools.words [--warn] [--all] [paths]`.

Texts come from templates, from the Python of the apps, from README and docs, and from TOML data. Without options it
prints totals: texts, words, and the phrases of docs/writing.md that are banned or worth a second look. `--warn` lists
each of these, `--all` each text; `--update` shrinks tests/known_words.toml.
"""

from __future__ import annotations

import argparse
import re
import statistics
import sys
import tomllib
from collections import Counter
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from tests.tools.texts import clean, read_markdown, read_python, read_template, read_toml

ROOT = Path(__file__).resolve().parents[2]
RULES = ROOT / "docs" / "writing.md"
KNOWN = ROOT / "tests" / "known_words.toml"
BANNED, DOUBTFUL = "Phrases that are banned", "Phrases to look at twice"  # headings of docs/writing.md
APPS = ("battles", "campaigns", "config", "rosters", "systems")

WORD = re.compile(r"[^\W\d_][\w'’-]*")
SENTENCE = re.compile(r"[^.!?]*[.!?](?=\s|$)")
QUOTED = re.compile(  # the strings of a module, without docstrings of one or more lines
    r"""#[^\n]*|(?:\A|(?<=:\n))\s*"{3}.*?"{3}|("{3}.*?"{3}|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*')""", re.DOTALL
)


@dataclass(frozen=True)
class Text:
    """A text with its place; variables are shown as {…}, the alternatives of `else` after a slash."""

    path: str
    line: int
    text: str


def files() -> list[Path]:
    """Return the files that hold texts."""
    found = [*(ROOT / "templates").rglob("*.html"), *(ROOT / "templates").rglob("*.txt"), ROOT / "README.md"]
    found += [path for path in (ROOT / "docs").rglob("*.md") if "decisions" not in path.parts]
    for app in APPS:
        found += [path for kind in ("*.py", "*.html", "*.toml") for path in (ROOT / app).rglob(kind)]
    return sorted(path for path in found if not {"migrations", "versions.toml", "pyproject.toml"} & set(path.parts))


def describes_api(path: Path, source: str) -> bool:
    """Return whether docstrings of a module are texts: the API's description takes them."""
    return "api" in str(path.relative_to(ROOT)) and "rest_framework" in source


def texts_of(path: Path) -> list[Text]:
    """Return the texts of a file."""
    source, name = path.read_text(encoding="utf-8"), str(path.relative_to(ROOT))
    if path.suffix == ".py":
        found = read_python(source, is_api=describes_api(path, source))
    else:
        found = {".md": read_markdown, ".toml": read_toml}.get(path.suffix, read_template)(source)
    return [Text(name, line, text) for line, raw in found if WORD.search(text := clean(raw))]


@cache
def phrases(heading: str) -> tuple[re.Pattern[str], list[tuple[str, str]]]:
    """Return one pattern for all phrases below a heading of docs/writing.md, and what to say instead of each."""
    section = RULES.read_text(encoding="utf-8").split(f"## {heading}\n")[1].split("\n## ")[0]
    instead: dict[str, str] = {}
    for row in section.split("\n\n", 2)[-1].splitlines():
        say = row.split("|")[1].strip() if row.startswith("|") else ""
        instead |= dict.fromkeys(re.findall(r"`([^`]+)`", row), say)
    longest = sorted(instead, key=len, reverse=True)
    parts = [re.escape(each).replace(r"\*", r"\w*").replace(r"\ ", r"\s+").replace("'", "['’]") for each in longest]
    pattern = "|".join(f"({part})" for part in parts)
    return re.compile(rf"\b(?:{pattern})\b", re.IGNORECASE), [(each, instead[each]) for each in longest]


def hits(text: str, heading: str) -> list[tuple[str, str]]:
    """Return the phrases in a text, each with what to say instead."""
    pattern, replacements = phrases(heading)
    return [replacements[(match.lastindex or 1) - 1] for match in pattern.finditer(text)]


def banned_counts() -> dict[str, int]:
    """Return how many banned phrases each file has."""
    found = {}
    for path in files():
        if may_have_banned(path) and (count := sum(len(hits(text.text, BANNED)) for text in texts_of(path))):
            found[str(path.relative_to(ROOT))] = count
    return found


def may_have_banned(path: Path) -> bool:
    """Return whether a file has all words of a banned phrase, which is much faster than to parse it."""
    source = path.read_text(encoding="utf-8")
    if path.suffix == ".py" and not describes_api(path, source):
        source = " ".join(QUOTED.findall(source))
    words = set(re.findall(r"\w+", source.lower()))
    return any(words.issuperset(re.findall(r"(?<![\w*])\w+(?![\w*])", phrase)) for phrase, _ in phrases(BANNED)[1])


def known_counts() -> dict[str, int]:
    """Return how many banned phrases each file may still have."""
    return tomllib.loads(KNOWN.read_text(encoding="utf-8"))["banned"]


def changes(counts: dict[str, int], known: dict[str, int]) -> tuple[dict[str, int], dict[str, int]]:
    """Return the files with more banned phrases than known, and those with fewer, each with its present number."""
    now = {path: counts.get(path, 0) for path in sorted({*counts, *known})}
    more = {path: count for path, count in now.items() if count > known.get(path, 0)}
    return more, {path: count for path, count in now.items() if count < known.get(path, 0)}


def shrunk(counts: dict[str, int], known: dict[str, int]) -> str:
    """Return the list of known banned phrases as TOML, with the present numbers where these are lower."""
    left = {path: min(count, known[path]) for path, count in sorted(counts.items()) if path in known}
    lines = [
        "# Banned phrases (docs/writing.md) still in each file. `make words ARGS=--update` shrinks it.",
        "",
        "[banned]",
    ]
    return "\n".join([*lines, *(f'"{path}" = {count}' for path, count in left.items())]) + "\n"


def update() -> int:
    """Shrink the list; print the files that have more banned phrases than it allows, and return 1 if there are any."""
    counts, known = banned_counts(), known_counts()
    KNOWN.write_text(shrunk(counts, known), encoding="utf-8")
    more, _ = changes(counts, known)
    for path, count in more.items():
        print(f"{path} has {count} banned phrases, {known.get(path, 0)} are known: change its texts")
    return 1 if more else 0


def summary(texts: list[Text]) -> str:
    """Return the totals: texts, words, the length of sentences that end as such, and phrases by number."""
    lengths = [len(WORD.findall(each)) for text in texts for each in SENTENCE.findall(text.text)]
    lines = [
        f"{len(texts):6} texts",
        f"{sum(len(WORD.findall(text.text)) for text in texts):6} words",
        f"{statistics.median(lengths or [0]):6.0f} words in the median sentence, of {len(lengths)}",
    ]
    for heading in (BANNED, DOUBTFUL):
        count = Counter(hit for text in texts for hit in hits(text.text, heading))
        lines += ["", f"{count.total():6} {heading[0].lower()}{heading[1:]}"]
        lines += [f"{number:6}   {phrase}{say and f' (say {say})'}" for (phrase, say), number in count.most_common()]
    return "\n".join(lines)


def main() -> int:
    """Print what the options ask for; return 1 if a file has more banned phrases than known."""
    parser = argparse.ArgumentParser(prog="make words", description="List every text that a person reads.")
    parser.add_argument("paths", nargs="*", help="files or folders; without any, the whole project")
    parser.add_argument("--warn", action="store_true", help="list each banned or doubtful phrase with its place")
    parser.add_argument("--all", action="store_true", help="list each text with its place")
    parser.add_argument("--update", action="store_true", help="shrink tests/known_words.toml")
    options = parser.parse_args()
    if options.update:
        return update()
    wanted = [Path(path).resolve() for path in options.paths] or [ROOT]
    paths = [path for path in files() if any(path.is_relative_to(each) for each in wanted)]
    texts = [text for path in paths for text in texts_of(path)]
    for text in texts:
        place = f"{text.path}:{text.line}:"
        if options.all:
            print(place, text.text)
        if options.warn:
            for phrase, say in hits(text.text, BANNED):
                print(f"{place} say “{say}”, not “{phrase}”: {text.text}")
            for phrase, _ in hits(text.text, DOUBTFUL):
                print(f"{place} look at “{phrase}”: {text.text}")
    print(summary(texts))
    return 0


if __name__ == "__main__":
    sys.exit(main())
