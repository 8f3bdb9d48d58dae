"""A club's history for pages and the API: hall of fame, record book, medals and fallen pilots; and a company's medals."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import NamedTuple

from django.db.models import Exists, OuterRef, QuerySet, Value

from campaigns import policy
from campaigns.hall_of_fame.history import MatchHistory, match_history_of
from campaigns.hall_of_fame.medals import MEDALS, Award, Holder, Honour, Kind, Medal, honours_by_holder
from campaigns.hall_of_fame.records import Fallen, Hero, Life, LifeEvent, Record, Sentence, biography
from campaigns.models import Club, Enrolment, EnrolmentState, Membership
from campaigns.policy import Reader
from rosters.database.queries import PreparedQuery, columns
from rosters.models import LedgerEntry, Player
from rosters.selectors import CompanySheet, PilotRow
from rosters.site.pagination import Keyset, Place, Slice
from systems import roster_rules

MAX_HEROES, MAX_NEWEST, MAX_HOLDERS, FALLEN_PAGE_SIZE = 12, 8, 5, 60
BY_NUMBER = Keyset("-number")


@dataclass(frozen=True, slots=True, kw_only=True)
class MedalRow:
    """A medal of the catalogue and its awards in this club, latest first."""

    medal: Medal
    awards: tuple[Award, ...]
    number: int  # how often it was awarded


@dataclass(frozen=True, slots=True, kw_only=True)
class HallOfFame:
    """The hall of fame and record book, as the reader sees it."""

    matches: int
    medals: int
    dead: int
    heroes: tuple[Hero, ...]
    records: tuple[Record, ...]
    newest: tuple[Award, ...]


@dataclass(frozen=True, slots=True)
class Honours:
    """The medals of a company, its units and its pilots, as the reader sees them."""

    awards: tuple[Award, ...] = ()
    by_bearer: Mapping[tuple[str, int], tuple[Honour, ...]] = field(default_factory=dict)

    def of(self, kind: Kind, pk: int) -> tuple[Honour, ...]:
        """Return the medals of one holder, in the order in which they first got each."""
        return self.by_bearer.get((kind, pk), ())

    @property
    def holders(self) -> tuple[tuple[Holder, tuple[Honour, ...]], ...]:
        """The units and pilots with medals, most medals first."""
        who = {award.to.key: award.to for award in self.awards if award.to.kind != "company"}
        found = [(who[key], honours) for key, honours in self.by_bearer.items() if key in who]
        return tuple(sorted(found, key=lambda each: (-sum(one.number for one in each[1]), each[0].name.casefold())))


def club_match_history(club: Club, reader: Reader) -> MatchHistory:
    """Return the club's chronicle for a reader who may see the club."""
    return match_history_of(club.pk).seen(by_member=policy.role_in(reader, club) is not None)


def club_hall_of_fame(chronicle: MatchHistory) -> HallOfFame:
    """Return the hall of fame with the record book."""
    return HallOfFame(
        matches=len(chronicle.games),
        medals=len(chronicle.awards),
        dead=len(chronicle.fallen),
        heroes=chronicle.heroes[:MAX_HEROES],
        records=chronicle.records,
        newest=chronicle.awards[: -MAX_NEWEST - 1 : -1],
    )


def club_medals(chronicle: MatchHistory, *, whole: str = "") -> tuple[MedalRow, ...]:
    """Return every medal with its latest awards; all awards of the medal `whole`."""
    return tuple(
        MedalRow(medal=medal, awards=given if slug == whole else given[:MAX_HOLDERS], number=len(given))
        for slug, medal in MEDALS.items()
        for given in (tuple(award for award in reversed(chronicle.awards) if award.medal.slug == slug),)
    )


def club_fallen(chronicle: MatchHistory, asked: Mapping[str, str]) -> Slice[Fallen]:
    """Return a page of the fallen pilots, latest first."""
    roll = chronicle.fallen

    def rows(order: tuple[str, ...], place: Place) -> list[Fallen]:
        if order == BY_NUMBER.order:
            return [each for each in roll if not place or each.number < int(place[0])]
        return [each for each in reversed(roll) if not place or each.number > int(place[0])]

    return BY_NUMBER.asked(rows, FALLEN_PAGE_SIZE, asked, count=len(roll))


def company_honours(company: int, reader: Reader) -> Honours:
    """Return the company's medals from all clubs where it plays, for a reader who may see the company.

    One query, and two for each of its clubs.
    """
    if isinstance(reader, Player):
        clubs = CLUBS_OF_A_PLAYER.rows(company=company, reader=reader.pk)
    else:
        clubs = CLUBS_OF_A_VISITOR.rows(company=company)
    found = [
        award
        for club in clubs
        if club.is_public or club.is_member
        for award in match_history_of(club.pk).seen(by_member=club.is_member).awards
        if award.to.company == company
    ]
    return Honours(tuple(found), honours_by_holder(found))


class _Club(NamedTuple):
    pk: int
    is_public: bool
    is_member: bool


def _clubs(company: int, reader: int | None) -> QuerySet[Club, object]:
    enrolled = Enrolment.objects.filter(company=company, state__in=EnrolmentState.took_part()).values("campaign__club")
    rows = Club.objects.filter(pk__in=enrolled).order_by("pk")
    if reader is None:
        rows = rows.annotate(is_member=Value(False))
    else:
        rows = rows.annotate(is_member=Exists(Membership.objects.filter(club=OuterRef("pk"), player=reader)))
    return rows.values_list("pk", "is_public", "is_member")


def pilot_biography(company: CompanySheet, pilot: PilotRow, honours: Honours) -> tuple[Sentence, ...]:
    """Return the pilot's biography in sentences. One query."""
    events = [event for _, event in sorted(EVENTS.rows(pilot=pilot.id), key=lambda each: each[0])]
    return biography(
        Life(
            name=pilot.full_name,
            company=company.name,
            status=pilot.status,
            seat=pilot.seat.name if pilot.seat else "",
            levels=roster_rules(company.system, company.catalogue_release).level_names,
            events=events,
            honours=honours.of("pilot", pilot.id),
        )
    )


def _events(pilot: int) -> QuerySet[LedgerEntry, object]:
    rows = LedgerEntry.objects.filter(pilot=pilot, reverses=None, reversed_by=None).order_by("pk")
    return rows.values_list(*columns(_event, at="created_at", unit="unit__name", ref="cause_ref"))


def _event(
    pk: int, kind: str, at: datetime, facts: dict[str, object], unit: str | None, ref: str
) -> tuple[tuple[int, int], LifeEvent]:
    """Return the event, preceded by its sort key: the place where it counts."""
    place = facts.get("place", pk)
    event = LifeEvent(kind=kind, at=at, facts=facts, unit=unit or "", battle=ref)
    return (place if isinstance(place, int) else pk, pk), event


EVENTS = PreparedQuery(_events, _event, pilot=int)
CLUBS_OF_A_PLAYER = PreparedQuery(_clubs, _Club, company=int, reader=int)
CLUBS_OF_A_VISITOR = PreparedQuery(lambda company: _clubs(company, None), _Club, company=int)
