"""The code of an emblem: five letters for shield, division, charge, tincture of the field, tincture of the charge."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from systems.paper.emblems.charges import CHARGES
from systems.paper.emblems.divisions import DIVISIONS
from systems.paper.emblems.shields import SHIELDS
from systems.paper.emblems.tinctures import DARK, LIGHT, TINCTURES

CODE_LENGTH = 5
CODE_PARTS: Sequence[tuple[str, Mapping[str, object]]] = (
    ("shield", SHIELDS),
    ("division", DIVISIONS),
    ("charge", CHARGES),
    ("field", TINCTURES),
    ("other", TINCTURES),
)


class EmblemError(ValueError):
    """Raised for an invalid code; the message is a sentence for the player."""


@dataclass(frozen=True, slots=True)
class Emblem:
    """An emblem, each part by its letter. One of the tinctures is light and one is dark."""

    shield: str
    division: str
    charge: str
    field: str
    other: str

    @property
    def code(self) -> str:
        return self.shield + self.division + self.charge + self.field + self.other

    @property
    def said(self) -> str:
        """The emblem in words, for screen readers."""
        lies = TINCTURES[self.other].name.lower()
        parted = DIVISIONS[self.division].name.lower()
        divided = f", {parted}" if parted != "plain" else ""
        return (
            f"{CHARGES[self.charge].name.lower()} in {lies} on a {TINCTURES[self.field].name.lower()} "
            f"{SHIELDS[self.shield].name.lower()}{divided}"
        )


def read_emblem(code: str) -> Emblem:
    """Return the emblem of that code; raises EmblemError."""
    if len(code) != CODE_LENGTH:
        raise EmblemError(f"must be {CODE_LENGTH} letters long.")
    for letter, (part, known) in zip(code, CODE_PARTS, strict=True):
        if letter not in known:
            raise EmblemError(f"knows no {part} “{letter}”.")
    made = Emblem(*code)
    if TINCTURES[made.field].is_light == TINCTURES[made.other].is_light:
        raise EmblemError("needs one light and one dark colour, or nobody sees what is on it.")
    return made


def random_emblem(words: str) -> Emblem:
    """Return an emblem derived from these words: always the same, and different words mostly give another."""
    number = int.from_bytes(hashlib.sha256(words.encode()).digest(), "big")
    chosen: list[str] = []
    for letters in (tuple(SHIELDS), tuple(DIVISIONS), tuple(CHARGES), DARK, LIGHT):
        number, at = divmod(number, len(letters))
        chosen.append(letters[at])
    shield, division, charge, dark, light = chosen
    field, other = (dark, light) if number % 2 else (light, dark)
    return Emblem(shield, division, charge, field, other)
