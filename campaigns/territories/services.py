"""Set the yields and borders of territories, and pay their holders."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta

from django.db import transaction
from django.db.models import F
from django.utils import timezone

from campaigns.activity_log import log_campaign_activity
from campaigns.locks import campaign_lock
from campaigns.models import (
    AttackRule,
    Campaign,
    CampaignState,
    EnrolmentState,
    Match,
    Round,
    RoundState,
    SeasonPairing,
    Territory,
    TerritoryIncome,
    TerritoryMap,
)
from campaigns.standings.selectors import territories
from campaigns.territories.income import IncomeChange, Yield, describe_places, income_changes, pays_income, total_points
from campaigns.territories.selectors import can_reach, income_draft, neighbours
from rosters.entries import company as kinds
from rosters.ledger.drafts import Draft
from rosters.ledger.records import TERRITORIES, company_balance
from rosters.models import Company, LedgerEntry, Player
from rosters.services import RefusedError
from rosters.services.base import Act, company_lock
from rosters.services.results import drafts_write
from systems import roster_rules, season_rules
from systems.legality import join_words
from systems.season import StorylineBonus
from systems.text import pluralize

MAX_INCOME = 1_000
MAX_BONUS_POINTS, MAX_BONUS_ROLLS = 50, 3
COMMIT_DELAY = timedelta(minutes=10)  # a decision may be written this long before it can be read
YIELD_PATTERN = re.compile(r"(\d{1,6})\s*(bonus points?|support rolls?|rolls?|points?|)", re.IGNORECASE)
YIELD_FORMAT_ERROR = "Write the yield of {} as “{}: 3 points, 1 support roll, 5 bonus points”, separated by commas."


@transaction.atomic
def yields_set(
    *, campaign: Campaign, by: Player, lines: Sequence[str] = (), brings: Mapping[str, Yield] | None = None
) -> None:
    """Set the territories' yields: by name, or as one line per territory: "Ford: 3 points, 1 support roll".

    Territories that aren't named yield nothing.
    """
    locked = campaign_lock(campaign)
    if locked.state not in (CampaignState.DRAFT, CampaignState.MUSTERING):
        raise RefusedError("yields", "Territory yields can't be changed once the campaign is running.")
    rows = {row.name.casefold(): row for row in locked.territories.all()}
    entries = list(brings.items()) if brings is not None else [_parse_line(line) for line in lines]
    if entries and not rows:
        raise RefusedError("yields", "Name the territories before you set their yields.")
    found: dict[int, Yield] = {}
    for name, each in entries:
        row = rows.get(name.strip().casefold())
        if row is None:
            raise RefusedError("yields", f"There is no territory “{name.strip()[:40]}” on this map.")
        if row.pk in found:
            raise RefusedError("yields", f"{row.name} has two lines. Write its yields in one.")
        _check_yield(locked, row, each)
        found[row.pk] = each
    changed = [row for row in rows.values() if _yield(row) != found.get(row.pk, Yield())]
    for row in changed:
        each = found.get(row.pk, Yield())
        row.income, row.bonus_points, row.bonus_rolls = each.income, each.bonus_points, each.bonus_rolls
        row.save(update_fields=["income", "bonus_points", "bonus_rolls"])
    if changed:
        log_campaign_activity(locked, f"Changed the territory yields of {locked.name}", by)


def yields_check(campaign: Campaign) -> None:
    """Raise RefusedError if a territory yields something that this campaign's mode of play doesn't have."""
    if campaign.map_kind == TerritoryMap.NONE:
        return
    for row in campaign.territories.all():
        _check_yield(campaign, row, _yield(row))


@transaction.atomic
def income_pay(*, round_: Round) -> tuple[IncomeChange, ...]:
    """Pay the income that a closed round owes, once, and adjust the income that earlier rounds paid.

    If several rounds belong to one round of a season, the first to close pays.
    """
    campaign = campaign_lock(round_.campaign)
    if not pays_income(campaign):
        return ()
    has_paid = _has_paid_in_the_season(round_)
    closed = Round.objects.filter(pk=round_.pk, state=RoundState.CLOSED, settled_at=None)
    if closed.update(settled_at=timezone.now()) and not has_paid:
        there = campaign.enrolments.filter(state=EnrolmentState.ACCEPTED, company__disbanded_at=None).order_by("pk")
        TerritoryIncome.objects.bulk_create(TerritoryIncome(round=round_, enrolment=each) for each in there)
    return _settle(campaign)


@transaction.atomic
def income_settle(*, campaign: Campaign) -> tuple[IncomeChange, ...]:
    """Adjust the paid income of closed rounds to the current results."""
    locked = campaign_lock(campaign)
    return _settle(locked) if pays_income(locked) else ()


def campaigns_with_late_results() -> list[Campaign]:
    """Return the campaigns in which a match for a territory was decided after its round had paid."""
    late = (
        Match.objects.filter(territory__isnull=False, round__settled_at__isnull=False)
        .filter(decided_at__gt=F("round__settled_at") - COMMIT_DELAY)
        .filter(decided_at__gt=F("round__closed_at") - COMMIT_DELAY)
    )
    return list(Campaign.objects.filter(pk__in=late.order_by().values("round__campaign")))


def incomes_write(changes: Sequence[IncomeChange]) -> None:
    """Save the income rows after a correction that has written their ledger entries itself."""
    for change in changes:
        _row_write(change)


def bonuses_grant(campaign: Campaign, matches: Iterable[Match]) -> None:
    """Give matches that are being opened the bonuses of the territories their sides hold now."""
    if campaign.map_kind == TerritoryMap.NONE or not season_rules(campaign.system).has_bonuses:
        return
    places = {each.pk: each for each in campaign.territories.all()}
    if not any(each.bonus_points or each.bonus_rolls for each in places.values()):
        return
    held: dict[int, list[Territory]] = {}
    for place in territories(campaign):
        if place.holder is not None:
            held.setdefault(place.holder, []).append(places[place.id])
    for match in matches:
        if match.defender_id is not None:
            _grant(match, held)


def _has_paid_in_the_season(round_: Round) -> bool:
    """Return whether another round of the campaign has paid for the same round of a season.

    Pairings agreed late have rounds of their own beside the first, and a territory pays once for all of them.
    """
    of_season = SeasonPairing.objects.filter(match__round=round_).values("round")
    others = Round.objects.filter(campaign=round_.campaign_id, settled_at__isnull=False).exclude(pk=round_.pk)
    return others.filter(matches__season_pairing__round__in=of_season).exists()


def _settle(campaign: Campaign) -> tuple[IncomeChange, ...]:
    changes = income_changes(campaign)
    for company in Company.objects.filter(pk__in=[each.company.pk for each in changes]).order_by("pk"):
        company_lock(company, even_disbanded=True)
    for change in changes:
        _pay(change)
    campaign.rounds.filter(settled_at__isnull=False).update(settled_at=timezone.now())
    for number in sorted({each.row.round.number for each in changes}):
        changed = [
            f"{each.company.name} {each.points:+d}, now {describe_places(each.after) or 'nothing'}"
            for each in changes
            if each.row.round.number == number
        ]
        log_campaign_activity(campaign, f"Territories of round {number}: {'; '.join(changed)}", None)
    return changes


def _pay(change: IncomeChange) -> None:
    """Write the change to the ledger. The house lends points that the company must give back but has already spent."""
    company, ref = Company.objects.get(pk=change.company.pk), str(change.row.key)
    standing = company.ledger.filter(kind=kinds.TerritoryIncome.slug, cause_ref=ref, reverses=None, reversed_by=None)
    drafts = [_reversal(entry) for entry in standing]
    if (draft := income_draft(change)) is not None:
        drafts.append(draft)
    short = -(company_balance(company) + sum(each.points for each in drafts))
    if short > 0:
        words = roster_rules(company.system).words
        reason = f"{words.money} spent from territory income since corrected, now a debt"
        drafts.append(Draft(kind=kinds.Adjusted.slug, points=short, facts={"reason": reason, "loan": short}))
    drafts_write(Act(company, None, cause=TERRITORIES, cause_ref=ref), drafts)
    _row_write(change)


def _reversal(entry: LedgerEntry) -> Draft:
    return Draft(kind=kinds.Reversed.slug, points=-entry.points, facts={"kind": entry.kind}, reverses=entry.pk)


def _row_write(change: IncomeChange) -> None:
    change.row.points, change.row.places = total_points(change.after), [list(line) for line in change.after]
    change.row.save(update_fields=["points", "places"])


def _grant(match: Match, held: Mapping[int, Sequence[Territory]]) -> None:
    bonus: list[list[object]] = []
    gains = []
    for side, pk in enumerate((match.attacker_id, match.defender_id)):
        gain = StorylineBonus()
        for place in held.get(pk or 0, ()):
            if place.bonus_points or place.bonus_rolls:
                bonus.append([side, place.name, place.bonus_points, place.bonus_rolls])
                gain += StorylineBonus(points=place.bonus_points, rolls=place.bonus_rolls)
        gains.append(gain)
    changed = season_rules(match.round.campaign.system).changed(match.scenario, gains)
    if bonus and changed != match.scenario:
        match.scenario, match.bonus = changed, bonus
        match.save(update_fields=["scenario", "bonus"])


def _yield(row: Territory) -> Yield:
    return Yield(income=row.income, bonus_points=row.bonus_points, bonus_rolls=row.bonus_rolls)


def _parse_line(line: str) -> tuple[str, Yield]:
    name, _, brings = line.partition(":")
    name = name.strip()
    found = {"income": 0, "bonus_points": 0, "bonus_rolls": 0}
    for part in brings.split(","):
        match = YIELD_PATTERN.fullmatch(part.strip())
        if match is None:
            raise RefusedError("yields", YIELD_FORMAT_ERROR.format(name[:40] or "a territory", name[:40] or "Ford"))
        word = match[2].casefold()
        what = "bonus_points" if word.startswith("bonus") else "bonus_rolls" if "roll" in word else "income"
        found[what] += int(match[1])
    return name, Yield(**found)


def _check_yield(campaign: Campaign, row: Territory, brings: Yield) -> None:
    rules, game = season_rules(campaign.system), roster_rules(campaign.system).name
    for value, most, what in (
        (brings.income, MAX_INCOME, "points per round"),
        (brings.bonus_points, MAX_BONUS_POINTS, "bonus points"),
        (brings.bonus_rolls, MAX_BONUS_ROLLS, "support rolls"),
    ):
        if not 0 <= value <= most:
            raise RefusedError("yields", f"{row.name} can yield at most {pluralize(most, what)}.")
    if brings.income and rules.builds_fresh(campaign.options):
        raise RefusedError(
            "yields",
            f"Companies that buy units for each match can't use income. Give {row.name} a bonus instead.",
        )
    if (brings.bonus_points or brings.bonus_rolls) and not rules.has_bonuses:
        raise RefusedError("yields", f"{game} has no match bonuses. Give {row.name} points per round instead.")


def format_yield_line(row: Territory) -> str:
    """Return a territory's yield as a line of the form; empty if it yields nothing."""
    brings = _yield(row)
    parts = [
        pluralize(brings.income, "points") if brings.income else "",
        pluralize(brings.bonus_points, "bonus points") if brings.bonus_points else "",
        pluralize(brings.bonus_rolls, "support rolls") if brings.bonus_rolls else "",
    ]
    return f"{row.name}: {', '.join(filter(None, parts))}" if any(parts) else ""


