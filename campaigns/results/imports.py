"""Import a club's past results into the standings; the ledgers aren't affected."""

from __future__ import annotations

from datetime import datetime, time

from django.db import transaction
from django.utils import timezone

from campaigns.activity_log import log_activity
from campaigns.arbiters import import_own_case
from campaigns.locks import campaign_lock
from campaigns.models import (
    Campaign,
    DecidedBy,
    Enrolment,
    EnrolmentState,
    Match,
    MatchState,
    Outcome,
    Round,
    RoundState,
)
from campaigns.policy import TAKES_COMPANIES
from campaigns.results.imported_table import (
    NO_ANSWERS,
    Answers,
    CompanyName,
    CompanyNames,
    ImportedResult,
    ImportedTable,
    kills_as_figures,
    parse_results,
)
from rosters.models import Player, player_display_name
from rosters.services import RefusedError

NOT_RECORDED = "not recorded"


def company_names(campaign: Campaign) -> CompanyNames:
    """Return the companies that results may name: the accepted ones, by enrolment."""
    rows = Enrolment.objects.filter(campaign=campaign, state=EnrolmentState.ACCEPTED).order_by("pk")
    rows = rows.annotate(player=player_display_name("company__owner"))
    found = rows.values_list("pk", "company__name", "player", "company__owner__username", named=True)
    return CompanyNames(
        {
            row.pk: CompanyName(name=row.company__name, player=row.player, username=row.company__owner__username)
            for row in found
        }
    )


def preview_results(*, campaign: Campaign, text: str, answers: Answers = NO_ANSWERS) -> ImportedTable:
    """Return what the text would import, line by line; changes nothing."""
    taken = list(campaign.rounds.values_list("number", flat=True))
    return parse_results(text, company_names(campaign), taken, timezone.localdate(), answers)


@transaction.atomic
def import_results(*, campaign: Campaign, text: str, by: Player, answers: Answers = NO_ANSWERS) -> list[Round]:
    """Create closed rounds with a decided match for each line; all of them, or none if a line is wrong.

    If there is another organiser, only they can import results of `by`'s own companies.
    """
    locked = campaign_lock(campaign)
    if locked.state not in TAKES_COMPANIES:
        raise RefusedError(
            "campaign",
            f"You can only import results while sign-ups are open or the campaign is running; it is {locked.state}.",
        )
    table = preview_results(campaign=locked, text=text, answers=answers)
    if table.objection:
        raise RefusedError("text", table.objection)
    own_case = _own_case(locked, table, by)
    rounds = []
    for number in sorted({result.round for result in table.results}):
        rounds.append(_round(locked, number, [each for each in table.results if each.round == number], by))
    matches = len(table.results)
    log_activity(
        club=locked.club,
        campaign=locked,
        text=f"{matches} {'result' if matches == 1 else 'results'} imported, in {len(rounds)} "
        f"{'round' if len(rounds) == 1 else 'rounds'}{own_case}",
        by=by,
    )
    return rounds


def _round(campaign: Campaign, number: int, results: list[ImportedResult], by: Player) -> Round:
    days = [_noon(result) for result in results]
    round_ = Round.objects.create(
        campaign=campaign,
        number=number,
        state=RoundState.CLOSED,
        opens_at=min(days),
        deadline=max(days),
        closed_at=max(days),
    )
    Match.objects.bulk_create(
        Match(
            round=round_,
            number=place,
            scenario="",
            scenario_name=result.scenario or NOT_RECORDED,
            attacker_id=result.attacker,
            defender_id=result.defender,
            state=MatchState.CONFIRMED,
            outcome=Outcome(result.winner),
            decided_by=DecidedBy.IMPORT,
            decided_at=day,
            decider=by,
            past={"attacker_kills": result.attacker_kills, "defender_kills": result.defender_kills},
            figures=kills_as_figures(result.attacker_kills, result.defender_kills),
        )
        for place, (result, day) in enumerate(zip(results, days, strict=True), start=1)
    )
    return round_


def _own_case(campaign: Campaign, table: ImportedTable, by: Player) -> str:
    sides = {each.attacker for each in table.results} | {each.defender for each in table.results}
    owners = Enrolment.objects.filter(pk__in=sides).values_list("company__owner", flat=True)
    return import_own_case(campaign.club, owners, by)


def _noon(result: ImportedResult) -> datetime:
    return timezone.make_aware(datetime.combine(result.on, time(12)))
