"""Hex Core battles to display: squads of the book on their maps."""

from __future__ import annotations

from typing import Any

from systems.hex_core.catalogue import CATALOGUE


def document(
    squads: tuple[str, str] = ("line", "line"),
    mission: str | dict[str, Any] = "elimination",
    terrain: str = "broken-town",
) -> dict[str, Any]:
    """Return a set-up of two squads of the book."""
    sides = [
        {
            "name": name,
            "doctrine": doctrine,
            "units": [
                {"key": f"{letter}{at}", "design": slug}
                for at, slug in enumerate(CATALOGUE.squads[squad].units, start=1)
            ],
        }
        for letter, name, doctrine, squad in (
            ("a", "Olive", "aggressive", squads[0]),
            ("b", "Steel", "cautious", squads[1]),
        )
    ]
    return {"muster": "setup/1", "system": "hex-core", "scenario": mission, "terrain": terrain, "sides": sides}
