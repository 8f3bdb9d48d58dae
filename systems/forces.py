"""Ready-made forces as a system's folder lists them: `forces.toml`, one table per force, the slug as key."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import NotRequired, TypedDict


class ReadyForce(TypedDict):
    name: str
    units: list[str]  # published designs
    pilots: NotRequired[list[str]]  # levels, where pilots matter


def load_forces(folder: Path) -> Mapping[str, ReadyForce]:
    """Return the entries of `forces.toml` in that folder."""
    with (folder / "forces.toml").open("rb") as file:
        forces: Mapping[str, ReadyForce] = tomllib.load(file)
    return forces
