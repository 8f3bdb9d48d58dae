"""UNITS: the numbers of Toy Soldiers, by slug."""

from dataclasses import dataclass
from pathlib import Path

from systems.catalogue import load_table

RELEASE = "1"  # goes up with any change of a number


@dataclass(frozen=True, slots=True, kw_only=True)
class Toy:
    """A kind of toy soldier."""

    slug: str
    name: str
    counter: str  # the silhouette that it is drawn as
    hits: int
    points: int


UNITS = load_table(Path(__file__).parent / "units.toml", Toy)