def describe_payments(changes: Sequence[IncomeChange]) -> str:
    """Return the result of a close in words."""
    companies = [each.company.name for each in changes]
    return f"paid to {join_words(companies)}" if companies else "nothing to pay"


@transaction.atomic
def borders_set(
    *, campaign: Campaign, by: Player, lines: Sequence[str] = (), beside: Mapping[str, Sequence[str]] | None = None
) -> None:
    """Set the organiser's own borders: neighbours by name, or as lines, one territory each: "Ford: Hill, Mill".

    Without any, the borders follow the map's shape. A border that is named on one side exists on both.
    """
    locked = campaign_lock(campaign)
    if locked.state not in (CampaignState.DRAFT, CampaignState.MUSTERING):
        raise RefusedError("borders", "The map can't be changed once the campaign is running.")
    rows = {row.name.casefold(): row for row in locked.territories.all()}
    entries = list(beside.items()) if beside is not None else [_written(line) for line in lines]
    if entries and not rows:
        raise RefusedError("borders", "Name the territories before you set their neighbours.")
    found: dict[str, list[int]] = {}
    for name, names in entries:
        place = _named(rows, name)
        if place.name in found:
            raise RefusedError("borders", f"{place.name} has two lines. Write its neighbours in one.")
        others = [_named(rows, each) for each in names]
        if not others:
            raise RefusedError("borders", f"Write the neighbours of {place.name} after a colon: “{place.name}: …”.")
        if place in others:
            raise RefusedError("borders", f"{place.name} can't be its own neighbour.")
        found[place.name] = sorted({each.position for each in others})
    changed = [row for row in rows.values() if row.neighbours != found.get(row.name, [])]
    for row in changed:
        row.neighbours = found.get(row.name, [])
        row.save(update_fields=["neighbours"])
    if changed:
        log_campaign_activity(locked, f"Changed the borders of the map of {locked.name}", by)


