"""House rules in words. Knows no database."""

from collections.abc import Mapping
from dataclasses import dataclass

from rosters.systems import get_system


@dataclass(frozen=True, slots=True)
class HouseRuleLine:
    """A house rule that is not at its default."""

    name: str
    value: str
    effect: str

    def __str__(self) -> str:
        return self.name if self.value == "yes" else f"{self.name}: {self.value}"


def house_rules_told(system: str, options: Mapping[str, object]) -> tuple[HouseRuleLine, ...]:
    """The house rules in force, in the order of the catalogue; those at their defaults are left out."""
    return tuple(
        HouseRuleLine(rule.name, rule.label_of(options[slug]), rule.effect)
        for slug, rule in get_system(system).house_rules.items()
        if slug in options and options[slug] != rule.default
    )
