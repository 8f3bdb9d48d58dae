"""Change a campaign to a newer catalogue version: between two rounds, with all its companies or not at all.

Open matches are played to their end with the version that they were opened with, so nothing submitted changes. Locks
are taken in the usual order: campaign, then companies by id.
"""

from __future__ import annotations

from datetime import date

from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from campaigns.activity_log import log_campaign_activity
from campaigns.catalogue_upgrades.selectors import (
    adoption_preview,
    available_releases,
    find_other_campaigns,
    keep_valid_options,
)
from campaigns.locks import campaign_lock
from campaigns.models import (
    Campaign,
    CampaignState,
    CatalogueUpgrade,
    EnrolmentState,
    Match,
    MatchState,
    Round,
    RoundState,
    UpgradeState,
)
from campaigns.notifications import notify
from campaigns.policy import TAKES_COMPANIES
from rosters.ledger.records import RELEASE
from rosters.models import Company, LedgerEntry, Player
from rosters.releases.services import follow, following
from rosters.services import RefusedError
from rosters.services.base import company_lock
from rosters.services.results import reverse_act
from rosters.site.heartbeats import skip_unreadable
from systems import roster_rules
from systems.catalogue import UnknownReleaseError
from systems.legality import join_words

MAX_ROUND = 999


@transaction.atomic
def release_choose(*, campaign: Campaign, release: str, by: Player) -> Campaign:
    """Change a draft to another version, newer or older: nobody has relied on it yet."""
    locked = campaign_lock(campaign)
    if locked.state != CampaignState.DRAFT:
        raise RefusedError(
            "release", f"{locked.name} is {locked.get_state_display()}. Its companies have to change version with it."
        )
    _check_release(locked, release)
    _check_house_rules(locked, release)
    locked.catalogue_release = release
    locked.save(update_fields=["catalogue_release"])
    log_campaign_activity(locked, f"{locked.name} now uses catalogue version {release}", by)
    return locked


@transaction.atomic
def release_adopt(
    *,
    campaign: Campaign,
    release: str,
    by: Player,
    token: str,
    from_round: int | None = None,
    from_day: date | None = None,
) -> CatalogueUpgrade:
    """Make the change that the preview of this token showed: at once, before that round opens, or on that day.

    Raise RefusedError if anything has changed since the preview, and for "at once" while a round is open.
    """
    locked = campaign_lock(campaign)
    if locked.state == CampaignState.DRAFT:
        raise RefusedError("release", f"{locked.name} is a draft, so choose its version directly.")
    _check_release(locked, release)
    if locked.adoptions.filter(state=UpgradeState.PLANNED).exists():
        raise RefusedError("release", "A change of version is already planned. Cancel that first.")
    preview = adoption_preview(locked, release)
    if preview.token != token:
        raise RefusedError("token", "Something has changed since this preview. Check the new one first.")
    if preview.obstacles:
        raise RefusedError("release", " ".join(preview.obstacles))
    _check_time(locked, from_round, from_day)
    row = CatalogueUpgrade.objects.create(
        campaign=locked,
        before=locked.catalogue_release,
        release=release,
        from_round=from_round,
        from_day=from_day,
        options_before=locked.options,
        asked_by=by,
    )
    if _is_due(row, locked):
        _carry_out(row, locked, by)
    else:
        log_campaign_activity(locked, f"Planned catalogue version {release} {describe_effective_date(row)}", by)
    return row


@transaction.atomic
def adoption_cancel(*, campaign: Campaign, by: Player) -> CatalogueUpgrade:
    """Call off the planned change."""
    locked = campaign_lock(campaign)
    row = locked.adoptions.filter(state=UpgradeState.PLANNED).first()
    if row is None:
        raise RefusedError("release", "No change of version is planned.")
    _call_off(row, locked, by)
    return row


def adoption_drop(campaign: Campaign, by: Player) -> None:
    """Call off the planned change of a locked campaign that is being finished."""
    if (row := campaign.adoptions.filter(state=UpgradeState.PLANNED).first()) is not None:
        _call_off(row, campaign, by)


