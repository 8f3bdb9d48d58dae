"""Picks random names from our own lists, and fills them into forms that have a button for it.

When that button is pressed, the form isn't saved, but shown again with the name filled in.
"""

from __future__ import annotations

import secrets
import tomllib
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from django.http import HttpRequest, QueryDict

from rosters.models import Company, Player

NAMES: Mapping[str, Mapping[str, Sequence[str]]] = tomllib.loads(
    (Path(__file__).parent / "random_names.toml").read_text(encoding="utf-8")
)
TRIES = 200  # there are thousands of names, and a company has a few hundred at most
Pick = Callable[[Sequence[str]], str]


@dataclass(frozen=True, slots=True)
class PilotName:
    name: str
    callsign: str


def pilot_name(company: Company, *, pick: Pick = secrets.choice) -> PilotName:
    """Return a random name and callsign that no pilot of the company has or had."""
    rows = list(company.pilots.values_list("name", "callsign"))
    lists = NAMES["pilots"]
    name = find_free_name(lambda: f"{pick(lists['given'])} {pick(lists['family'])}", [name for name, _ in rows])
    return PilotName(name, find_free_name(lambda: pick(lists["callsigns"]), [callsign for _, callsign in rows]))


def unit_name(company: Company, *, pick: Pick = secrets.choice) -> str:
    """Return a random name that no unit of the company has or had."""
    return find_free_name(lambda: _two(NAMES["units"], pick), list(company.units.values_list("name", flat=True)))


def company_name(owner: Player, *, pick: Pick = secrets.choice) -> str:
    """Return a random name that none of the player's companies has."""
    return find_free_name(lambda: _two(NAMES["companies"], pick), list(owner.companies.values_list("name", flat=True)))


def find_free_name(roll: Callable[[], str], taken: Collection[str]) -> str:
    """Return the first rolled name that isn't taken, ignoring case; after TRIES, a name with a number."""
    used = {name.casefold() for name in taken}
    name = ""
    for _ in range(TRIES):
        name = roll()
        if name.casefold() not in used:
            return name
    return next(more for number in range(2, len(used) + 3) if (more := f"{name} {number}").casefold() not in used)


def _two(lists: Mapping[str, Sequence[str]], pick: Pick) -> str:
    return f"{pick(lists['first'])} {pick(lists['second'])}"


BUTTON = "roll"


def wants_random_name(request: HttpRequest) -> bool:
    """Return whether the button for a random name was pressed; the form must then do nothing else."""
    return request.method == "POST" and BUTTON in request.POST


def with_names(sent: QueryDict, prefix: str = "", **rolled: str) -> QueryDict:
    """Return the submitted fields with these names filled in."""
    fields = sent.copy()
    for name, value in rolled.items():
        fields[f"{prefix}-{name}" if prefix else name] = value
    return fields
