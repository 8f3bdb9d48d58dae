"""The rules of a system, named: what an ID stands for, and whether Muster carries it out."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from systems.catalogue import CatalogueError, load_table

Kind = Literal["build", "battle", "campaign", "doctrine", "table-only"]
Status = Literal["done", "planned", "table-only"]


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleRef:
    """A rule in our own words; its text is shown to players beside what it caused."""

    slug: str
    title: str
    kind: Kind
    status: Status
    source: str  # lines of the published rules, or "ours"
    text: str

    @property
    def id(self) -> str:
        return self.slug


def load_rulebook(path: Path) -> Mapping[str, RuleRef]:
    """Rules by ID, in the order of the file."""
    rules = load_table(path, RuleRef)
    for rule in rules.values():
        if not re.fullmatch(r"[A-Z]{2}-[A-Z]{0,2}\d{2,3}", rule.id):
            raise CatalogueError(path.name, rule.id, "", "a rule ID looks like MM-001")
        if (rule.kind == "table-only") != (rule.status == "table-only"):
            raise CatalogueError(path.name, rule.id, "status", "table-only is both a kind and a status, or neither")
    return rules
