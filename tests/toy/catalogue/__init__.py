"""The numbers of Toy Soldiers, by release and slug: UNITS are those of its first and only release."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from systems.catalogue import FIRST_RELEASE, Release, load_releases, raw_table, read_table, retired_by

FOLDER = Path(__file__).parent
REISSUED = FOLDER.parent / "reissued"  # with a second release, for tests of releases


@dataclass(frozen=True, slots=True, kw_only=True)
class Toy:
    """A kind of toy soldier."""

    slug: str
    name: str
    counter: str  # the silhouette that it is drawn as
    hits: int
    points: int


@dataclass(frozen=True, slots=True)
class Shelf:
    """A catalogue in all its releases."""

    releases: tuple[Release, ...]
    units: Mapping[str, Mapping[str, Toy]]  # by release and slug
    retired: Mapping[str, frozenset[str]]  # by release


@cache
def shelf_of(folder: Path) -> Shelf:
    releases = load_releases(folder)
    numbers = [each.number for each in releases]
    return Shelf(
        releases,
        {number: read_table(folder / "units.toml", raw_table(folder, "units", number), Toy) for number in numbers},
        {number: frozenset(slug for _, slug in retired_by(releases, number)) for number in numbers},
    )


UNITS = shelf_of(FOLDER).units[FIRST_RELEASE]