@transaction.atomic
def adoption_undo(*, campaign: Campaign, by: Player) -> CatalogueUpgrade:
    """Change campaign and companies back, as long as no round was opened and no company did anything since."""
    locked = campaign_lock(campaign)
    row = locked.adoptions.filter(state=UpgradeState.ADOPTED).first()
    if row is None or row.release != locked.catalogue_release or row.adopted_at is None:
        raise RefusedError("release", "There is no change of version to undo.")
    if locked.state == CampaignState.FINISHED:
        raise RefusedError("release", f"{locked.name} is finished, so it can't be changed.")
    since = locked.rounds.exclude(state=RoundState.PLANNED).filter(opens_at__gt=row.adopted_at).first()
    if since is not None:
        raise RefusedError("release", f"{since} has been published since, so this can't be undone.")
    entries = _ledger_entries(row)
    joined = locked.enrolments.filter(
        state=EnrolmentState.ACCEPTED, decided_at__gt=row.adopted_at, company__catalogue_release=row.release
    ).exclude(company__in=[entry.company_id for entry in entries])
    if late := joined.select_related("company").first():
        raise RefusedError(
            "release", f"{late.company.name} has joined with version {row.release} since, so this can't be undone."
        )
    for entry in entries:
        company = company_lock(entry.company, even_disbanded=True)
        try:
            reverse_act(company, entry.act, by)
        except RefusedError:
            raise RefusedError(
                "release", f"{company.name} has bought, sold or changed something since, so this can't be undone."
            ) from None
    locked.catalogue_release, locked.options = row.before, row.options_before
    locked.save(update_fields=["catalogue_release", "options"])
    _end(row, UpgradeState.UNDONE, by)
    log_campaign_activity(locked, f"Went back from catalogue version {row.release} to {row.before}", by)
    return row


def make_due_adoption(campaign: Campaign) -> None:
    """Make the planned change of a locked campaign if it is due.

    Called when a round closes, before one opens, and by the timer. A change that can't be made stays planned, with the
    reason.
    """
    row = campaign.adoptions.filter(state=UpgradeState.PLANNED).first()
    if row is None or not _is_due(row, campaign):
        return
    try:
        with transaction.atomic():
            _carry_out(row, campaign, row.asked_by)
    except RefusedError as error:
        if row.waits != error.reason[:300]:
            row.waits = error.reason[:300]
            row.save(update_fields=["waits"])
            log_campaign_activity(campaign, f"Catalogue version {row.release} has to wait: {error.reason}", None)


def make_due_adoptions() -> int:
    """Make the planned changes that are due on a day or waiting, and return how many there were.

    Run by the timer. Each has its own transaction: no campaign is locked after the companies of another.
    """
    rows = CatalogueUpgrade.objects.filter(state=UpgradeState.PLANNED, campaign__state__in=TAKES_COMPANIES)
    due = rows.filter(Q(from_day__lte=timezone.localdate()) | ~Q(waits=""))
    found = [row.campaign for row in due.select_related("campaign").order_by("campaign_id")]
    for campaign in found:
        with skip_unreadable(f"release of campaign {campaign.pk}"), transaction.atomic():
            make_due_adoption(campaign_lock(campaign))
    return len(found)


# --- parts ------------------------------------------------------------------------------------------------------------


def _check_release(campaign: Campaign, release: str) -> None:
    """Raise RefusedError for a version that doesn't exist or isn't newer."""
    if campaign.state == CampaignState.FINISHED:
        raise RefusedError("release", f"{campaign.name} is finished, so it can't be changed.")
    try:
        roster_rules(campaign.system).of(release)
    except UnknownReleaseError as error:
        raise RefusedError("release", f"{error}.") from None
    if release == campaign.catalogue_release:
        raise RefusedError("release", f"{campaign.name} already uses version {release}.")
    if release not in available_releases(campaign):
        raise RefusedError(
            "release",
            f"{campaign.name} uses version {campaign.catalogue_release} and can't go back to an older one.",
        )


def _check_house_rules(campaign: Campaign, release: str) -> None:
    rules = roster_rules(campaign.system, release)
    if lost := sorted(set(campaign.options) - set(keep_valid_options(rules, campaign.options))):
        raise RefusedError("release", f"{rules.describe_retired(lost[0])}.")


def _check_time(campaign: Campaign, from_round: int | None, from_day: date | None) -> None:
    if from_round is not None and from_day is not None:
        raise RefusedError("from_round", "Give a round or a day, not both.")
    open_round = campaign.rounds.filter(state=RoundState.OPEN).order_by("number").last()
    if from_round is None and from_day is None:
        if open_round is not None:
            raise RefusedError(
                "release",
                f"{open_round} is open and has to be finished with version {campaign.catalogue_release}. Plan "
                f"the change from round {open_round.number + 1}.",
            )
        return
    if from_day is not None and from_day < timezone.localdate():
        raise RefusedError("from_day", "That day is in the past. Choose a later one.")
    begun = campaign.rounds.exclude(state=RoundState.PLANNED).order_by("number").last()
    if from_round is not None and not (begun.number if begun else 0) < from_round <= MAX_ROUND:
        raise RefusedError("from_round", f"Round {from_round} has already started or is too far ahead.")


