"""House rules: what players may change about a game, how it is read, and how it is described."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal

from systems.documents import DocumentError


@dataclass(frozen=True, slots=True, kw_only=True)
class HouseRule:
    """A house rule, as a form offers it."""

    slug: str
    name: str
    kind: str  # "flag", "choice", "number"
    default: object
    effect: str
    choices: tuple[tuple[str, str], ...] = ()  # value and label; of a number: values with a name, such as off
    minimum: int | None = None
    maximum: int | None = None

    def label_of(self, value: object) -> str:
        """Describe the value."""
        if self.kind == "flag":
            return "yes" if value else "no"
        return dict(self.choices).get(str(value), str(value))


@dataclass(frozen=True, slots=True, kw_only=True)
class HouseRuleEntry:
    """A house rule as a line of a game's `options.toml` has it."""

    slug: str
    name: str
    kind: Literal["flag", "choice", "number"]
    default: object
    choices: tuple[str, ...] = ()
    labels: tuple[str, ...] = ()  # of the choices, in their order
    minimum: int | None = None
    maximum: int | None = None
    effect: str


def house_rules_of(options: Mapping[str, HouseRuleEntry]) -> Mapping[str, HouseRule]:
    """Return the house rules of a game from the entries of its catalogue."""
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
    """House rules of a document, for a game that reads them into fields of its own; the others at their defaults.

    Raises DocumentError for a value that a rule can't have. Rules that the game doesn't know are refused elsewhere.
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
    """Return the house rules in force, in the order of `rules`; those at their defaults are left out."""
    return tuple(
        HouseRuleLine(rule.name, rule.label_of(options[slug]), rule.effect)
        for slug, rule in rules.items()
        if slug in options and options[slug] != rule.default
    )


def house_rule_value(rule: HouseRule, value: object, path: str) -> object:
    """Return the value given for the rule; raises DocumentError for one that it can't have."""
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
