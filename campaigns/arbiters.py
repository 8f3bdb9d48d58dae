"""Checks that nobody judges their own match, and the other side's consent to it. Decision 16."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Sequence

from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils import timezone

from campaigns import policy
from campaigns.activity_log import log_match_activity
from campaigns.locks import match_lock, side_enrolment
from campaigns.models import (
    ArbiterConsent,
    Campaign,
    CampaignPairingMethod,
    Club,
    CupTie,
    Enrolment,
    EnrolmentState,
    Match,
    MatchState,
    Role,
    Round,
    RoundState,
    Ruling,
    SubmittedList,
)
from rosters.models import Player
from rosters.services import RefusedError

OWN_CASE = "their own match; no other organiser was free"


def check_judge(match: Match, by: Player) -> str:
    """Raise RefusedError if `by` may not judge this match. Return a note for the activity log if they play in it."""
    if why := policy.judge_refusal(by, match):
        raise RefusedError("judge", why)
    own = policy.sides_of(by, match)
    if not own:
        return ""
    if len(own) == 2 or match.defender is None or policy.has_left(_owner(match, 1 - own[0])):
        return f" ({OWN_CASE})"
    return f" (by a player in the match, with the consent of {_owner(match, 1 - own[0])})"


def mark_consents_used(matches: Iterable[Match], ruling: Ruling) -> None:
    """Mark the consents as used by this ruling; they allow no other."""
    ArbiterConsent.objects.filter(match__in=list(matches), ruling=None).update(ruling=ruling)


@transaction.atomic
def consent_give(*, match: Match, side: int, by: Player) -> ArbiterConsent:
    """Let the player of the other side judge the match, if nobody else in the club can."""
    locked = match_lock(match)
    side_enrolment(locked, 1)
    if not policy.can_consent(by, locked):
        free = policy.free_judges(locked)
        why = f"{policy.join_with_or(free)} can judge it" if free else "your opponent is neither arbiter nor organiser"
        raise RefusedError("consent", f"This match needs no consent of yours: {why}.")
    consent, is_new = ArbiterConsent.objects.get_or_create(
        match=locked, side=side, ruling=None, defaults={"created_by": by}
    )
    if is_new:
        log_match_activity(
            locked, f"{by} allowed {_owner(locked, 1 - side)} to rule on their own match {locked.round}, {locked}", by
        )
    return consent


@transaction.atomic
def consent_withdraw(*, match: Match, side: int, by: Player) -> None:
    """Take the consent back, unless it was used for a ruling already."""
    locked = match_lock(match)
    if not locked.consents.filter(side=side, ruling=None).delete()[0]:
        raise RefusedError("consent", "You have given no consent to withdraw.")
    log_match_activity(
        locked, f"{by} withdrew consent for {_owner(locked, 1 - side)} to rule on {locked.round}, {locked}", by
    )


def enrolment_own_case(enrolment: Enrolment, by: Player) -> str:
    """Return a note for the activity log if an organiser excuses their own company. Refused if another could do it."""
    if enrolment.company.owner_id != by.pk:
        return ""
    return _own_case("company", "This company is yours", _others(enrolment.campaign.club, by))


def adjusting_own_case(enrolment: Enrolment, by: Player) -> str:
    """Return a note for the activity log if a company's player or coming opponent makes a ruling on it.

    Refused if an arbiter or organiser who is neither could rule.
    """
    opponents = _opponents_to_come(enrolment)
    concerned = {enrolment.company.owner_id, *opponents}
    if by.pk not in concerned:
        return ""
    name = enrolment.company.name
    what = "This company is yours" if by.pk == enrolment.company.owner_id else f"You are about to play {name}"
    judges = policy.members_of(enrolment.campaign.club, policy.MAY_RULE)
    return _own_case("company", what, [each for each in judges if each.is_active and each.pk not in concerned])


def _opponents_to_come(enrolment: Enrolment) -> set[int]:
    """Return the players about to play this company: in an open round, or in a planned one if they organise."""
    undecided = Match.objects.filter(Q(attacker=enrolment) | Q(defender=enrolment), state__in=MatchState.undecided())
    rows = undecided.filter(attacker__isnull=False, defender__isnull=False)
    owners = rows.values_list("attacker__company__owner", "defender__company__owner", "round__state")
    found: set[int] = set()
    planned: set[int] = set()
    for attacker, defender, state in owners:
        (planned if state == RoundState.PLANNED else found).update({attacker, defender})
    if planned - found:  # only organisers know of these
        organisers = {each.pk for each in policy.members_of(enrolment.campaign.club, [Role.ORGANISER])}
        found |= planned & organisers
    return found - {enrolment.company.owner_id}


def round_own_case(round_: Round, by: Player | None, *, is_shorter: bool) -> str:
    """Return a note for the activity log if an organiser changes the time of a round they still play in.

    Refused if another organiser could do it. If there is no other, they may give more time but never less: they could
    submit a list, end the round and win by forfeit.
    """
    if by is None or not policy.plays_undecided(by, round_):
        return ""
    what = f"You have a match to decide in {round_}"
    free = [each for each in _others(round_.campaign.club, by) if not policy.plays_undecided(each, round_)]
    if is_shorter and not free:
        raise RefusedError("round", f"{what}, so you can extend the deadline but not bring it forward.")
    return _own_case("round", what, free)


def refusal_of(check: Callable[[], object]) -> str:
    """Return why this is refused, so that a page shows it instead of a button; empty if it isn't."""
    try:
        check()
    except RefusedError as error:
        return error.reason
    return ""


