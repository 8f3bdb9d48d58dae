"""Gazettes for pages, paper and feed."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from uuid import UUID

from django.db.models import BigIntegerField, Exists, OuterRef, Q, QuerySet, TextField, Value
from django.db.models.fields.json import KeyTextTransform, KeyTransform
from django.db.models.functions import Cast, Coalesce

from campaigns.cups.drawing import BracketDrawing, Entry, Spot, draw_bracket
from campaigns.gazette.document import CupPart, Fixtures, GazetteDocument, PilotLine
from campaigns.gazette.prose import story
from campaigns.models import Campaign, Correction, Gazette, Match
from campaigns.standings.selectors import TerritoryRow
from campaigns.territories.drawing import MapDrawing, map_drawing
from rosters.database.queries import PreparedQuery, columns

PILOT_HEADS = {
    "killed": "Killed in action",
    "wounded": "Wounded",
    "promoted": "Promoted",
    "skill": "Skills",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class PilotsRow:
    """Pilots of a company with the same news."""

    pilots: str
    company: str
    news: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PilotGroup:
    """Pilots with the same fate."""

    what: str
    head: str
    lines: tuple[PilotsRow, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class GazetteSheet:
    """An edition of a gazette with its headline and lead."""

    number: int
    edition: int
    at: datetime
    headline: str
    lead: str
    content: GazetteDocument
    fixtures: Fixtures | None
    pilots: tuple[PilotGroup, ...]
    drawing: MapDrawing | None
    taken: tuple[str, ...]  # territories that changed hands, in words
    story: tuple[str, ...]  # the round in sentences
    bracket: BracketDrawing | None


@dataclass(frozen=True, slots=True, kw_only=True)
class GazetteRow:
    """A round's newest edition in lists and in the feed."""

    number: int
    edition: int
    at: datetime
    headline: str
    lead: str
    leader: str = ""  # first in the table after the round; empty before anybody has a point
    emblem: str = ""  # of the leader


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """A match that was decided or corrected after an edition was written."""

    match: UUID
    name: str
    round: int
    is_correction: bool


def gazette_sheet(gazette: Gazette) -> GazetteSheet:
    """Build the page of an edition. The row comes with its round. No query."""
    content = GazetteDocument.model_validate(gazette.content)
    places = [TerritoryRow(**place.model_dump(exclude={"taken"})) for place in content.places]
    return GazetteSheet(
        number=content.round,
        edition=gazette.edition,
        at=gazette.published_at,
        headline=gazette.headline,
        lead=gazette.lead,
        content=content,
        fixtures=Fixtures.model_validate(gazette.fixtures) if gazette.fixtures else None,
        pilots=tuple(
            PilotGroup(what=what, head=head, lines=lines)
            for what, head in PILOT_HEADS.items()
            if (lines := _merge_pilots(line for line in content.pilots if line.what == what))
        ),
        drawing=map_drawing(content.map_kind, places) if places else None,
        taken=tuple(f"{place.name} to {place.holder_name}" for place in content.places if place.taken),
        story=story(content),
        bracket=_bracket(content.cup) if content.cup else None,
    )


def _bracket(cup: CupPart) -> BracketDrawing:
    spots = [
        Spot(
            place=tie.place,
            stage=tie.stage,
            entries=tuple(
                Entry(name=side.name, colour=side.colour, has_won=side.has_won, is_known=bool(side.colour))
                for side in tie.sides
            ),
        )
        for tie in cup.ties
    ]
    return draw_bracket(spots)


def _merge_pilots(lines: Iterable[PilotLine]) -> tuple[PilotsRow, ...]:
    """Merge the pilots of a company with the same news into one line."""
    found: dict[tuple[str, str], list[str]] = {}
    for line in lines:
        found.setdefault((line.company, line.told), []).append(line.pilot)
    return tuple(
        PilotsRow(pilots=", ".join(pilots), company=company, news=news) for (company, news), pilots in found.items()
    )


def gazette_rows(campaign: Campaign, *, most: int | None = None) -> tuple[GazetteRow, ...]:
    """Return the newest edition of each closed round, newest round first. One query."""
    return tuple(_newest(most).rows(campaign=campaign.pk))


@cache
def _newest(most: int | None) -> PreparedQuery[GazetteRow]:
    """Return the query for the newest editions of at most that many rounds. Only what the lists need is read."""

    def rows(campaign: int) -> QuerySet[Gazette, tuple[object, ...]]:
        later = Gazette.objects.filter(round=OuterRef("round"), edition__gt=OuterRef("edition"))
        newest = Gazette.objects.filter(~Exists(later), round__campaign=campaign).order_by("-round__number")
        first = KeyTransform(0, KeyTransform("standings", "content"))
        leader = {
            name: Coalesce(KeyTextTransform(name, first), Value(""), output_field=TextField())
            for name in ("name", "emblem", "points")
        }
        newest = newest.annotate(**{f"leader_{name}": value for name, value in leader.items()})
        return newest.values_list(
            *columns(
                _line,
                number="round__number",
                at="published_at",
                name="leader_name",
                emblem="leader_emblem",
                points="leader_points",
            )
        )[:most]

    return PreparedQuery(rows, _line, campaign=int)


def _line(
    number: int, edition: int, at: datetime, headline: str, lead: str, name: str, emblem: str, points: str
) -> GazetteRow:
    has_points = str(points) not in ("", "0")  # SQLite returns a number here
    return GazetteRow(
        number=number,
        edition=edition,
        at=at,
        headline=headline,
        lead=lead,
        leader=name if has_points else "",
        emblem=emblem if has_points else "",
    )


def changes_since(gazette: Gazette) -> tuple[Change, ...]:
    """Return the matches up to this round that were decided or corrected after the edition was written. One query."""
    rows = CHANGED.rows(campaign=gazette.round.campaign_id, number=gazette.round.number, at=gazette.published_at)
    return tuple(
        Change(match=row.key, name=str(row), round=row.round.number, is_correction=row.is_corrected)  # type: ignore[attr-defined]
        for row in rows
    )


def editions_of(campaign: Campaign, number: int) -> list[Gazette]:
    """Return all editions of a round's gazette, newest first."""
    return EDITIONS.rows(campaign=campaign.pk, number=number)


def _as_bigint(path: str) -> Cast:
    """Cast a round's number to the integer width of the parameter in a compiled query."""
    return Cast(path, BigIntegerField())


def _editions(campaign: int, number: int) -> QuerySet[Gazette]:
    rows = Gazette.objects.annotate(of=_as_bigint("round__number")).filter(round__campaign=campaign, of=number)
    return rows.select_related("round")


def _changed(campaign: int, number: int, at: datetime) -> QuerySet[Match]:
    corrections = Correction.objects.filter(match=OuterRef("pk"), ruling__decided_at__gt=at)
    rows = Match.objects.annotate(is_corrected=Exists(corrections), of=_as_bigint("round__number"))
    later = Q(decided_at__gt=at) | Q(is_corrected=True)
    rows = rows.filter(later, round__campaign=campaign, of__lte=number).order_by("round__number", "number")
    return rows.select_related("attacker__company", "defender__company", "round").defer("setup", "forces", "past")


EDITIONS = PreparedQuery(_editions, campaign=int, number=int)
CHANGED = PreparedQuery(_changed, campaign=int, number=int, at=datetime)
