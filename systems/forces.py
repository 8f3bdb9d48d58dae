"""Ready-made forces as a system's folder lists them: `forces.toml`, one table a force, the slug as key."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any


def load_forces(folder: Path) -> Mapping[str, Mapping[str, Any]]:
    """The entries of `forces.toml` in that folder: `name`, `units` and, where pilots matter, `pilots`."""
    with (folder / "forces.toml").open("rb") as file:
        return tomllib.load(file)
