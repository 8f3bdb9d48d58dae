"""A system's rules by ID: text, source, and Muster's rulings where the book leaves them open."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal, NamedTuple

from systems.catalogue import CatalogueError, load_table

RuleKind = Literal["build", "battle", "campaign", "doctrine", "table-only"]
RulingStatus = Literal["done", "planned", "table-only"]

OURS = "ours"  # the source of a rule that isn't from a book
RULE_ID = re.compile(r"[A-Z]{2}-[A-Z]{0,2}\d{2,3}")
RULING = re.compile(r"\*\*(?P<number>\d+)\. (?P<head>[^*]+)\*\*(?P<text>[^*]+)", re.DOTALL)
TESTS = re.compile(r"([,;]?\s*`[\w/]+\.py(::\w+)?`)+[.\s]*$")  # tests of a ruling, at the end of its entry


@dataclass(frozen=True, slots=True, kw_only=True)
class Ruling:
    """A ruling: how Muster reads its `rules` where the book leaves them open."""

    number: int
    title: str
    rules: tuple[str, ...]  # IDs
    text: str

    @property
    def heading(self) -> str:
        return f"Ruling {self.number}: {self.title}{'' if self.title.endswith('?') else '.'}"


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleRef:
    """A rule in our own words; players see its text beside its effects."""

    slug: str
    title: str
    kind: RuleKind
    status: RulingStatus
    source: str  # headings of the published rules, or "ours"
    text: str
    ours: str = ""  # Muster's own part of a rule from the book: a sentence
    rulings: tuple[Ruling, ...] = ()  # from rulings.md, by number

    @property
    def id(self) -> str:
        return self.slug

    @property
    def is_ours(self) -> bool:
        return self.source == OURS

    @property
    def origin(self) -> str:
        """Describe where the rule comes from."""
        if self.is_ours:
            return "Muster’s own rule"
        return f"The book: {self.source}" + (f". Muster’s own: {self.ours}" if self.ours else "")


class GlossaryEntry(NamedTuple):
    """A word of a game, what it means, and the ID of its rule."""

    name: str
    text: str
    rule: str


def load_rulebook(path: Path) -> Mapping[str, RuleRef]:
    """Load rules by ID, in the order of the file, each with its rulings from the rulings.md beside it."""
    rules = load_table(path, RuleRef)
    for rule in rules.values():
        if not RULE_ID.fullmatch(rule.id):
            raise CatalogueError(path.name, rule.id, "", "a rule ID looks like MM-001")
        if (rule.kind == "table-only") != (rule.status == "table-only"):
            raise CatalogueError(path.name, rule.id, "status", "table-only is both a kind and a status, or neither")
        if rule.is_ours and rule.ours:
            raise CatalogueError(path.name, rule.id, "ours", "all of a rule without a book is ours")
    beside = path.with_name("rulings.md")
    if not beside.exists():
        return rules
    rulings = read_rulings(beside.read_text(encoding="utf-8"), tuple(rules))
    return {
        rule.id: replace(rule, rulings=tuple(ruling for ruling in rulings if rule.id in ruling.rules))
        for rule in rules.values()
    }


def read_rulings(text: str, rule_ids: tuple[str, ...]) -> tuple[Ruling, ...]:
    """Return the rulings of a rulings.md by number; raises CatalogueError.

    An entry is `**12. Title (MM-001, MM-004 to MM-006).** Text.`, and ends with the names of its tests, which are left
    out here. A heading ends the last entry of its section.
    """
    entries = re.split(r"\n(?=\*\*\d+\. |#)", text)
    rulings = [_ruling(entry, rule_ids) for entry in entries if entry.startswith("**")]
    numbers = [ruling.number for ruling in rulings]
    if twice := sorted({number for number in numbers if numbers.count(number) > 1}):
        raise CatalogueError("rulings.md", str(twice[0]), "", "two rulings have this number")
    return tuple(sorted(rulings, key=lambda ruling: ruling.number))


def _ruling(entry: str, rule_ids: tuple[str, ...]) -> Ruling:
    found = RULING.fullmatch(TESTS.sub("", entry.strip()))
    if found is None:
        raise CatalogueError("rulings.md", entry[:40], "", "a ruling looks like **1. Title (MM-001).** Text.")
    number, head, text = found["number"], found["head"], found["text"].lstrip(".?")
    in_brackets = re.search(r" \(([^()]*)\)", head)
    rules = _ids(number, in_brackets[1] if in_brackets else "", rule_ids)
    if not rules:
        raise CatalogueError("rulings.md", number, "rules", "names no rule")
    if ".py" in text or "::" in text:
        raise CatalogueError("rulings.md", number, "text", "tests are named at the end")
    mark = "?" if found["text"].startswith("?") else ""
    title = head.replace(in_brackets[0] if in_brackets else "", "").removesuffix(".") + mark
    return Ruling(number=int(number), title=title, rules=rules, text=" ".join(text.replace("`", "").split()))


def _ids(number: str, text: str, rule_ids: tuple[str, ...]) -> tuple[str, ...]:
    """Return the IDs of `MM-001, MM-004 to MM-006`, in the order of the rulebook."""
    named: set[str] = set()
    for part in text.split(", "):
        ends = part.split(" to ")
        if unknown := [each for each in ends if each not in rule_ids]:
            raise CatalogueError("rulings.md", number, "rules", f"no rule {unknown[0]!r}")
        named |= set(rule_ids[rule_ids.index(ends[0]) : rule_ids.index(ends[-1]) + 1])
    return tuple(each for each in rule_ids if each in named)
