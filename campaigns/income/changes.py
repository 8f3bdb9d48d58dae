"""What another result of one match would do to what territories bring: to income that was paid, and to later matches."""

from __future__ import annotations

from campaigns.income.fold import total
from campaigns.income.selectors import Change, places_told
from campaigns.models import Match, Outcome, RoundState
from campaigns.selectors.standings import COUNTED
from rosters.ledger.bookings import Draft
from rosters.ledger.kinds.company import TerritoryIncome
from systems.arcs import Gain


def income_draft(change: Change) -> Draft | None:
    """The entry that says what a company has of a round's close; None where that is nothing."""
    if not change.after:
        return None
    facts = {
        "campaign": change.row.round.campaign.name,
        "round": change.row.round.number,
        "bill": [list(line) for line in change.after],
    }
    return Draft(kind=TerritoryIncome.slug, points=total(change.after), facts=facts)


def income_note(change: Change) -> str:
    """What becomes of a company's income, a sentence."""
    before, after = (places_told(each) or "nothing" for each in (change.before, change.after))
    return f"Territories of round {change.row.round.number}: {after}, not {before}."


def bonus_changes(match: Match, state: str, outcome: str) -> dict[int, str]:
    """Later matches that were opened with a bonus of the match's territory for who would not have held it, and why, by
    match. One query; none of a match that is for no territory, or for one that gives no bonus."""
    place = match.territory
    if place is None or not (place.bonus_points or place.bonus_rolls):
        return {}
    sides = {Outcome.ATTACKER: match.attacker_id, Outcome.DEFENDER: match.defender_id}
    was, now = (
        sides.get(Outcome(ended)) if counts in COUNTED and ended else None
        for counts, ended in ((match.state, match.outcome), (state, outcome))
    )
    if was == now:
        return {}
    bonus = Gain(points=place.bonus_points, rolls=place.bonus_rolls)
    later = Match.objects.filter(round__campaign=match.round.campaign_id, round__number__gt=match.round.number)
    rows = later.exclude(round__state=RoundState.PLANNED).select_related(
        "round", "attacker__company", "defender__company"
    )
    found: dict[int, str] = {}
    fought = False
    for row in rows.order_by("round__number", "number"):
        for side, enrolment in enumerate((row.attacker, row.defender)):
            has_it = any(each[0] == side and each[1] == place.name for each in row.bonus)
            if enrolment is not None and not fought and (enrolment.pk == now) != has_it and enrolment.pk in (was, now):
                verb = "was due" if not has_it else "was not due"
                found[row.pk] = f"{bonus} for {place.name} {verb} to {enrolment.company.name} here."
        fought = fought or row.territory_id == place.pk
    return found
