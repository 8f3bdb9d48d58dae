"""Whether a company is battle-ready for a campaign, and a hash of its exact state."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple
from uuid import UUID

from django.core.cache import caches

from campaigns.army_lists.legality import (
    CompanyValue,
    Loan,
    best_legal_units,
    company_value,
    loan_elsewhere,
    member_of,
    points_earned_in,
)
from campaigns.models import Campaign
from rosters.documents.import_export import can_vouch
from rosters.ledger.records import company_record, company_records
from rosters.models import Company
from systems import roster_rules, season_rules
from systems.ledger import ACTIVE, READY, WOUNDED, CompanyRecord, UnitRecord
from systems.legality import Check, Problem
from systems.roster import CompanyMember
from systems.scenarios import SIDES
from systems.setups import canonical

CACHE_SECONDS = 3600


@dataclass(frozen=True, slots=True, kw_only=True)
class EnrolmentCheck:
    """The result of checking a company for a campaign.

    `problems` keep it out. `hash` identifies its state and changes with every unit and pilot. `warnings` name the
    scenarios in play in which it would have no legal list. `brings` describes what no points limit measures, for the
    organiser to read before accepting the company.
    """

    points: int
    problems: tuple[Problem, ...]
    hash: str
    warnings: tuple[Problem, ...] = ()
    brings: str = ""


def enrolment_check(company: Company, campaign: Campaign) -> EnrolmentCheck:
    """Return every problem of the company in this campaign, and its points; seven queries at most."""
    return check_record_for_enrolment(
        company, company_record(company), campaign, points_earned_in(campaign, [company])[company.pk]
    )


class LedgerPosition(NamedTuple):
    """A company as of the last entry in its ledger."""

    company: int
    release: str  # of its catalogue
    entry: int
    act: UUID


def enrolment_checks(stands: Sequence[LedgerPosition], campaign: Campaign) -> dict[int, EnrolmentCheck]:
    """Return the checks of many companies, by company ID; eight queries at most.

    Entries are only ever added to a ledger, so the check for a company's last entry is made once and cached for a
    while.
    """
    terms = [campaign.system, campaign.name, campaign.points, campaign.options, campaign.catalogue_release]
    terms.append(campaign.scenarios)
    keys = {each.company: _key(each.company, each.release, (each.entry, each.act), terms) for each in stands}
    cache = caches["process"]
    kept = cache.get_many(keys.values())
    wanted = [pk for pk, key in keys.items() if key not in kept]
    new = list(Company.objects.filter(pk__in=wanted).select_related("origin")) if wanted else []
    records = company_records(new) if new else {}
    brought = points_earned_in(campaign, new) if new else {}
    checks = {
        keys[each.pk]: check_record_for_enrolment(each, records[each.pk], campaign, brought[each.pk]) for each in new
    }
    cache.set_many(checks, CACHE_SECONDS)
    return {pk: checks.get(key) or kept[key] for pk, key in keys.items()}


def _key(*parts: object) -> str:
    return f"muster-2-{hashlib.sha256(repr(parts).encode()).hexdigest()}"


def check_record_for_enrolment(
    company: Company, record: CompanyRecord, campaign: Campaign, brought: int
) -> EnrolmentCheck:
    """Check a company whose record is calculated already. `brought`: the points that the campaign has earned it."""
    ready = [unit for unit in record.units.values() if unit.status == READY]
    rules = roster_rules(campaign.system, campaign.catalogue_release)
    members = [member_of(rules, record, unit) for unit in ready]
    check = _check(members, campaign)
    problems = list(check.problems)
    worth, limit = company_value(company, record, campaign), campaign.points + brought
    is_fresh = season_rules(campaign.system).builds_fresh(campaign.options)  # then no unit comes from the company
    if is_fresh:
        problems, members = [], []
    elif worth.total > limit:
        bank = f" (including {worth.bank} unspent)" if worth.bank else ""
        loan = loan_elsewhere(company, campaign)
        lent = " including loans from its time elsewhere" if loan != Loan() else ""
        problems.append(
            Problem(
                "", f"The company is worth {worth.total} points{bank}{lent}, but {campaign.name} allows only {limit}."
            )
        )
    if not ready and not is_fresh:
        problems.append(Problem("", "The company has no units."))
    if company.catalogue_release != campaign.catalogue_release:
        problems.append(
            Problem(
                "",
                f"The company uses catalogue version {company.catalogue_release}, but {campaign.name} uses "
                f"{campaign.catalogue_release}.",
            )
        )
    warnings = () if problems or is_fresh else _unplayable(members, campaign)
    if len(campaign.scenarios) == 1:  # this scenario is certain to be played
        problems, warnings = [*problems, *warnings], ()
    return EnrolmentCheck(
        points=check.points,
        problems=tuple(problems),
        hash=_state_hash(record, ready, worth, campaign),
        warnings=warnings,
        brings=_brings(record, campaign, counts_lent=not can_vouch(company)),
    )


def _brings(record: CompanyRecord, campaign: Campaign, *, counts_lent: bool) -> str:
    """Describe games and what pilots have gained beyond what was paid: "2 games; pilots: 1 Regular, 3 skills"."""
    rules = roster_rules(campaign.system, campaign.catalogue_release)
    crew = [pilot for pilot in record.pilots.values() if pilot.status in (ACTIVE, WOUNDED)]
    crew = [pilot for pilot in crew if counts_lent or not pilot.lent]
    grown = Counter(
        pilot.experience for pilot in crew if pilot.paid < rules.hire_points.get(pilot.experience, pilot.paid + 1)
    )
    counts = [(grown[level], name, name) for level, name in rules.level_names.items() if grown[level]]
    counts.append((sum(len(pilot.skills) + len(pilot.pending) for pilot in crew), "skill", "skills"))
    counts.append((sum(pilot.points for pilot in crew), "experience point", "experience points"))
    learned = ", ".join(_count(*each) for each in counts if each[0])
    games = _count(record.games, "game", "games") if record.games else ""
    return "; ".join(part for part in (games, f"pilots: {learned}" if learned else "") if part)


def _count(number: int, one: str, many: str) -> str:
    return f"{number} {one if number == 1 else many}"


def _unplayable(members: Sequence[CompanyMember[object]], campaign: Campaign) -> tuple[Problem, ...]:
    """Return the scenarios in play in which no list of the company would be legal, on one side or on both."""
    found = []
    for scenario in campaign.scenarios:
        stuck = [
            name
            for side, name in enumerate(SIDES)
            if not best_legal_units(campaign.system, scenario["value"], members, campaign.options, side)
        ]
        if stuck:
            where = f"in {scenario['name']}" if len(stuck) == len(SIDES) else f"as {stuck[0]} in {scenario['name']}"
            found.append(Problem("", f"This company has no legal list {where}."))
    return tuple(found)


def _check(members: Sequence[CompanyMember[object]], campaign: Campaign) -> Check:
    check = roster_rules(campaign.system, campaign.catalogue_release).check_company("", members, campaign.options)
    # A place is a position in the list above; the message names the unit.
    problems = (replace(problem, place="") for problem in check.problems if problem.place != "scenario")
    return replace(check, problems=tuple(problems))


def _state_hash(record: CompanyRecord, ready: Sequence[UnitRecord], worth: CompanyValue, campaign: Campaign) -> str:
    """Return the SHA-256 of units, their condition and pilots, and the bank; names don't matter."""
    units = [
        {
            "unit": unit.id,
            "spec": unit.spec,
            "condition": unit.condition,
            "pilot": unit.pilot,
            "level": record.pilots[unit.pilot].experience if unit.pilot else "",
            "skills": sorted(record.pilots[unit.pilot].skills) if unit.pilot else [],
        }
        for unit in sorted(ready, key=lambda unit: unit.id)
    ]
    state = {
        "units": units,
        "worth": [worth.fielded, worth.bank],
        "points": campaign.points,
        "options": campaign.options,
    }
    return hashlib.sha256(canonical(state).encode()).hexdigest()
