"""The content of a gazette: the gazette/1 document, frozen when a round is closed."""

from __future__ import annotations

from datetime import datetime
from typing import Any, Literal
from uuid import UUID

import pydantic


class _FrozenModel(pydantic.BaseModel):
    model_config = pydantic.ConfigDict(frozen=True, extra="forbid")


class Side(_FrozenModel):
    """A company of a match. Without an emblem it has the one derived from its name."""

    name: str
    player: str
    colour: str
    emblem: str = ""
    has_won: bool = False


class UnitLoss(_FrozenModel):
    """A unit lost in a match. `how` follows its name: " (no Hits left)", " to WASP", or nothing."""

    unit: str
    company: str
    how: str


class ResultLine(_FrozenModel):
    """A match of the round. `look`, `mark` and `word` say how it ended; pairs of numbers are attacker and defender."""

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
    destroyed: tuple[int, int] | None  # units of the other side; None: not fought
    battle: UUID | None
    losses: tuple[UnitLoss, ...] = ()


class Upset(_FrozenModel):
    """The most surprising victory, by the odds published before or by the table before the round."""

    match: UUID
    winner: str
    loser: str
    by: Literal["odds", "table"]
    chance: float | None = None  # of the winner, 0 to 1
    battles: int | None = None  # simulated for the odds
    points: tuple[int, int] | None = None  # season points of winner and loser before the round


class PilotLine(_FrozenModel):
    """What happened to a pilot in the round."""

    pilot: str
    company: str
    colour: str
    what: Literal["killed", "wounded", "promoted", "skill"]
    told: str


class AceLine(_FrozenModel):
    """The pilot with the most kills of the round, unless tied. The unit is the one of their last kill."""

    pilot: str
    company: str
    colour: str
    kills: int
    emblem: str = ""
    unit: str = ""
    spec: dict[str, Any] | None = None  # of the unit when this edition was written


class MomentPart(_FrozenModel):
    """A step of a battle's replay: the picture of the round."""

    battle: UUID
    match: UUID
    step: int
    says: str


class MedalLine(_FrozenModel):
    """A medal awarded in the round to a pilot, a unit or a company, and why."""

    medal: str
    to: str
    company: str
    cause: str


class TableLine(_FrozenModel):
    """A company in the standings after the round.

    `moved`: places gained (positive) or lost; None: it wasn't in before.
    """

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


class Place(_FrozenModel):
    """A territory after the round. `taken`: it changed hands in the round."""

    id: int
    position: int
    name: str
    holder: int | None
    holder_name: str
    colour: str
    emblem: str = ""  # of the holder
    since: int | None
    neighbours: tuple[int, ...] = ()  # positions, if the organiser set the borders
    taken: bool


class Fixture(_FrozenModel):
    match: UUID
    table: int
    attacker: str
    defender: str | None
    scenario: str
    ground: str
    territory: str


class Fixtures(_FrozenModel):
    """The fixtures of the next round."""

    round: int
    deadline: datetime | None
    matches: tuple[Fixture, ...]


class CupSideLine(_FrozenModel):
    """One side of a tie: a company, or a placeholder for one not known yet (without a colour)."""

    name: str
    colour: str
    has_won: bool


class CupTieLine(_FrozenModel):
    """A tie of the knock-out. `place` is numbered as in a heap: 1 is the final, 0 the match for third place."""

    place: int
    stage: str
    sides: tuple[CupSideLine, CupSideLine]
    round: int | None
    winner: str
    how: str  # why the winner advances, if the result doesn't explain it


class CupGroupLine(_FrozenModel):
    """A company in its group."""

    place: int
    name: str
    points: int
    advances: bool


class CupGroupPart(_FrozenModel):
    letter: str
    rows: tuple[CupGroupLine, ...]


class CupPart(_FrozenModel):
    """The campaign's cup after the round."""

    groups: tuple[CupGroupPart, ...]
    ties: tuple[CupTieLine, ...]  # from the first round to the final
    winner: str
    second: str
    third: str


class StorylinePart(_FrozenModel):
    """The campaign's war after the round.

    Pairs are games won by attackers and defenders: in the scenario, and in total.
    """

    step: int  # from 1
    steps: int
    scenario: str
    won: tuple[int, int]
    stands: tuple[int, int]
    follows: str = ""  # the next scenario; empty after the last
    winner: Literal["attacker", "defender", "draw", ""] = ""  # once it has ended


class GazetteDocument(_FrozenModel):
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
    lost_word: str = "destroyed"  # the rules' word for a lost unit
    standings: tuple[TableLine, ...]
    map_kind: str
    places: tuple[Place, ...]
    phase: str = ""  # the round's phase
    adjusted: tuple[str, ...] = ()  # a sentence per ruling on a company since the previous round
    income: tuple[str, ...] = ()  # a sentence for each territory's yield
    cup: CupPart | None = None
    war: StorylinePart | None = None
