"""Plan, draw, change and publish rounds and their matches, as far as a running season allows."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import TypedDict

from django.db import transaction
from django.utils import timezone

from battles.services.dice import dice_seal
from campaigns import hooks, pairing
from campaigns.activity_log import log_activity, log_campaign_activity
from campaigns.arbiters import (
    byes_own_case,
    check_bye_needed,
    pairing_method_own_case,
    pairing_own_case,
    round_own_case,
)
from campaigns.army_lists.purchases import buys_units_per_match, seal_support_dice
from campaigns.army_lists.services import orders_publish
from campaigns.catalogue_upgrades.services import make_due_adoption
from campaigns.cups.services import CUP_PAIRINGS, cup_next_round, ties_save
from campaigns.locks import campaign_lock, require_running
from campaigns.models import (
    Campaign,
    CampaignPairingMethod,
    Cup,
    CupTie,
    DecidedBy,
    Enrolment,
    EnrolmentState,
    FairDraw,
    Match,
    MatchState,
    Outcome,
    Round,
    RoundClose,
    RoundState,
    Season,
    SeasonState,
    Territory,
)
from campaigns.notifications import notify
from campaigns.pairing import Draw
from campaigns.planning.draws import _create_matches, entrants_of, ground_choices, pairs_met, terrains_for
from campaigns.storylines.services import next_storyline_step, storyline_round_create, storyline_terms_set
from campaigns.territories.services import bonuses_grant, reach_of
from rosters.jobs import JobStatus
from rosters.models import Player
from rosters.services import RefusedError
from rosters.site.forms import days_later
from rosters.site.job_runs import wake
from systems import roster_rules, season_rules


def running_season(campaign: Campaign) -> Season | None:
    """Return the running season that the campaign is part of, if there is one."""
    return Season.objects.filter(games__campaign=campaign, state=SeasonState.RUNNING).first()


def refuse_own_rounds(campaign: Campaign) -> None:
    """Raise RefusedError for a round of the campaign's own while its season pairs the players."""
    season = running_season(campaign)
    if season is not None:
        raise RefusedError("round", f"{campaign.name} is part of the season {season}, which does the pairings.")


def refuse_finish(campaign: Campaign) -> None:
    """Raise RefusedError for finishing a campaign that its season still needs."""
    season = running_season(campaign)
    if season is not None:
        raise RefusedError("season", f"It is still part of the season {season}. Finish the season first.")


DEADLINE_TOLERANCE = timedelta(hours=1)  # a form was rendered a while ago, and is rounded to minutes


class MatchSettings(TypedDict):
    """The fields an organiser sets for a match."""

    attacker: Enrolment
    defender: Enrolment | None
    scenario: int
    terrain: str
    territory: Territory | None


@transaction.atomic
def round_plan(*, campaign: Campaign, by: Player | None, way: str = "") -> Round:
    """Plan the next round, drawn by the campaign's pairing method or by `way`; players don't see it until it is opened.

    Fair matches are drawn by a worker, which calculates the odds first: until then the round is empty. An organiser who
    plays can't choose another way than the campaign's if another organiser could.
    """
    locked = campaign_lock(campaign)
    way = way or locked.pairing
    if way not in CampaignPairingMethod.values:
        raise RefusedError("way", "There is no such pairing method.")
    check_can_plan_round(locked)
    entrants = entrants_of(locked)
    own_case = pairing_method_own_case(locked, way, by)
    last = locked.rounds.order_by("-number").first()
    row = Round.objects.create(campaign=locked, number=(last.number if last else 0) + 1)
    if way == CampaignPairingMethod.ROUND_ROBIN:
        _create_matches(row, pairing.pair_round_robin(entrants, row.number, pairs_met(locked)))
    elif way == CampaignPairingMethod.SWISS:
        _create_matches(row, pairing.pair_swiss(entrants, pairs_met(locked)))
    elif way == CampaignPairingMethod.FAIR:
        job = FairDraw.objects.create(round=row, asked_by=by)
        transaction.on_commit(lambda: wake("campaigns.tasks.fair_draw", job.pk))
    elif way in CUP_PAIRINGS:
        cup, draw, places = cup_next_round(campaign=locked, way=way, number=row.number, entrants=entrants, by=by)
        _create_matches(row, draw)
        ties_save(cup=cup, row=row, places=places)
    elif way == CampaignPairingMethod.STORYLINE:
        due = next_storyline_step(campaign=locked, entrants=entrants, by=by)
        _create_matches(row, due.draw, [each for each in ground_choices(locked) if each.value == due.scenario])
        storyline_round_create(row=row, due=due)
    log_campaign_activity(locked, f"Planned {row}: {CampaignPairingMethod(way).label}{own_case}", by)
    return row


