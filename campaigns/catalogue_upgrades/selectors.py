"""The effects of a newer catalogue version on a campaign's companies, and its past and planned changes of version."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from copy import copy
from dataclasses import dataclass

from campaigns.army_lists.legality import points_earned_in
from campaigns.enrolments.selectors import EnrolmentCheck, check_record_for_enrolment
from campaigns.models import (
    Campaign,
    CampaignState,
    CatalogueUpgrade,
    Enrolment,
    EnrolmentState,
    RoundState,
    UpgradeState,
)
from campaigns.policy import TAKES_COMPANIES, binding_enrolments
from rosters.ledger.records import company_records
from rosters.models import Company
from rosters.releases.selectors import CompanyChange, ReleaseRow, company_change, newer_releases
from systems import roster_rules
from systems.ledger import CompanyRecord
from systems.legality import Problem
from systems.roster import AnyRoster
from systems.setups import canonical


@dataclass(frozen=True, slots=True, kw_only=True)
class CompanyUpgrade:
    """A company of the campaign: what the version changes for it, its new problems, and why it may have to stay."""

    enrolment: int
    name: str
    owner: str
    change: CompanyChange
    problems: tuple[Problem, ...]  # new ones only
    mended: int  # present problems that the new version would solve
    stays: str  # why it can't change; empty: it can

    @property
    def is_touched(self) -> bool:
        return bool(self.change.units or self.problems or self.mended or self.stays)


@dataclass(frozen=True, slots=True, kw_only=True)
class AdoptionPreview:
    """Everything that a change to a version would do, and `token`, which differs if any of it does."""

    release: str
    newer_versions: tuple[ReleaseRow, ...]  # the versions in between and the new one, newest first
    companies: tuple[CompanyUpgrade, ...]
    rules_lost: tuple[str, ...]  # house rules of the campaign that the version has retired, by name
    token: str

    @property
    def obstacles(self) -> tuple[str, ...]:
        return tuple(each.stays for each in self.companies if each.stays)


@dataclass(frozen=True, slots=True, kw_only=True)
class ReleasePage:
    """A campaign's catalogue version with its past and possible changes."""

    rules: AnyRoster
    release: str
    choices: tuple[str, ...]  # that it can change to, newest first
    preview: AdoptionPreview | None
    planned: CatalogueUpgrade | None
    past: tuple[CatalogueUpgrade, ...]  # newest first
    open_rounds: tuple[int, ...]  # numbers
    next_round: int
    has_course: bool  # the campaign isn't finished

    @property
    def standing(self) -> CatalogueUpgrade | None:
        """Return the change that can be undone, if nothing was done since: the one to the current version."""
        adopted = (each for each in self.past if each.state == UpgradeState.ADOPTED)
        newest = next(adopted, None) if self.has_course else None
        return newest if newest and newest.release == self.release else None

    @property
    def changes_companies(self) -> bool:
        """Return whether the version changes anything for a company."""
        return self.preview is not None and any(each.is_touched for each in self.preview.companies)


def release_page(campaign: Campaign, asked: str = "") -> ReleasePage:
    """Return the page, with a preview of the requested version or else of the newest one."""
    rules = roster_rules(campaign.system, campaign.catalogue_release)
    choices = available_releases(campaign)
    to = asked if asked in choices else next(iter(choices), "")
    adoptions = list(campaign.adoptions.select_related("asked_by", "ended_by"))
    rounds = list(campaign.rounds.values_list("number", "state"))
    played = [number for number, state in rounds if state != RoundState.PLANNED]
    return ReleasePage(
        rules=rules,
        release=campaign.catalogue_release,
        choices=choices,
        preview=adoption_preview(campaign, to) if to else None,
        planned=next((each for each in adoptions if each.state == "planned"), None),
        past=tuple(each for each in adoptions if each.state != "planned"),
        open_rounds=tuple(sorted(number for number, state in rounds if state == RoundState.OPEN)),
        next_round=max(played, default=0) + 1,
        has_course=campaign.state != CampaignState.FINISHED,
    )


def available_releases(campaign: Campaign) -> tuple[str, ...]:
    """Return the versions that the campaign can change to, newest first: all for a draft, else only newer ones."""
    rules = roster_rules(campaign.system)
    numbers = [each.number for each in rules.releases]
    if campaign.state == CampaignState.FINISHED:
        return ()
    if campaign.state == CampaignState.DRAFT:
        return tuple(number for number in reversed(numbers) if number != campaign.catalogue_release)
    return tuple(number for number in reversed(numbers) if int(number) > int(campaign.catalogue_release))


