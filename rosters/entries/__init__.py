"""The kinds of entries that all games share, and the lookup of any kind, including those of games. Pure."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from rosters.entries import company, games, pilots, rulings, units
from systems import GAMES
from systems.ledger import Kind

SHARED: dict[str, Kind] = {
    kind.slug: kind()
    for kind in (
        company.Founded,
        units.Bought,
        units.Sold,
        pilots.Hired,
        pilots.Retired,
        units.Assigned,
        company.Renamed,
        company.Changed,
        company.ReleaseAdopted,
        company.Disbanded,
        games.Fought,
        games.Kill,
        units.Damaged,
        units.Destroyed,
        pilots.Wounded,
        pilots.Died,
        pilots.SkillGained,
        pilots.Promoted,
        pilots.Unhurt,
        pilots.Recovered,
        pilots.SkillRolled,
        pilots.Experience,
        games.Returned,
        games.Game,
        units.Repaired,
        units.Refitted,
        company.Adjusted,
        company.TerritoryIncome,
        company.Reversed,
        rulings.Taken,
        rulings.Restored,
        rulings.Reinstated,
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
    """Return the names of the kinds that match."""
    return [kind.slug for kind in every_kind() if are(kind)]


def kind_choices() -> list[tuple[str, str]]:
    """Return name and label of each kind, for a model field's choices."""
    return [(kind.slug, kind.label) for kind in every_kind()]