def check_can_plan_round(campaign: Campaign) -> None:
    """Refuse if the campaign can't plan a round now, by any pairing method."""
    require_running(campaign)
    refuse_own_rounds(campaign)
    if campaign.rounds.filter(state=RoundState.PLANNED).exists():
        raise RefusedError("round", "A round is already planned. Publish or discard it first.")
    if campaign.enrolments.filter(state=EnrolmentState.ACCEPTED).count() < 2:
        raise RefusedError("round", "A round needs at least two companies.")


@transaction.atomic
def round_drop(*, round_: Round, by: Player) -> None:
    """Discard a planned round."""
    campaign = campaign_lock(round_.campaign)
    row = _planned(round_)
    row.matches.all().delete()
    Cup.objects.filter(campaign=campaign, since=row.number).update(since=None)  # the cup is drawn with its first round
    row.delete()
    log_campaign_activity(campaign, f"Discarded {round_}", by)


@transaction.atomic
def round_redraw(*, round_: Round, by: Player, way: str = "") -> Round:
    """Draw a planned round again; nothing changes if it is refused."""
    campaign = campaign_lock(round_.campaign)
    round_drop(round_=round_, by=by)
    return round_plan(campaign=campaign, by=by, way=way)


@transaction.atomic
def round_open(*, round_: Round, by: Player | None, deadline: datetime | None = None, is_finale: bool = False) -> Round:
    """Open a planned round to its players; byes count at once.

    A finale is played by the game's rules for the last battles of a campaign. If absent players' matches are simulated
    by their orders, their odds are published now. An organiser who plays in the round can't set a deadline sooner than
    the campaign's pace, nor open it with a bye of their own, if another organiser could.
    """
    campaign = campaign_lock(round_.campaign)
    require_running(campaign)
    make_due_adoption(campaign)
    row = _planned(round_)
    if not row.matches.exists():
        raise RefusedError("round", f"{row} has no matches yet. Add one first.")
    twice = _seated_twice(row)
    if twice:
        raise RefusedError("round", f"{', '.join(twice)} would play twice in {row}. Change the pairings.")
    if is_finale and not season_rules(campaign.system).finale_options:
        raise RefusedError(
            "is_finale", f"{roster_rules(campaign.system, campaign.catalogue_release).name} has no rules for a finale."
        )
    own_case = byes_own_case(row, by)
    now = timezone.now()
    due = days_later(now, campaign.pace_days, by.time_zone if by else "")
    deadline = deadline or due
    if deadline <= now:
        raise RefusedError("deadline", "The deadline must be in the future.")
    if deadline < due - DEADLINE_TOLERANCE:
        round_own_case(row, by, is_shorter=True)
    left_out = _left_out(row)
    row.state, row.opens_at, row.deadline, row.is_finale = RoundState.OPEN, now, deadline, is_finale
    row.save(update_fields=["state", "opens_at", "deadline", "is_finale"])
    bonuses_grant(campaign, row.matches.all())
    for match in row.matches.all():
        _match_open(match, campaign)
    for announce in hooks.new_fixtures:
        announce(campaign)
    log_campaign_activity(campaign, f"Published {row}{', the finale' if is_finale else ''}{own_case}{left_out}", by)
    notify.round_opened(row, by)
    return row


@transaction.atomic
def match_create_outside_pairing(
    *, campaign: Campaign, one: Enrolment, two: Enrolment, deadline: datetime, beside: Round | None, by: Player | None
) -> Match:
    """Create a match of two companies outside the campaign's own pairing, open to its players at once.

    It goes into the open round `beside`, or into a round of its own that is open until the deadline. Who attacks, where
    and on which ground follow from the campaign as usual.
    """
    locked = campaign_lock(campaign)
    require_running(locked)
    _require_participants(locked, one, two)
    row = Round.objects.select_for_update(no_key=True).filter(pk=beside.pk).first() if beside else None
    is_new = row is None or not _takes_more(row, one, two)
    if row is None or is_new:
        if locked.rounds.filter(state=RoundState.PLANNED).exists():
            raise RefusedError("round", f"A round of {locked.name} is already planned. Publish or discard it first.")
        make_due_adoption(locked)
        last = locked.rounds.order_by("-number").first()
        row = Round.objects.create(
            campaign=locked,
            number=(last.number if last else 0) + 1,
            state=RoundState.OPEN,
            opens_at=timezone.now(),
            deadline=deadline,
        )
    entrants = {each.id: each for each in entrants_of(locked)}
    first = _next_number(row)
    _create_matches(row, Draw(fixtures=(pairing.build_fixture(one.pk, two.pk, entrants),)), first=first)
    match = row.matches.get(number=first)
    bonuses_grant(locked, [match])
    _match_open(match, locked)
    for announce in hooks.new_fixtures:
        announce(locked)
    if is_new:
        log_campaign_activity(locked, f"Published {row}", by)
        notify.round_opened(row, by)
    else:
        notify.match_joined(match)
    return match