@dataclass(frozen=True, slots=True)
class Reach:
    """The territories that matches can be for, by the present map; any if `beside` is None."""

    held: Mapping[int, Collection[int]]  # positions, by enrolment
    beside: Mapping[int, frozenset[int]] | None

    def allows(self, sides: Sequence[int | None], position: int) -> bool:
        """Return whether a side that doesn't hold the territory can reach it; if all of them hold it, any "
        "side will do."""
        if self.beside is None:
            return True
        there = [side for side in sides if side is not None]
        challengers = [side for side in there if position not in self.held.get(side, ())] or there
        return any(can_reach(self.held.get(side, ()), position, self.beside) for side in challengers)


def reach_of(campaign: Campaign) -> Reach:
    """Return the territories within reach by the campaign's attack rule; all of them if it has none."""
    if campaign.attack_rule != AttackRule.NEIGHBOURS:
        return Reach({}, None)
    held: dict[int, set[int]] = {}
    for place in territories(campaign):
        if place.holder is not None:
            held.setdefault(place.holder, set()).add(place.position)
    own = {row.position: row.neighbours for row in campaign.territories.all()}
    return Reach(held, neighbours(campaign.map_kind, own))


def _written(line: str) -> tuple[str, list[str]]:
    name, _, names = line.partition(":")
    return name, [each for each in names.split(",") if each.strip()]


def _named(rows: dict[str, Territory], name: str) -> Territory:
    row = rows.get(name.strip().casefold())
    if row is None:
        raise RefusedError("borders", f"There is no territory “{name.strip()[:40]}” on this map.")
    return row
