"""Acts somebody could try on dates, handicaps, tables, adjustments, byes and guests, in each state of a campaign.

The world is that of `campaign_acts`: Ants are Ann's, Bees are Ben's; Omar organises and doesn't play.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import timedelta

from django.utils import timezone

from campaigns.availability.services import date_accept, date_decline, date_drop, date_propose
from campaigns.corrections.adjustment_plan import Adjustment
from campaigns.corrections.services import adjustment_create, adjustment_preview, adjustment_undo
from campaigns.enrolments import services as enrolments
from campaigns.guests.services import guest_add, guest_remove, guest_rename, link_end, link_make
from campaigns.handicaps.services import handicap_answer, handicap_ask
from campaigns.live_tables import match_table_seat
from campaigns.models import Campaign, Guest, Membership, Ruling
from campaigns.planning import services as rounds
from rosters.models import Company, Player
from tests.campaigns.campaign_acts import Step, World, _give_role


def _in_two_hours() -> object:
    return timezone.now().replace(second=0, microsecond=0) + timedelta(hours=2)


def _propose_date(world: World, side: int = 1) -> None:
    by = (world.ann, world.ben)[side]
    date_propose(match=world.the_match(), side=side, at=_in_two_hours(), by=by)


def _agree_on_date(world: World) -> None:
    _propose_date(world)
    date_accept(match=world.the_match(), side=0, at=_in_two_hours(), by=world.ann)


def _drop_date(world: World) -> None:
    _agree_on_date(world)
    date_drop(match=world.the_match(), side=0, by=world.ann)


def _decline_date(world: World) -> None:
    _propose_date(world)
    date_decline(match=world.the_match(), side=0, by=world.ann)


def _enable_handicaps(world: World) -> None:
    Campaign.objects.filter(pk=world.campaign.pk).update(handicaps=True)


def _ask_for_handicap(world: World) -> None:
    _enable_handicaps(world)
    handicap_ask(match=world.the_match(), by=world.ann)


def _agree_to_unproposed_handicap(world: World) -> None:
    _enable_handicaps(world)
    handicap_answer(match=world.the_match(), side=0, agrees=True, kind="points", value=9, by=world.ann)


MATCH_ACTS: Mapping[str, Step] = {
    "propose a date": lambda world: _propose_date(world, 0),
    "propose a date for the opponent": lambda world: date_propose(
        match=world.the_match(), side=1, at=_in_two_hours(), by=world.ann
    ),
    "agree to the opponent's date": _agree_on_date,
    "decline the opponent's date": _decline_date,
    "cancel an agreed date": _drop_date,
    "ask for a handicap": _ask_for_handicap,
    "ask for a handicap where they aren't used": lambda world: handicap_ask(match=world.the_match(), by=world.ann),
    "agree to a handicap that isn't proposed": _agree_to_unproposed_handicap,
    "start the game": lambda world: match_table_seat(match=world.the_match(), side=0, by=world.ann),
    "take the opponent's seat": lambda world: match_table_seat(match=world.the_match(), side=1, by=world.ann),
}


def _adjust(world: World, company: Company, by: Player) -> Ruling:
    asked = [Adjustment(what="points", count=5)]
    one = world.enrolment(company)
    preview = adjustment_preview(enrolment=one, asked=asked)
    return adjustment_create(enrolment=one, asked=asked, reason="So be it.", by=by, token=preview.token)


def _undo_adjustment(world: World, by: Player) -> None:
    adjustment_undo(ruling=_adjust(world, world.ants, world.omar), reason="Not so.", by=by)


def _make_only_organiser(world: World) -> Player:
    """Make Ann the club's only organiser."""
    Membership.objects.filter(club=world.campaign.club, player=world.omar).update(role="player")
    return _give_role(world, "organiser")


def _add_match(world: World, by: Player, *companies: Company) -> object:
    one, two = (*(world.enrolment(each) for each in companies), None)[:2]
    return rounds.match_add(round_=world.round(), attacker=one, defender=two, by=by)


def _change_match(world: World, by: Player, *companies: Company) -> object:
    one, two = (*(world.enrolment(each) for each in companies), None)[:2]
    return rounds.match_change(match=world.the_match(), by=by, attacker=one, defender=two, scenario=0, terrain="")


def _withdraw_opponent(world: World, by: Player) -> object:
    return enrolments.enrolment_withdraw(enrolment=world.enrolment(world.bees), by=by)


def _remove_match(world: World, by: Player) -> None:
    rounds.match_remove(match=world.the_match(), by=by)