def _takes_more(row: Round, *sides: Enrolment) -> bool:
    """Return whether a match of these two can be added to an open round, which isn't over and has neither of them."""
    if row.state != RoundState.OPEN or (row.deadline is not None and row.deadline <= timezone.now()):
        return False
    if RoundClose.objects.filter(round=row).exists():
        return False
    seated = row.matches.values_list("attacker", "defender")
    return not {side.pk for side in sides} & {pk for pair in seated for pk in pair}


def _match_open(match: Match, campaign: Campaign) -> None:
    """Open a match to its players; a bye counts at once."""
    if match.defender_id is None:
        match.state, match.outcome = MatchState.BYE, Outcome.ATTACKER
        match.decided_by, match.decided_at = DecidedBy.ORGANISER, timezone.now()
    else:
        match.dice = dice_seal()
    match.save()
    if match.defender_id is not None:
        if buys_units_per_match(campaign):
            seal_support_dice(match)
        orders_publish(match)


@transaction.atomic
def round_set_deadline(*, round_: Round, deadline: datetime, by: Player) -> Round:
    """Change the deadline of an open round. An organiser with an undecided match in it leaves this to "
    "another, if any."""
    campaign = campaign_lock(round_.campaign)
    row = Round.objects.select_for_update(no_key=True).get(pk=round_.pk)
    if row.state != RoundState.OPEN:
        raise RefusedError("deadline", f"{row} is {row.get_state_display()}.")
    if RoundClose.objects.filter(round=row, status__in=(JobStatus.QUEUED, JobStatus.RUNNING)).exists():
        raise RefusedError("deadline", f"{row} is closing, so its deadline can't be moved.")
    if deadline <= timezone.now():
        raise RefusedError("deadline", "The deadline must be in the future.")
    own_case = round_own_case(row, by, is_shorter=row.deadline is not None and deadline < row.deadline)
    row.deadline, row.deadline_set_at = deadline, timezone.now()
    row.save(update_fields=["deadline", "deadline_set_at"])
    log_campaign_activity(campaign, f"Moved the deadline of {row}{own_case}", by)
    notify.deadline_moved(row, by)
    return row


@transaction.atomic
def match_add(
    *,
    round_: Round,
    attacker: Enrolment,
    defender: Enrolment | None,
    by: Player,
    scenario: int = 0,
    terrain: str = "",
    territory: Territory | None = None,
) -> Match:
    """Add a match to a planned round manually; `scenario` is a position in the campaign's list.

    A match of an organiser's own company is left to another organiser, if there is one.
    """
    campaign = campaign_lock(round_.campaign)
    row = _planned(round_)
    _require_participants(campaign, attacker, defender)
    own_case = pairing_own_case(row, (attacker, defender), by)
    if defender is None:
        check_bye_needed(row, attacker, by)
    match = Match(round=row, number=_next_number(row), attacker=attacker, defender=defender)
    _set_ground(match, campaign, scenario, terrain, territory)
    storyline_terms_set(match)
    match.save()
    if own_case or defender is None:
        text = f"Added {match} to {row}{own_case}"
        log_activity(club=campaign.club, campaign=campaign, match=match, text=text, by=by)
    return match


@transaction.atomic
def match_change(
    *,
    match: Match,
    by: Player,
    attacker: Enrolment,
    defender: Enrolment | None,
    scenario: int,
    terrain: str,
    territory: Territory | None = None,
) -> Match:
    """Change a match of a planned round.

    A match of an organiser's own company is left to another organiser, if there is one; else the log says so.
    """
    campaign = campaign_lock(match.round.campaign)
    row = _planned(match.round)
    match = _refetch(match)
    _require_participants(campaign, attacker, defender)
    before, sides = _settings_of(match), (match.attacker, match.defender)
    match.attacker, match.defender = attacker, defender
    _set_ground(match, campaign, scenario, terrain, territory)
    storyline_terms_set(match)
    if _settings_of(match) == before:
        return match
    own_case = pairing_own_case(row, (*sides, attacker, defender), by)
    is_bye = defender is None and before[:2] != (attacker.pk, None)
    if is_bye:
        check_bye_needed(row, attacker, by)
    match.save()
    if own_case or is_bye:
        text = f"Changed table {match.number} of {match.round}{own_case}: now {match}"
        log_activity(club=campaign.club, campaign=campaign, match=match, text=text, by=by)
    return match


