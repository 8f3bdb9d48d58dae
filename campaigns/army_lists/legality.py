"""What a company may bring to a match: its points limit, and units that make a legal list. Decision 15.

Used for choosing pilots, buying units, submitting lists and autoplay orders.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from django.db.models import Exists, OuterRef, Q, Sum

from campaigns.army_lists.handicaps import best_units_within
from campaigns.models import Campaign, Correction, Enrolment, EnrolmentState, Friendly, Match, MatchState, Ruling
from campaigns.policy import TAKES_COMPANIES
from rosters.database.queries import columns
from rosters.documents.origins import claims_read
from rosters.entries.company import Adjusted, Game
from rosters.hooks import Reserve
from rosters.ledger.records import adjustment_of, adjustment_ref, company_record
from rosters.models import Company, CompanyOrigin, LedgerEntry
from systems import battle_rules, roster_rules, season_rules
from systems.ledger import ACTIVE, READY, WOUNDED, CompanyRecord, UnitRecord
from systems.roster import CompanyMember, PilotSpec, RosterSystem
from systems.scenarios import SIDES


@dataclass(frozen=True, slots=True, kw_only=True)
class CompanyValue:
    """The worth of a company in a campaign, less its debt to the house."""

    fielded: int  # its units, plus what it paid for the pilots on its roll
    bank: int

    @property
    def total(self) -> int:
        return self.fielded + self.bank


@dataclass(frozen=True, slots=True, kw_only=True)
class Loan:
    """Loans that a company brings along from elsewhere; no house here has lent them."""

    debt: int = 0
    units: frozenset[int] = frozenset()


def loan_elsewhere(company: Company, campaign: Campaign) -> Loan:
    """Return the loans that count as the company's own, since nobody here can prove that they are loans.

    One query if the origin hasn't been read. In campaigns of the club the company came with, its loans stay loans.
    """
    origin: CompanyOrigin | None = getattr(company, "origin", None)
    if origin is None or origin.is_proven:
        return Loan()
    claims = claims_read(origin.claims)
    if claims.club_here and claims.club_here == campaign.club_id:
        return Loan()
    return Loan(debt=claims.debt, units=frozenset(claims.lent))


def company_value(company: Company, record: CompanyRecord, campaign: Campaign) -> CompanyValue:
    """Return what the company is worth by the prices and house rules of the campaign.

    Anything lent for a game is worth nothing to the company, unless it was lent elsewhere.
    """
    elsewhere = loan_elsewhere(company, campaign)
    rules = roster_rules(campaign.system, campaign.catalogue_release)
    units = sum(
        rules.check_design(rules.parse_spec(unit.spec), campaign.options).points
        for unit in record.units.values()
        if unit.status == READY and (not unit.lent or unit.id in elsewhere.units)
    )
    pilots = sum(pilot.paid for pilot in record.pilots.values() if pilot.status in (ACTIVE, WOUNDED))
    return CompanyValue(fielded=units + pilots - max(0, record.debt - elsewhere.debt), bank=record.balance)


def points_earned_in(campaign: Campaign, companies: Iterable[Company]) -> dict[int, int]:
    """Return the points that the campaign has earned each of these companies, by company ID; six queries at most.

    These are income before the house takes its share, pay for support and territories, adjustments by corrections, and
    points given or taken by rulings. Loans don't count.
    """
    wanted = [company.pk for company in companies]
    rows = campaign.enrolments.filter(company__in=wanted).order_by().annotate(income=Sum("incomes__points", default=0))
    found = dict.fromkeys(wanted, 0)
    for company, carried, income in rows.values_list("company", "carried_points", "income"):
        found[company] = carried + income
    games = _entries(wanted, (Game.slug, Adjusted.slug))
    causes = _causes(campaign) | _ruled(campaign, {entry.cause_ref for entry in games})
    for entry in games:
        if (entry.company, entry.cause_ref) in causes:
            found[entry.company] += points_earned_by_entry(entry.kind, entry.points, entry.facts)
    return found


def points_earned_by_entry(kind: str, points: int, facts: dict[str, object]) -> int:
    """Return what the entry of a match, or of a ruling on one, adds to what its company may be worth."""

    def number(name: str) -> int:
        value = facts.get(name, 0)
        return value if isinstance(value, int) else 0

    if kind == Game.slug:  # leftover points of a founding that lapse are a loss, and mustn't lower the limit
        return points + number("repaid") + number("lapsed")
    return points - number("loan")


def limit_of(enrolment: Enrolment) -> int:
    """Return what the company may be worth in its campaign now."""
    return enrolment.campaign.points + points_earned_in(enrolment.campaign, [enrolment.company])[enrolment.company_id]


def reserves_of(company: Company) -> Sequence[Reserve]:
    """Return the points in the company's bank above what its campaigns allow; it may keep them but not spend them."""
    undecided = Match.objects.filter(state__in=MatchState.undecided())
    plays = Exists(undecided.filter(Q(attacker=OuterRef("pk")) | Q(defender=OuterRef("pk"))))
    rows = company.enrolments.filter(Q(state=EnrolmentState.ACCEPTED) | plays, campaign__state__in=TAKES_COMPANIES)
    enrolments = [each for each in rows.select_related("campaign") if not _builds_fresh(each.campaign)]
    if not enrolments:
        return ()
    record = company_record(company)
    found = []
    for enrolment in enrolments:
        enrolment.company = company
        has, limit = company_value(company, record, enrolment.campaign).total, limit_of(enrolment)
        if has > limit:
            free = max(0, record.balance - (has - limit))
            reason = f"{enrolment.campaign.name} allows {company.name} {limit} points in total: {free} left to spend."
            found.append(Reserve(points=has - limit, reason=reason))
    return found


