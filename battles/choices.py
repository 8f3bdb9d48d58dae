"""What can be chosen for a battle, as form choices: the rule system, and what it offers."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Generic, TypeVar

from django import forms
from django.utils.choices import BaseChoiceIterator

from rosters.site.choices import SystemChoice, offered
from systems import BATTLES, battle_rules
from systems.battle import BattleSystem
from systems.standing import StandingOrder

Choices = list[tuple[str, str]]
GroupedChoices = list[tuple[str, list[tuple[str, str]] | str]]
Played = str | Mapping[str, object]  # what stands for a scenario in a set-up document: a slug, or name and spec
MeantT = TypeVar("MeantT")
MAX_OFFERED = 20  # of a number, which has no end


class Offered(BaseChoiceIterator):
    """Choices of which many fields take the same: pairs by now, which no field needs to look through again."""

    def __init__(self, choices: Sequence[tuple[str, list[tuple[str, str]] | str]]) -> None:
        self._choices = choices
        self.shown = tuple((value, group if isinstance(group, str) else tuple(group)) for value, group in choices)

    def __iter__(self) -> Iterator[tuple[str, list[tuple[str, str]] | str]]:
        return iter(self._choices)

    def __len__(self) -> int:
        return len(self._choices)


@dataclass(frozen=True, slots=True)
class Known(Generic[MeantT]):
    """Something by what it says, so that answers about it can be kept."""

    said: str
    meant: MeantT = field(compare=False)


def offer(form: forms.Form, name: str, choices: GroupedChoices | Choices | Offered) -> None:
    """Lets the field offer these; where there is nothing to choose, the form has no such field."""
    if not choices:
        del form.fields[name]
        return
    asked = form.fields[name]
    assert isinstance(asked, forms.ChoiceField)
    asked.choices = choices


def default_system() -> str:
    """The slug of the system that a page shows if its URL names none."""
    return next(iter(BATTLES))


def system_asked(slug: str | None) -> str:
    """The system of that slug; the default one for a slug that there is not."""
    return slug if slug is not None and slug in BATTLES else default_system()


def systems_offered(here: str, fits: Callable[[BattleSystem], object] = lambda _: True) -> tuple[SystemChoice, ...]:
    """The systems to choose from, of those that fit; none where there is no choice."""
    return offered([slug for slug, system in BATTLES.items() if fits(system)], here)


def terrain_choices(system: str, scenario: Played | None = None) -> Choices:
    """The terrain to choose for a scenario, by default the one that is played where nobody chose; none where it prints its own."""
    rules = battle_rules(system)
    return list(rules.terrain_choices(rules.plain_scenario if scenario is None else scenario).items())


def support_choices(system: str) -> list[tuple[str, Choices]]:
    """The results of the support tables, table by table."""
    tables: dict[str, Choices] = {}
    for result in battle_rules(system).support_results.values():
        tables.setdefault(f"Table {result.table}", []).append((result.slug, result.name))
    return list(tables.items())


def standing_choices(orders: Sequence[StandingOrder]) -> GroupedChoices:
    """Every order with each of its values, phase by phase."""
    phases: dict[str, Choices] = {}
    for order in orders:
        values = order.choices or [
            (str(value), order.zero if value == 0 and order.zero else str(value))
            for value in range(min(order.most, MAX_OFFERED) + 1)
        ]
        lines = [(f"{order.name}:{value}", f"{order.label}: {label[:1].lower()}{label[1:]}") for value, label in values]
        phases.setdefault(order.phase, []).extend(lines)
    return [("", "nothing more"), *phases.items()]


@cache
def doctrine_choices(system: str) -> Offered:
    return Offered([*battle_rules(system).doctrines.items()])


def first_doctrines(system: str) -> tuple[str, str]:
    """The doctrines of a battle at one press, the attacker's first."""
    doctrines = list(battle_rules(system).doctrines)
    return doctrines[0], doctrines[min(1, len(doctrines) - 1)]


@cache
def crew_offered(system: str) -> tuple[Offered, Offered]:
    """Levels and skills, for the fields of many rows."""
    rules = battle_rules(system)
    return Offered([*rules.levels.items()]), Offered([*rules.skills.items()])


def crew(system: str, level: str = "", skills: Iterable[str] = ()) -> dict[str, object] | None:
    """The pilot of a set-up document; none where battles know no pilots."""
    rules = battle_rules(system)
    return {"experience": level or rules.plain_level, "skills": list(skills)} if rules.levels else None