def organiser_own_case(club: Club, by: Player | None, concerned: Collection[int], *, field: str, what: str) -> str:
    """Return a note for the activity log if an organiser acts in their own case.

    Raises RefusedError if another organiser, who isn't concerned, could do it.
    """
    if by is None or by.pk not in concerned:
        return ""
    return _own_case(field, what, [each for each in _others(club, by) if each.pk not in concerned])


def players_in(campaign: Campaign) -> set[int]:
    """Return the players of a campaign's accepted companies, by primary key."""
    accepted = campaign.enrolments.filter(state=EnrolmentState.ACCEPTED)
    return set(accepted.values_list("company__owner", flat=True))


def pairing_method_own_case(campaign: Campaign, way: str, by: Player | None) -> str:
    """Check an organiser who plays and pairs a round by a method not the campaign's. See `organiser_own_case`."""
    if way in (campaign.pairing, CampaignPairingMethod.BY_HAND):
        return ""
    what = f"{campaign.name} is paired as {campaign.get_pairing_display()} and you play in it"
    return organiser_own_case(campaign.club, by, players_in(campaign), field="way", what=what)


def pairing_own_case(round_: Round, sides: Iterable[Enrolment | None], by: Player | None) -> str:
    """Check an organiser who pairs their own company manually. See `organiser_own_case`."""
    there = [side.company for side in sides if side is not None]
    own = next((company.name for company in there if by is not None and company.owner_id == by.pk), "")
    owners = {company.owner_id for company in there}
    return organiser_own_case(round_.campaign.club, by, owners, field="attacker", what=f"{own} is yours")


def check_bye_needed(round_: Round, enrolment: Enrolment, by: Player) -> None:
    """Refuse a bye that an organiser who plays adds manually though no company needs one.

    With an even number of companies nobody needs one; with an odd number, they take turns.
    """
    campaign, name = round_.campaign, enrolment.company.name
    accepted = campaign.enrolments.filter(state=EnrolmentState.ACCEPTED).select_related("company")
    players = {each.company.owner_id for each in accepted}
    if by.pk not in players:
        return
    if len(accepted) % 2 == 0:
        what = f"{campaign.name} has an even number of companies and you play in it"
        organiser_own_case(campaign.club, by, players, field="defender", what=what)
        raise RefusedError("defender", f"The number of companies is even, so {name} needs no bye. Choose an opponent.")
    if enrolment.company.owner_id != by.pk:
        return
    had = Counter(
        Match.objects.filter(round__campaign=campaign, state=MatchState.BYE).values_list("attacker", flat=True)
    )
    due = next((each for each in accepted if had[each.pk] < had[enrolment.pk]), None)
    if due is not None:
        raise RefusedError("defender", f"{name} has had a bye before, and it is {due.company.name}'s turn.")