def _builds_fresh(campaign: Campaign) -> bool:
    """Return whether units are bought for each match from its scenario's points, so that company points buy none."""
    return season_rules(campaign.system).builds_fresh(campaign.options)


class _Entry(NamedTuple):
    """The columns read of a ledger entry."""

    company: int
    kind: str
    points: int
    facts: dict[str, object]
    cause_ref: str


def _entries(companies: list[int], kinds: Sequence[str]) -> list[_Entry]:
    """Return the entries of these kinds that are not reversed."""
    rows = LedgerEntry.objects.filter(company__in=companies, kind__in=kinds, reverses=None, reversed_by=None)
    return [_Entry._make(row) for row in rows.values_list(*columns(_Entry))]


def _ruled(campaign: Campaign, refs: Iterable[str]) -> set[tuple[int, str]]:
    """Return the causes that are the campaign's rulings, each with its company; no query if there are none."""
    named = [found for ref in refs if (found := adjustment_of(ref)) and found[0] == campaign.pk]
    if not named:
        return set()
    rows = Ruling.objects.filter(campaign=campaign, kind=Ruling.Kind.ADJUSTMENT, pk__in=[pk for _, pk in named])
    return {(company, adjustment_ref(campaign.pk, pk)) for pk, company in rows.values_list("pk", "decision__company")}


def _causes(campaign: Campaign) -> set[tuple[int, str]]:
    """Return each company in the campaign's matches and friendly games, paired with the ledger's key for the game.

    These are the keys of matches, of their battles, of battles since corrected, and of friendly games' battles. A
    company gains nothing from games it didn't play, whatever an imported ledger claims.
    """
    rows: list[tuple[int | None, object]] = []
    matches = Match.objects.filter(round__campaign=campaign)
    for match in matches.values_list("attacker__company", "defender__company", "key", "battle__key", named=True):
        sides = (match.attacker__company, match.defender__company)
        rows += [(side, key) for side in sides for key in (match.key, match.battle__key)]
    corrected = Correction.objects.filter(match__round__campaign=campaign)
    for one, two, key in corrected.values_list(
        "match__attacker__company", "match__defender__company", "before__battle"
    ):
        rows += [(one, key), (two, key)]
    rows += Friendly.objects.filter(round__campaign=campaign).values_list("enrolment__company", "battle__key")
    return {(company, str(key)) for company, key in rows if company and key}


def member_of(rosters: RosterSystem[object, object], record: CompanyRecord, unit: UnitRecord) -> CompanyMember[object]:
    """Return the unit with its pilot, if any, in the form its rule system checks."""
    pilot = record.pilots.get(unit.pilot) if unit.pilot else None
    crew = PilotSpec(pilot.experience, pilot.skills) if pilot and pilot.status in (ACTIVE, WOUNDED) else None
    return CompanyMember(unit.name, rosters.parse_spec(unit.spec), crew)


def best_legal_units(
    system: str,
    scenario: str | Mapping[str, object],
    members: Sequence[CompanyMember[object]],
    options: Mapping[str, object],
    side: int,
    limit: int | None = None,
) -> tuple[int, ...]:
    """Return the indexes of the units a company fields if nobody chose, by its rule system; empty if no list is legal.

    If a handicap limits the list's points, return its most expensive legal part within that limit.
    """
    rosters, name = roster_rules(system), SIDES[side]

    def allows(places: tuple[int, ...]) -> bool:
        check = rosters.check_company(scenario, [members[place] for place in places], options, side=name)
        return all(problem.place == "scenario" for problem in check.problems)  # an unknown scenario sets no limits

    most = battle_rules(system).max_units
    chosen = season_rules(system).standing_force(scenario, members, options, side=name, most=most, allows=allows)
    if limit is None:
        return chosen
    points = [rosters.check_design(members[place].spec, options).points for place in chosen]
    lighter = best_units_within(points, limit, lambda parts: allows(tuple(chosen[part] for part in parts)))
    return tuple(chosen[part] for part in lighter)
