"""Names by chance, out of lists of our own; none that is taken already."""

from __future__ import annotations

import secrets
import tomllib
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from rosters.models import Company, Player

NAMES: Mapping[str, Mapping[str, Sequence[str]]] = tomllib.loads(
    (Path(__file__).parent / "names.toml").read_text(encoding="utf-8")
)
TRIES = 200  # of thousands of names; a company has at most some hundreds
Pick = Callable[[Sequence[str]], str]


@dataclass(frozen=True, slots=True)
class PilotName:
    name: str
    callsign: str


def pilot_name(company: Company, *, pick: Pick = secrets.choice) -> PilotName:
    """A name and a callsign that no pilot of the company has or had."""
    rows = list(company.pilots.values_list("name", "callsign"))
    lists = NAMES["pilots"]
    name = free(lambda: f"{pick(lists['given'])} {pick(lists['family'])}", [name for name, _ in rows])
    return PilotName(name, free(lambda: pick(lists["callsigns"]), [callsign for _, callsign in rows]))


def unit_name(company: Company, *, pick: Pick = secrets.choice) -> str:
    """A name that no unit of the company has or had."""
    return free(lambda: _two(NAMES["units"], pick), list(company.units.values_list("name", flat=True)))


def company_name(owner: Player, *, pick: Pick = secrets.choice) -> str:
    """A name that no company of the player's has."""
    return free(lambda: _two(NAMES["companies"], pick), list(owner.companies.values_list("name", flat=True)))


def free(roll: Callable[[], str], taken: Collection[str]) -> str:
    """The first name rolled that is not taken, however it is written; numbered where all that were rolled are."""
    used = {name.casefold() for name in taken}
    name = ""
    for _ in range(TRIES):
        name = roll()
        if name.casefold() not in used:
            return name
    return next(more for number in range(2, len(used) + 3) if (more := f"{name} {number}").casefold() not in used)


def _two(lists: Mapping[str, Sequence[str]], pick: Pick) -> str:
    return f"{pick(lists['first'])} {pick(lists['second'])}"
