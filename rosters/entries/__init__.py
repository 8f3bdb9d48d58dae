"""The kinds of ledger entries that all games share, and functions to find any kind. This package uses no database."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from rosters.entries import company, units_and_pilots
from systems import GAMES
from systems.ledger import Kind

SHARED: dict[str, Kind] = {
    kind.slug: kind()
    for kind in (
        company.Founded,
        units_and_pilots.Bought,
        units_and_pilots.Sold,
        units_and_pilots.Hired,
        units_and_pilots.Retired,
        units_and_pilots.Assigned,
        company.Renamed,
        company.Changed,
        company.ReleaseAdopted,
        company.Disbanded,
        company.Fought,
        company.Kill,
        units_and_pilots.Damaged,
        units_and_pilots.Destroyed,
        units_and_pilots.Wounded,
        units_and_pilots.Died,
        units_and_pilots.SkillGained,
        units_and_pilots.Promoted,
        units_and_pilots.Unhurt,
        units_and_pilots.Recovered,
        units_and_pilots.SkillRolled,
        units_and_pilots.Experience,
        company.Returned,
        company.Game,
        units_and_pilots.Repaired,
        units_and_pilots.Refitted,
        company.Adjusted,
        company.TerritoryIncome,
        company.Reversed,
        company.Taken,
        company.Restored,
        company.Reinstated,
    )
}


def every_kind() -> Iterator[Kind]:
    """Yield all kinds: the shared ones, then those of games."""
    yield from SHARED.values()
    for game in GAMES.values():
        yield from game.ledger


def kind_of(slug: str) -> Kind | None:
    """Return the kind with that name; None if there is none."""
    return SHARED.get(slug) or next((kind for kind in every_kind() if kind.slug == slug), None)


def kinds_that(are: Callable[[Kind], bool]) -> list[str]:
    """Return the names of the kinds for which `are` is true."""
    return [kind.slug for kind in every_kind() if are(kind)]


def kind_choices() -> list[tuple[str, str]]:
    """Return the name and label of each kind, as choices of a model field."""
    return [(kind.slug, kind.label) for kind in every_kind()]
