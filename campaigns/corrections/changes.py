"""The changes that a correction makes, as pages and the API show them. No database access."""

from __future__ import annotations

from dataclasses import asdict, dataclass

from campaigns.standings.table import TableRow
from systems.ledger import CompanyRecord, PilotRecord, UnitRecord
from systems.roster import RosterSystem

Rules = RosterSystem[object, object]


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """One value of a company, pilot or unit, before and after."""

    of: str  # "company", "pilot" or "unit"
    id: int
    name: str
    what: str
    before: str
    after: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CompanyEffects:
    """The effects on one company. `spent`: its purchases and sales since the match, so that no loss is hidden."""

    id: int
    name: str
    balance_before: int
    balance_after: int
    entries: int  # number of entries that are written
    changes: tuple[Change, ...]
    spent: tuple[str, ...]
    notes: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class LaterMatch:
    """A later game that the correction affects."""

    key: str  # of its match; empty if it isn't a match of a campaign
    title: str
    text: str
    is_flagged: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class StandingChange:
    """A company's line in the standings, before and after."""

    name: str
    place_before: int
    place_after: int
    points_before: int
    points_after: int


@dataclass(frozen=True, slots=True, kw_only=True)
class CorrectionPreview:
    """Everything that a correction would do. `refusal`: why it isn't possible; `token`: identifies the state used."""

    match: str
    mode: str
    outcome_before: str
    outcome_after: str
    refusal: str = ""
    companies: tuple[CompanyEffects, ...] = ()
    later: tuple[LaterMatch, ...] = ()
    standings: tuple[StandingChange, ...] = ()
    territory: tuple[str, str, str] | None = None  # name, holder before, holder after
    war: tuple[str, ...] = ()  # changes in the campaign story, as sentences
    season: tuple[str, ...] = ()  # changes in the season over several games, as sentences
    advances: tuple[str, ...] = ()  # changes in the cup, as sentences
    token: str = ""

    def to_json(self) -> dict[str, object]:
        """Return the preview as JSON values."""
        return asdict(self)


def record_changes(name: str, pk: int, before: CompanyRecord, after: CompanyRecord, rules: Rules) -> tuple[Change, ...]:
    """Return every value that differs: the company's, then pilot by pilot, then unit by unit."""
    found = _differences("company", pk, name, _company(before), _company(after))
    for key, pilot in after.pilots.items():
        found += _differences("pilot", key, pilot.name, _pilot(before.pilots[key], rules), _pilot(pilot, rules))
    for key, unit in after.units.items():
        found += _differences(
            "unit", key, unit.name, _unit(before.units[key], before, rules), _unit(unit, after, rules)
        )
    return tuple(found)


def table_changes(before: tuple[TableRow, ...], after: tuple[TableRow, ...]) -> tuple[StandingChange, ...]:
    """Return the lines of the standings that differ, in their new order. A company that hasn't played has place 0."""
    old, new = ({row.entrant: row for row in rows} for rows in (before, after))
    changes = [
        StandingChange(
            name=row.name,
            place_before=old[entrant].place if entrant in old else 0,
            place_after=new[entrant].place if entrant in new else 0,
            points_before=old[entrant].points if entrant in old else 0,
            points_after=new[entrant].points if entrant in new else 0,
        )
        for entrant, row in {**new, **old}.items()
    ]
    return tuple(
        each for each in changes if (each.place_before, each.points_before) != (each.place_after, each.points_after)
    )


def _differences(of: str, pk: int, name: str, before: dict[str, str], after: dict[str, str]) -> list[Change]:
    return [
        Change(of=of, id=pk, name=name, what=what, before=before[what], after=after[what])
        for what in after
        if before[what] != after[what]
    ]


def _company(record: CompanyRecord) -> dict[str, str]:
    return {
        "Balance": str(record.balance),
        "Owed to the house": str(record.debt),
        "Games won, drawn, lost": f"{record.won}, {record.drawn}, {record.lost}",
        "Season points": str(record.season_points),
    }


def _pilot(pilot: PilotRecord, rules: Rules) -> dict[str, str]:
    return {
        "Status": pilot.status,
        "Level": rules.level_names.get(pilot.experience, pilot.experience),
        "Kills": str(pilot.kills),
        "Games": str(pilot.games),
        "Wounds": str(pilot.wounds),
        "Experience": str(pilot.points),
        "Skills": ", ".join(rules.skill_names.get(skill, skill) for skill in pilot.skills) or "none",
        "Skills to choose": str(len(pilot.pending)),
    }


def _unit(unit: UnitRecord, record: CompanyRecord, rules: Rules) -> dict[str, str]:
    pilot = record.pilots[unit.pilot].name if unit.pilot is not None else "nobody"
    return {
        "Status": unit.status,
        "Damage": rules.describe_condition(unit.condition) or "none",
        "Pilot": pilot,
        "Games": str(unit.games),
        "Kills": str(unit.kills),
    }
