"""How another result of a match would change what territories yield: income already paid, bonuses of later matches."""

from __future__ import annotations

from datetime import UTC, datetime

from campaigns.income.fold import total_points
from campaigns.income.selectors import IncomeChange, describe_places
from campaigns.models import Match, MatchState, Outcome, RoundState
from rosters.entries.company import TerritoryIncome
from rosters.ledger.bookings import Draft
from systems import season_rules
from systems.arcs import StorylineBonus


def income_draft(change: IncomeChange) -> Draft | None:
    """Return the ledger entry for a company's income of a round; None if there is none."""
    if not change.after:
        return None
    facts = {
        "campaign": change.row.round.campaign.name,
        "round": change.row.round.number,
        "bill": [list(line) for line in change.after],
    }
    return Draft(kind=TerritoryIncome.slug, points=total_points(change.after), facts=facts)


def income_note(change: IncomeChange) -> str:
    """Return a sentence on how a company's income changes."""
    before, after = (describe_places(each) or "nothing" for each in (change.before, change.after))
    return f"Territories of round {change.row.round.number}: {after}, not {before}."


def bonus_changes(match: Match, state: str, outcome: str) -> dict[int, str]:
    """Return the later matches whose bonus for the match's territory would be wrong with the other result, and why.

    A match is wrong if it was opened with the bonus for a side that wouldn't have held the territory, or without it for
    the side that would have. Two queries; none if the match has no territory, or one without a bonus.
    """
    place = match.territory
    if place is None or not (place.bonus_points or place.bonus_rolls):
        return {}
    was, now = _winner_of_result(match, match.state, match.outcome), _winner_of_result(match, state, outcome)
    if was == now:
        return {}
    bonus = StorylineBonus(points=place.bonus_points, rolls=place.bonus_rolls)
    found: dict[int, str] = {}
    won_since: list[datetime] = []  # when the territory was won again after this match
    for row in _opened_after(match):
        opened_at = _opened_at(row)
        if any(at <= opened_at for at in won_since):
            break
        said = []
        for side, enrolment in enumerate((row.attacker, row.defender)):
            has_it = any(each[0] == side and each[1] == place.name for each in row.bonus)
            if enrolment is None or enrolment.pk not in (was, now) or (enrolment.pk == now) == has_it:
                continue
            if has_it:
                said.append(f"{bonus} for {place.name} was not due to {enrolment.company.name} here.")
            elif _can_use_bonus(row, side, bonus):
                said.append(f"{bonus} for {place.name} was due to {enrolment.company.name} here.")
        if said:
            found[row.pk] = " ".join(said)
        if row.territory_id == place.pk and row.decided_at and _winner_of_result(row, row.state, row.outcome) is not None:
            won_since.append(row.decided_at)
    return found


def _opened_after(match: Match) -> list[Match]:
    """Return the matches of later rounds in the order they were opened.

    Matches opened before this one was decided are left out: their bonus follows the holders of that time.
    """
    rows = Match.objects.filter(round__campaign=match.round.campaign_id, round__number__gt=match.round.number)
    rows = rows.exclude(round__state=RoundState.PLANNED).select_related(
        "round", "dice", "attacker__company", "defender__company"
    )
    found = sorted(rows, key=lambda row: (_opened_at(row), row.round.number, row.number))
    if match.decided_at is None or match.corrections.exists():  # a correction has overwritten decided_at
        return found
    return [row for row in found if _opened_at(row) >= match.decided_at]


def _opened_at(row: Match) -> datetime:
    """Return when a match was opened. One that joined an open round was opened later than the round."""
    opened = row.round.opens_at or datetime.min.replace(tzinfo=UTC)
    return max(opened, row.dice.at) if row.dice is not None else opened


def _can_use_bonus(row: Match, side: int, bonus: StorylineBonus) -> bool:
    """Return whether the bonus could apply: not to a bye, nor to a scenario without points and rolls of its own."""
    gains = [bonus if at == side else StorylineBonus() for at in (0, 1)]
    rules = season_rules(row.round.campaign.system)
    return row.defender_id is not None and rules.changed(row.scenario, gains) != row.scenario


def _winner_of_result(match: Match, state: str, outcome: str) -> int | None:
    """Return the winner's enrolment if the match ends like this."""
    sides = {Outcome.ATTACKER: match.attacker_id, Outcome.DEFENDER: match.defender_id}
    return (
        sides.get(Outcome(outcome)) if state in MatchState.counting() and state != MatchState.BYE and outcome else None
    )
