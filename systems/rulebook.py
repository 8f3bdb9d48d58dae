"""A game's rules by ID, and its house rules: which there are, how they are read and described."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from types import MappingProxyType
from typing import Literal, NamedTuple

from systems.catalogue import CatalogueError, load_table
from systems.documents import DocumentError

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
    """A rule in our own words, shown to players beside its effects."""

    slug: str
    title: str
    kind: RuleKind
    status: RulingStatus
    source: str  # headings of the published rules, or "ours"
    text: str
    ours: str = ""  # Muster's own addition to a rule from the book, a sentence
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
    """A term of a game, its meaning, and its rule ID."""

    name: str
    text: str
    rule: str


def load_rulebook(path: Path) -> Mapping[str, RuleRef]:
    """Load rules by ID, in the order of the file, each with its rulings from `rulings.md` in the same folder."""
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
    """Return the rulings of a `rulings.md` by number; raises CatalogueError.

    An entry has the form `**12. Title (MM-001, MM-004 to MM-006).** Text.`, followed by the names of its tests, which
    are removed here. A heading ends the last entry of its section.
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
    """Return the IDs in a text such as `MM-001, MM-004 to MM-006`, in the order of the rulebook."""
    named: set[str] = set()
    for part in text.split(", "):
        ends = part.split(" to ")
        if unknown := [each for each in ends if each not in rule_ids]:
            raise CatalogueError("rulings.md", number, "rules", f"no rule {unknown[0]!r}")
        named |= set(rule_ids[rule_ids.index(ends[0]) : rule_ids.index(ends[-1]) + 1])
    return tuple(each for each in rule_ids if each in named)


@dataclass(frozen=True, slots=True, kw_only=True)
class HouseRule:
    """A house rule, for forms."""

    slug: str
    name: str
    kind: str  # "flag", "choice", "number"
    default: object
    effect: str
    choices: tuple[tuple[str, str], ...] = ()  # value and label; for a number: special values with a name, such as off
    minimum: int | None = None
    maximum: int | None = None

    def label_of(self, value: object) -> str:
        """Describe the value."""
        if self.kind == "flag":
            return "yes" if value else "no"
        return dict(self.choices).get(str(value), str(value))


@dataclass(frozen=True, slots=True, kw_only=True)
class HouseRuleEntry:
    """A house rule as an entry of a game's `options.toml`."""

    slug: str
    name: str
    kind: Literal["flag", "choice", "number"]
    default: object
    choices: tuple[str, ...] = ()
    labels: tuple[str, ...] = ()  # of the choices, in the same order
    minimum: int | None = None
    maximum: int | None = None
    effect: str


def house_rules_of(options: Mapping[str, HouseRuleEntry]) -> Mapping[str, HouseRule]:
    """Return the house rules of a game from its catalogue entries."""
    return MappingProxyType(
        {
            option.slug: HouseRule(
                slug=option.slug,
                name=option.name,
                kind=option.kind,
                default=option.default,
                effect=option.effect,
                choices=tuple(zip(option.choices, option.labels, strict=True)),
                minimum=option.minimum,
                maximum=option.maximum,
            )
            for option in options.values()
        }
    )


class ChosenRules:
    """A document's house rules, for a game that reads them into its own fields; missing ones are at their defaults.

    Raises DocumentError for an invalid value. Rules that the game doesn't know are refused elsewhere.
    """

    def __init__(self, rules: Mapping[str, HouseRule], given: Mapping[str, object]) -> None:
        self._values = {
            slug: house_rule_value(rule, given[slug], f"options.{slug}") if slug in given else rule.default
            for slug, rule in rules.items()
        }

    def flag(self, slug: str) -> bool:
        return bool(self._values[slug])

    def choice(self, slug: str) -> str:
        return str(self._values[slug])

    def number(self, slug: str) -> int:
        value = self._values[slug]
        assert isinstance(value, int)
        return value


@dataclass(frozen=True, slots=True)
class HouseRuleLine:
    """A house rule that is not at its default."""

    name: str
    value: str
    effect: str

    def __str__(self) -> str:
        return self.name if self.value == "yes" else f"{self.name}: {self.value}"


def describe_rules(rules: Mapping[str, HouseRule], options: Mapping[str, object]) -> tuple[HouseRuleLine, ...]:
    """Return the house rules in force, in the order of `rules`; without those at their defaults."""
    return tuple(
        HouseRuleLine(rule.name, rule.label_of(options[slug]), rule.effect)
        for slug, rule in rules.items()
        if slug in options and options[slug] != rule.default
    )


def house_rule_value(rule: HouseRule, value: object, path: str) -> object:
    """Return the value given for the rule; raises DocumentError for an invalid one."""
    if rule.kind == "flag":
        if not isinstance(value, bool):
            raise DocumentError(path, "must be true or false")
    elif rule.kind == "choice":
        allowed = [choice for choice, _ in rule.choices]
        if value not in allowed:
            raise DocumentError(path, f"must be one of {', '.join(allowed)}")
    elif isinstance(value, str) and value in (named := {label: int(choice) for choice, label in rule.choices}):
        return named[value]
    elif isinstance(value, bool) or not isinstance(value, int):
        raise DocumentError(path, "must be a whole number")
    elif rule.minimum is not None and value < rule.minimum:
        raise DocumentError(path, f"must be {rule.minimum} or more")
    elif rule.maximum is not None and value > rule.maximum:
        raise DocumentError(path, f"must be {rule.maximum} or less")
    return value
