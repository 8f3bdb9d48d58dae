"""The texts that name and describe a pilot: identity, not rules. Pure.

Forms, API, ledger and cards take their texts from `PilotIdentity`. What else a new one needs: "Add a field" in CONTRIBUTING.md.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import KW_ONLY, MISSING, dataclass, field, fields
from typing import Any

from systems.text import full_name


@dataclass(frozen=True, slots=True)
class PilotIdentity:
    """A pilot's texts. Those with a default are optional and may be empty; lengths are in characters."""

    name: str = field(metadata={"max_length": 60})
    _: KW_ONLY
    callsign: str = field(default="", metadata={"max_length": 30})

    @property
    def full_name(self) -> str:
        """The name with the callsign."""
        return full_name(self.name, self.callsign)


@dataclass(frozen=True, slots=True)
class PilotText:
    """What a text of a pilot may hold."""

    label: str
    max_length: int
    is_required: bool


PILOT_TEXTS: Mapping[str, PilotText] = {
    each.name: PilotText(
        label=each.name.replace("_", " ").capitalize(),
        max_length=each.metadata["max_length"],
        is_required=each.default is MISSING,
    )
    for each in fields(PilotIdentity)
}


def texts_of_pilot(pilot: object) -> dict[str, Any]:
    """Return the texts of anything that has them as attributes: a row, a record, a document."""
    return {name: getattr(pilot, name) for name in PILOT_TEXTS}


def recorded_texts(facts: Mapping[str, Any]) -> dict[str, Any]:
    """Return the texts in the facts of a ledger entry; older entries lack those that came later."""
    return {name: facts[name] for name, text in PILOT_TEXTS.items() if text.is_required or name in facts}