def adoption_preview(campaign: Campaign, release: str) -> AdoptionPreview:
    """Return what a change to that version would do; at most twelve queries for any number of companies."""
    rules = roster_rules(campaign.system, campaign.catalogue_release)
    newer = rules.of(release)
    after = copy(campaign)
    after.catalogue_release, after.options = release, keep_valid_options(newer, campaign.options)
    enrolments = list(
        campaign.enrolments.filter(state=EnrolmentState.ACCEPTED)
        .select_related("company__owner", "company__origin")
        .order_by("company_id")
    )
    companies = [each.company for each in enrolments]
    records = company_records(companies) if companies else {}
    brought = points_earned_in(campaign, companies) if companies else {}
    elsewhere = find_other_campaigns(campaign, companies, release)
    found = [
        _company_upgrade(each, campaign, after, records[each.company_id], brought[each.company_id], elsewhere)
        for each in enrolments
    ]
    is_ahead = int(release) > int(campaign.catalogue_release)
    return AdoptionPreview(
        release=release,
        newer_versions=newer_releases(rules, campaign.catalogue_release, release) if is_ahead else (),
        companies=tuple(found),
        rules_lost=tuple(rules.house_rules[slug].name for slug in campaign.options if slug not in after.options),
        token=_token(campaign, release, records, found),
    )


def keep_valid_options(rules: AnyRoster, options: Mapping[str, object]) -> dict[str, object]:
    """Return the house rules without retired ones; a retired rule at its default stays, since it has no effect."""
    return {
        slug: value
        for slug, value in options.items()
        if slug not in rules.retired_rules or value == rules.house_rules[slug].default
    }


def find_other_campaigns(campaign: Campaign, companies: Sequence[Company], release: str) -> dict[int, str]:
    """Return for each company the other campaign, by name, that binds it to a different version; one query."""
    rows = (
        Enrolment.objects.filter(binding_enrolments(), company__in=companies, campaign__state__in=TAKES_COMPANIES)
        .exclude(campaign=campaign)
        .exclude(campaign__catalogue_release=release)
        .exclude(state=EnrolmentState.ASKED)
    )
    return dict(rows.values_list("company", "campaign__name")) if companies else {}


def release_lock_reason(company: Company) -> str:
    """Return why the player can't change the company's catalogue version: a campaign has accepted it; else empty."""
    rows = Enrolment.objects.filter(binding_enrolments(), company=company, campaign__state__in=TAKES_COMPANIES)
    name = rows.exclude(state=EnrolmentState.ASKED).values_list("campaign__name", flat=True).first()
    return f"{company.name} plays in {name} and changes version when that campaign does." if name else ""


def _company_upgrade(
    enrolment: Enrolment,
    campaign: Campaign,
    after: Campaign,
    record: CompanyRecord,
    brought: int,
    elsewhere: Mapping[int, str],
) -> CompanyUpgrade:
    company, then = enrolment.company, copy(enrolment.company)
    then.catalogue_release = after.catalogue_release
    now, later = (
        check_record_for_enrolment(company, record, campaign, brought),
        check_record_for_enrolment(then, record, after, brought),
    )
    other = elsewhere.get(company.pk)
    return CompanyUpgrade(
        enrolment=enrolment.pk,
        name=company.name,
        owner=str(company.owner),
        change=company_change(company, record, after.catalogue_release, campaign.options, after.options),
        problems=_problems_only_in(later, now),
        mended=len(_problems_only_in(now, later)),
        stays=f"{company.name} also plays in {other}, which keeps another version." if other else "",
    )


def _problems_only_in(these: EnrolmentCheck, those: EnrolmentCheck) -> tuple[Problem, ...]:
    had = {(each.rule, each.message) for each in those.problems}
    return tuple(each for each in these.problems if (each.rule, each.message) not in had)


def _token(
    campaign: Campaign, release: str, records: Mapping[int, CompanyRecord], found: Sequence[CompanyUpgrade]
) -> str:
    """Return SHA-256 over everything that the preview depends on."""
    state = {
        "campaign": campaign.pk,
        "from": campaign.catalogue_release,
        "to": release,
        "options": campaign.options,
        "points": campaign.points,
        "companies": [
            [
                each.change.company,
                each.change.before,
                each.change.after,
                [unit.id for unit in each.change.units],
                each.stays,
            ]
            for each in found
        ],
        "balances": {str(pk): record.balance for pk, record in records.items()},
    }
    return hashlib.sha256(canonical(state).encode()).hexdigest()