@transaction.atomic
def match_remove(*, match: Match, by: Player) -> None:
    """Take a match out of a planned round.

    A match of an organiser's own company is left to another organiser, if there is one; else the log says so, without
    names.
    """
    campaign = campaign_lock(match.round.campaign)
    row = _planned(match.round)
    match = _refetch(match)
    if own_case := pairing_own_case(row, (match.attacker, match.defender), by):
        log_campaign_activity(campaign, f"Removed table {match.number} from {row}{own_case}", by)
    match.delete()


def fair_round_draw(*, round_: Round, chances: Mapping[tuple[int, int], float]) -> None:
    """Draw a planned round by the calculated odds; do nothing if it has matches already."""
    campaign = campaign_lock(round_.campaign)
    row = _planned(round_)
    if not row.matches.exists():
        _create_matches(row, pairing.pair_fairly(entrants_of(campaign), pairs_met(campaign), chances))


def _set_ground(match: Match, campaign: Campaign, scenario: int, terrain: str, territory: Territory | None) -> None:
    if not 0 <= scenario < len(campaign.scenarios):
        raise RefusedError("scenario", f"This scenario isn't in {campaign.name}.")
    chosen = campaign.scenarios[scenario]
    known = terrains_for(campaign, chosen["value"])
    if terrain and terrain not in known:
        raise RefusedError("terrain", f"{chosen['name']} can't be played on this terrain.")
    if territory is not None and territory.campaign_id != campaign.pk:
        raise RefusedError("territory", "This territory isn't on the campaign's map.")
    sides = (match.attacker_id, match.defender_id)
    if territory is not None and not reach_of(campaign).allows(sides, territory.position):
        reason = f"{territory.name} is out of reach: the attacker holds none of its neighbours."
        raise RefusedError("territory", reason)
    match.scenario, match.scenario_name, match.terrain = chosen["value"], chosen["name"], terrain or known[0]
    match.territory = territory


def _settings_of(match: Match) -> tuple[object, ...]:
    """Return the settings of a match that an organiser chooses."""
    ground = (match.scenario, match.terrain, match.territory_id)
    return match.attacker_id, match.defender_id, *ground


def _require_participants(campaign: Campaign, attacker: Enrolment, defender: Enrolment | None) -> None:
    for side in (attacker, defender):
        if side is not None and (side.campaign_id != campaign.pk or side.state != EnrolmentState.ACCEPTED):
            raise RefusedError("attacker", f"{side.company.name} isn't in {campaign.name}.")
    if defender is not None and attacker.pk == defender.pk:
        raise RefusedError("defender", "A company can't play itself.")


def _planned(round_: Round) -> Round:
    row = Round.objects.select_for_update(of=("self",), no_key=True).select_related("campaign__club").get(pk=round_.pk)
    if row.state != RoundState.PLANNED:
        raise RefusedError("round", f"{row} is {row.get_state_display()}, so its pairings can't be changed.")
    return row


def _refetch(match: Match) -> Match:
    """Return the match of a locked plan as it is now: somebody may have changed it since it was read."""
    rows = Match.objects.select_related("round__campaign__club", "attacker__company", "defender__company")
    found = rows.filter(pk=match.pk).first()
    if found is None:
        raise RefusedError("match", "That match is no longer in the plan.")
    return found


def _next_number(row: Round) -> int:
    last = row.matches.order_by("-number").first()
    return (last.number if last else 0) + 1


def _left_out(row: Round) -> str:
    """Return a note for the log on companies without a match in a round; empty for a cup's round."""
    if row.campaign.pairing in CUP_PAIRINGS or CupTie.objects.filter(match__round=row).exists():
        return ""
    seated = {pk for pair in row.matches.values_list("attacker", "defender") for pk in pair if pk is not None}
    rows = row.campaign.enrolments.filter(state=EnrolmentState.ACCEPTED).exclude(pk__in=seated)
    names = list(rows.order_by("company__name").values_list("company__name", flat=True))
    return f"; not paired: {', '.join(names)}" if names else ""


def _seated_twice(row: Round) -> list[str]:
    seats: list[Enrolment] = []
    for match in row.matches.select_related("attacker__company", "defender__company"):
        seats += [side for side in (match.attacker, match.defender) if side is not None]
    ids = [side.pk for side in seats]
    return sorted({side.company.name for side in seats if ids.count(side.pk) > 1})