def _is_due(row: CatalogueUpgrade, campaign: Campaign) -> bool:
    """Return whether its time has come and no round is open."""
    if campaign.rounds.filter(state=RoundState.OPEN).exists():
        return False
    if row.from_day is not None:
        return row.from_day <= timezone.localdate()
    if row.from_round is not None:
        begun = Round.objects.filter(campaign=campaign).exclude(state=RoundState.PLANNED).order_by("number").last()
        return row.from_round <= (begun.number if begun else 0) + 1
    return True


def _carry_out(row: CatalogueUpgrade, campaign: Campaign, by: Player | None) -> None:
    """Change the locked campaign and its accepted companies."""
    _check_all_revealed(campaign)
    rows = campaign.enrolments.filter(state=EnrolmentState.ACCEPTED).select_related("company")
    companies = [company_lock(each.company, even_disbanded=True) for each in rows.order_by("company_id")]
    if elsewhere := find_other_campaigns(campaign, companies, row.release):
        names = [company.name for company in companies if company.pk in elsewhere]
        raise RefusedError("release", f"{join_words(names)}: also in another campaign, which keeps another version.")
    gone = [company for company in companies if _upgrade_company(company, row, campaign, by)]
    row.before, row.options_before = campaign.catalogue_release, campaign.options
    kept = keep_valid_options(roster_rules(campaign.system, row.release), campaign.options)
    campaign.catalogue_release, campaign.options = row.release, kept
    campaign.save(update_fields=["catalogue_release", "options"])
    row.state, row.adopted_at, row.waits = UpgradeState.ADOPTED, timezone.now(), ""
    row.save()
    gone_summary = f"{len(gone)} companies" if len(gone) != 1 else "1 company"
    log_campaign_activity(campaign, f"Changed to catalogue version {row.release}, with {gone_summary}", by)
    notify.release_adopted(campaign, gone, by)


def _check_all_revealed(campaign: Campaign) -> None:
    """Raise RefusedError while a match of a begun round has unrevealed lists: its set-up names no version yet."""
    begun = Match.objects.filter(round__campaign=campaign).exclude(round__state=RoundState.PLANNED)
    rows = begun.filter(state__in=MatchState.undecided(), setup__isnull=True, defender__isnull=False)
    left = rows.select_related("round").order_by("pk").first()
    if left is not None:
        reason = f"{left} of {left.round} still has to be played with version {campaign.catalogue_release}."
        raise RefusedError("release", reason)


def _upgrade_company(company: Company, row: CatalogueUpgrade, campaign: Campaign, by: Player | None) -> bool:
    """Change the company if its version is older. Return whether it was."""
    if int(company.catalogue_release) >= int(row.release):
        return False
    follow(following(company, by, _ref(row)), row.release, campaign.name)
    return True


def _ledger_entries(row: CatalogueUpgrade) -> list[LedgerEntry]:
    """Return the ledger entries that the change wrote and that are still valid, by company."""
    of_them = row.campaign.enrolments.values("company")  # an imported ledger may name any change
    rows = LedgerEntry.objects.filter(company__in=of_them, cause=RELEASE, cause_ref=_ref(row))
    standing = rows.filter(reverses=None, reversed_by=None)
    return list(standing.select_related("company").order_by("company_id"))


def _ref(row: CatalogueUpgrade) -> str:
    return f"release/{row.pk}"


def _call_off(row: CatalogueUpgrade, campaign: Campaign, by: Player) -> None:
    _end(row, UpgradeState.CALLED_OFF, by)
    log_campaign_activity(campaign, f"Cancelled the change to catalogue version {row.release}", by)


def _end(row: CatalogueUpgrade, state: UpgradeState, by: Player) -> None:
    row.state, row.ended_by, row.ended_at = state, by, timezone.now()
    row.save(update_fields=["state", "ended_by", "ended_at"])


def describe_effective_date(row: CatalogueUpgrade) -> str:
    """Return in words when the change takes effect."""
    return f"from round {row.from_round}" if row.from_round else f"from {row.from_day:%-d %B %Y}"