ORGANISING: Mapping[str, Step] = {
    "adjust their own company (arbiter)": lambda world: _adjust(world, world.ants, _give_role(world, "arbiter")),
    "adjust their opponent's company (arbiter)": lambda world: _adjust(world, world.bees, _give_role(world, "arbiter")),
    "undo an adjustment of their company (arbiter)": lambda world: _undo_adjustment(
        world, _give_role(world, "arbiter")
    ),
    "turn their match into a bye": lambda world: _change_match(world, _give_role(world, "organiser"), world.ants),
    "swap the sides of their match": lambda world: _change_match(
        world, _give_role(world, "organiser"), world.bees, world.ants
    ),
    "remove their match": lambda world: _remove_match(world, _give_role(world, "organiser")),
    "add a bye for themselves": lambda world: _add_match(world, _give_role(world, "organiser"), world.ants),
    "add a bye for an ally": lambda world: _add_match(world, _give_role(world, "organiser"), world.bees),
    "withdraw their opponent": lambda world: _withdraw_opponent(world, _give_role(world, "organiser")),
    "plan a round with another method": lambda world: rounds.round_plan(
        campaign=world.campaign, by=_give_role(world, "organiser"), way="round-robin"
    ),
    "shorten the days per round": lambda world: _shorten_pace(world, _give_role(world, "organiser")),
}


def _shorten_pace(world: World, by: Player) -> object:
    from campaigns.campaign.services import campaign_change

    return campaign_change(campaign=world.campaign, by=by, pace_days=1)


ALONE: Mapping[str, Step] = {
    "alone: adjust their own company": lambda world: _adjust(world, world.ants, _make_only_organiser(world)),
    "alone: turn their match into a bye": lambda world: _change_match(world, _make_only_organiser(world), world.ants),
    "alone: swap the sides of their match": lambda world: _change_match(
        world, _make_only_organiser(world), world.bees, world.ants
    ),
    "alone: remove their match": lambda world: _remove_match(world, _make_only_organiser(world)),
    "alone: withdraw their opponent": lambda world: _withdraw_opponent(world, _make_only_organiser(world)),
    "alone: shorten the days per round": lambda world: _shorten_pace(world, _make_only_organiser(world)),
    "alone: publish the round": lambda world: rounds.round_open(round_=world.round(), by=_make_only_organiser(world)),
}

NEUTRAL: Mapping[str, Step] = {
    "adjust a company": lambda world: _adjust(world, world.ants, world.omar),
    "undo an adjustment": lambda world: _undo_adjustment(world, world.omar),
    "give a company a bye": lambda world: _change_match(world, world.omar, world.ants),
    "remove a match": lambda world: _remove_match(world, world.omar),
}


def _as_guest(world: World, by: Player, act: Callable[..., object]) -> object:
    """Make Ben a guest of the club, with a link made by Omar; then do the act."""
    Player.objects.filter(pk=world.ben.pk).update(is_guest=True)
    guest = Guest.objects.create(club=world.campaign.club, player=world.ben, name="Ben", created_by=world.omar)
    link_make(guest=guest, by=world.omar)
    return act(guest=guest, by=by)


GUESTS: Mapping[str, Step] = {
    "add a guest": lambda world: guest_add(club=world.campaign.club, by=world.omar, name="Gwen"),
    "renew a guest's link": lambda world: _as_guest(world, world.omar, link_make),
    "disable a guest's link": lambda world: _as_guest(world, world.omar, link_end),
    "rename a guest": lambda world: _as_guest(world, world.omar, lambda **to: guest_rename(name="Benno", **to)),
    "remove a guest": lambda world: _as_guest(world, world.omar, guest_remove),
    "renew the link of a guest who is their opponent": lambda world: _as_guest(
        world, _give_role(world, "organiser"), link_make
    ),
    "disable the link of a guest who is their opponent": lambda world: _as_guest(
        world, _give_role(world, "organiser"), link_end
    ),
    "remove a guest who is their opponent": lambda world: _as_guest(
        world, _give_role(world, "organiser"), guest_remove
    ),
}

CLUB_ACTS: Mapping[str, Mapping[str, Step]] = {
    "Dates, handicaps and tables, as a player": MATCH_ACTS,
    "Adjustments and pairings: one of several organisers, who plays": ORGANISING,
    "Adjustments and pairings: the only organiser, who plays": ALONE,
    "Adjustments and pairings: an organiser who doesn't play": NEUTRAL,
    "Guests, as an organiser": GUESTS,
}
