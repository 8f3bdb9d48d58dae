"""What a gazette tells: the gazette/1 document, frozen when a round is closed."""

from __future__ import annotations

from datetime import datetime
from typing import Any, Literal
from uuid import UUID

import pydantic


class _Part(pydantic.BaseModel):
    model_config = pydantic.ConfigDict(frozen=True, extra="forbid")


class Side(_Part):
    """A company of a match. Without an emblem it has the one that its name gives."""

    name: str
    player: str
    colour: str
    emblem: str = ""
    has_won: bool = False


class UnitLoss(_Part):
    """A unit that a match cost its company. `how` follows its name: " (no Hits left)", " to WASP", or nothing."""

    unit: str
    company: str
    how: str


class ResultLine(_Part):
    """A match of the round. `look`, `mark` and `word` tell how it ended; figures are of attacker and defender."""

    match: UUID
    table: int
    attacker: Side
    defender: Side | None
    look: str
    mark: str
    word: str
    how: str
    scenario: str
    territory: str
    destroyed: tuple[int, int] | None  # units of the other side; None: nobody fought
    battle: UUID | None
    losses: tuple[UnitLoss, ...] = ()


class Upset(_Part):
    """The victory that was least to be expected: by the odds published before, or by the table before the round."""

    match: UUID
    winner: str
    loser: str
    by: Literal["odds", "table"]
    chance: float | None = None  # of the winner, 0 to 1
    battles: int | None = None  # that the odds were counted over
    points: tuple[int, int] | None = None  # season points of winner and loser before the round


class PilotLine(_Part):
    """What the round made of a pilot."""

    pilot: str
    company: str
    colour: str
    what: Literal["killed", "wounded", "promoted", "skill"]
    told: str


class AceLine(_Part):
    """The pilot with the most kills of the round, if nobody has as many; the unit is the one of his last kill."""

    pilot: str
    company: str
    colour: str
    kills: int
    emblem: str = ""
    unit: str = ""
    spec: dict[str, Any] | None = None  # of the unit as it was built when this edition was written


class MomentPart(_Part):
    """A step of a battle's replay, which is the round's picture."""

    battle: UUID
    match: UUID
    step: int
    says: str


class MedalLine(_Part):
    """A medal that the round brought: to a pilot, a unit or a company, and for what."""

    medal: str
    to: str
    company: str
    cause: str


class TableLine(_Part):
    """A company in the standings after the round. `moved`: places won (positive) or lost; None: was not in before."""

    place: int
    moved: int | None
    name: str
    player: str
    colour: str
    emblem: str = ""
    points: int
    gained: int  # in this round
    played: int
    won: int
    drawn: int
    lost: int
    destroyed: int
    units_lost: int
    territories: int
    is_in: bool


class Place(_Part):
    """A territory after the round; `taken` if it changed hands in it."""

    id: int
    position: int
    name: str
    holder: int | None
    holder_name: str
    colour: str
    emblem: str = ""  # of who holds it
    since: int | None
    neighbours: tuple[int, ...] = ()  # positions, where the organiser set the borders
    taken: bool


class Fixture(_Part):
    match: UUID
    table: int
    attacker: str
    defender: str | None
    scenario: str
    ground: str
    territory: str


class Fixtures(_Part):
    """What is played next."""

    round: int
    deadline: datetime | None
    matches: tuple[Fixture, ...]


class CupSideLine(_Part):
    """One side of a tie: a company, or a word for who is not known yet (without a colour)."""

    name: str
    colour: str
    has_won: bool


class CupTieLine(_Part):
    """A tie of the knock-out; `place` as in a heap: 1 the final, 0 the match for third place."""

    place: int
    stage: str
    sides: tuple[CupSideLine, CupSideLine]
    round: int | None
    winner: str
    how: str  # why that one goes on, where the result does not say it


class CupGroupLine(_Part):
    """A company in its group."""

    place: int
    name: str
    points: int
    advances: bool


class CupGroupPart(_Part):
    letter: str
    rows: tuple[CupGroupLine, ...]


class CupPart(_Part):
    """The campaign's cup after the round."""

    groups: tuple[CupGroupPart, ...]
    ties: tuple[CupTieLine, ...]  # from the first round to the final
    winner: str
    second: str
    third: str


class WarPart(_Part):
    """The campaign's war after the round: games won by attackers and by defenders, in the round's scenario and in all."""

    step: int  # from 1
    steps: int
    scenario: str
    won: tuple[int, int]
    stands: tuple[int, int]
    follows: str = ""  # the next scenario; empty after the last
    winner: Literal["attacker", "defender", "draw", ""] = ""  # once it is over


class GazetteDocument(_Part):
    """The gazette of a closed round."""

    muster: Literal["gazette/1"] = "gazette/1"
    campaign: str
    club: str
    round: int
    closed_at: datetime | None
    results: tuple[ResultLine, ...]
    upset: Upset | None
    pilots: tuple[PilotLine, ...]
    ace: AceLine | None = None
    moment: MomentPart | None = None
    medals: tuple[MedalLine, ...] = ()
    units_lost: int
    lost_word: str = "destroyed"  # what the rules call a lost unit
    standings: tuple[TableLine, ...]
    map_kind: str
    places: tuple[Place, ...]
    phase: str = ""  # that the round belongs to
    adjusted: tuple[str, ...] = ()  # a sentence of each ruling on a company since the round before
    income: tuple[str, ...] = ()  # what territories brought, a sentence each
    cup: CupPart | None = None
    war: WarPart | None = None