def byes_own_case(round_: Round, by: Player | None) -> str:
    """Check an organiser who opens a round in which their own company has a bye. See `organiser_own_case`.

    The only organiser is refused too while another company has no opponent.
    """
    matches = list(round_.matches.select_related("attacker__company"))
    byes = [each for each in matches if each.defender_id is None]
    own = next((each for each in byes if by is not None and each.attacker.company.owner_id == by.pk), None)
    if own is None:
        return ""
    campaign, name = round_.campaign, own.attacker.company.name
    owners = {each.attacker.company.owner_id for each in byes}
    note = organiser_own_case(campaign.club, by, owners, field="round", what=f"{name} is yours and has a bye")
    if campaign.pairing == CampaignPairingMethod.STORYLINE or CupTie.objects.filter(match=own).exists():
        return note  # the bracket or storyline decides who has a bye
    paired = {pk for each in matches if each.defender_id is not None for pk in (each.attacker_id, each.defender_id)}
    idle = campaign.enrolments.filter(state=EnrolmentState.ACCEPTED).exclude(pk__in=[*paired, own.attacker_id])
    other = idle.select_related("company").first()
    if other is not None:
        reason = f"{name} has a bye though {other.company.name} has no opponent. Pair the two, or redraw the round."
        raise RefusedError("round", reason)
    return note


def import_own_case(club: Club, owners: Iterable[int], by: Player) -> str:
    """Return a note for the activity log if an organiser imports their own results. Refused if another could do it."""
    concerned = set(owners)
    if by.pk not in concerned:
        return ""
    free = [each for each in _others(club, by) if each.pk not in concerned]
    return _own_case("text", "These include results of your own company", free)


def guest_own_case(club: Club, guest: Player, by: Player, *, opens: bool) -> str:
    """Return a note for the activity log if an organiser handles the link of a guest they are about to play.

    Refused if another organiser could. `opens`: whether the link lets the guest in; if there is no other organiser,
    such a link waits while the guest's list is submitted but not revealed.
    """
    if not _between(guest, [by]):
        return ""
    free = [each for each in _others(club, by) if not _between(guest, [each])]
    hidden = _between(guest, [by]).filter(setup__isnull=True, round__campaign__seals_forces=True)
    if opens and not free and SubmittedList.objects.filter(match__in=hidden, fell="", submitted_by=guest).exists():
        raise RefusedError(
            "link", f"{guest} plays you, and the lists for that match haven't been revealed yet. Wait until they are."
        )
    return _own_case("link", f"You are about to play {guest}", free)


def _between(guest: Player, players: Iterable[Player]) -> QuerySet[Match]:
    """Return undecided matches of the guest against any of these players."""
    meets = Q(attacker__company__owner=guest, defender__company__owner__in=players)
    meets |= Q(defender__company__owner=guest, attacker__company__owner__in=players)
    return Match.objects.filter(meets, state__in=MatchState.undecided())


def round_is_over(round_: Round) -> bool:
    """Return whether the round's deadline has passed, so that closing it cuts nobody's time short."""
    return round_.deadline is not None and round_.deadline <= timezone.now()


def _own_case(field: str, what: str, others: Sequence[Player]) -> str:
    if others:
        raise RefusedError(field, f"{what}, so {policy.join_with_or(others)} has to do this.")
    return f" ({OWN_CASE})"


def _others(club: Club, by: Player) -> list[Player]:
    return [each for each in policy.members_of(club, [Role.ORGANISER]) if each.is_active and each.pk != by.pk]


def _owner(match: Match, side: int) -> Player:
    return side_enrolment(match, side).company.owner
