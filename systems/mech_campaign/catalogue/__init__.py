"""CATALOGUE: the numbers of Mech Campaign, one TOML file per table in chapter 2 of the ledger."""

import dataclasses
from pathlib import Path
from typing import Any, get_args, get_type_hints

from systems.catalogue import load_releases, load_table

from .types import Catalogue

FOLDER = Path(__file__).parent
RELEASES = load_releases(FOLDER)  # rows keep the catalogue version under which they were bought


def load_catalogue(folder: Path = FOLDER) -> Catalogue:
    """Return a folder's catalogue: `unit_kinds.toml` for the field `unit_kinds`, and so on."""
    hints = get_type_hints(Catalogue)
    tables: dict[str, Any] = {}
    for field in dataclasses.fields(Catalogue):
        _, kind = get_args(hints[field.name])
        tables[field.name] = load_table(folder / f"{field.name}.toml", kind)
    return Catalogue(**tables)


CATALOGUE = load_catalogue()
