"""CATALOGUE: the numbers of Meks & Mercs, one TOML file per rulebook table. CATALOGUES: the same for every release."""

import dataclasses
from pathlib import Path
from types import MappingProxyType
from typing import Any, get_args, get_type_hints

from systems.catalogue import FIRST_RELEASE, load_releases, raw_table, read_table, retired_by

from .types import Catalogue

FOLDER = Path(__file__).parent
RELEASES = load_releases(FOLDER)  # stored units keep the release in which they were bought


def load_catalogue(folder: Path = FOLDER, release: str = FIRST_RELEASE) -> Catalogue:
    """Return a folder's catalogue in a release: `chassis.toml` for the field `chassis`, and so on."""
    hints = get_type_hints(Catalogue)
    tables: dict[str, Any] = {}
    for field in dataclasses.fields(Catalogue):
        _, kind = get_args(hints[field.name])
        raw = raw_table(folder, field.name, release)
        tables[field.name] = read_table(folder / f"{field.name}.toml", raw, kind)
    return Catalogue(**tables)


CATALOGUES = MappingProxyType({each.number: load_catalogue(release=each.number) for each in RELEASES})
CATALOGUE = CATALOGUES[FIRST_RELEASE]  # for what no release changes; a build uses its own release's catalogue
RETIRED = MappingProxyType({each.number: retired_by(RELEASES, each.number) for each in RELEASES})
