"""A campaign in each of its states, every act somebody could try in it, and what changes for two companies.

Ants are Ann's, Bees are Ben's; Omar organises and doesn't play. Each act is tried by somebody who might gain by it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any

from django.utils import timezone

from battles.services.battles import battle_take_back_effects
from battles.services.results import battle_log_result
from campaigns import arbiters
from campaigns.army_lists.services import list_submit, list_submit_by_orders, list_withdraw
from campaigns.campaign import services as campaigns
from campaigns.clubs import services as clubs
from campaigns.corrections.services import correction_apply, correction_preview
from campaigns.enrolments import services as enrolments
from campaigns.models import Campaign, Enrolment, Match, Membership, Round, RoundClose
from campaigns.planning import services as rounds
from campaigns.results import services as results
from campaigns.results.aftermath import take_loan
from campaigns.results.imports import import_results
from campaigns.results.rulings import match_rule
from campaigns.rounds.closing import round_close, round_close_work
from campaigns.standings.selectors import standings
from rosters import services as rosters
from rosters.documents.company import read_company
from rosters.documents.import_export import company_document, company_import
from rosters.ledger.records import company_record
from rosters.models import Company, Pilot, Player, Unit
from systems.report_fields import UnitFate
from tests.battles.builders import company_battle
from tests.builders import a_company, a_crewed_unit, a_pilot, a_player
from tests.campaigns.builders import a_campaign, a_club, a_member
from tests.campaigns.corrections import COMPENSATE
from tests.campaigns.test_friendlies import announce_friendly

PAST_RESULTS = "round,date,attacker,defender,winner\n9,2026-01-03,Ants,Bees,attacker\n"


@dataclass
class World:
    """Ants and Bees have three WASPs, a pilot on the bench and points to spend; Ants bought a fourth WASP later."""

    omar: Player
    ann: Player
    ben: Player
    campaign: Campaign
    ants: Company
    bees: Company
    practice: Any = (
        None  # the Ants' battle, logged before they enrolled: two WASPs hurt, a skill earned by each of its pilots
    )
    match: Any = None
    more: dict[str, Any] = field(default_factory=dict)

    def enrolment(self, company: Company) -> Enrolment:
        return Enrolment.objects.get(campaign=self.campaign, company=company)

    def unit(self, at: int, company: Company | None = None) -> Unit:
        """Return a unit by place: 0 and 1 are fielded, 2 and 3 stay at home, 3 has never fought."""
        return (company or self.ants).units.order_by("pk")[at]

    def pilot(self, at: int) -> Pilot:
        return self.ants.pilots.order_by("pk")[at]

    def the_match(self) -> Match:
        match = Match.objects.filter(round__campaign=self.campaign).order_by("pk").first()
        if match is None:
            raise LookupError
        return match

    def round(self) -> Round:
        return self.the_match().round


def a_world() -> World:
    omar, ann, ben = (a_player(name) for name in ("omar", "ann", "ben"))
    club = a_club(omar)
    companies = []
    for owner, name in ((ann, "Ants"), (ben, "Bees")):
        a_member(club, player=owner)
        own = a_company(owner, name=name, points=100)
        for number in (1, 2, 3):
            a_crewed_unit(own, pilot=f"Pilot {number}")
        a_pilot(own, "Bench")
        companies.append(own)
    world = World(omar, ann, ben, a_campaign(club, "draft", points=120, friendlies=1), *companies)
    world.practice = log_practice(world, 0, 2)
    a_crewed_unit(world.ants, pilot="Late")
    a_pilot(world.ants, "Last", experience="regular")
    return world


def log_practice(world: World, *hurt_at: int) -> Any:
    """Log a battle of the Ants in which these units lost a Hit."""
    setup, forces = company_battle(world.ants)
    hurt = {f"u{world.unit(at).pk}": UnitFate(hits_lost=1) for at in hurt_at}
    return battle_log_result(setup=setup, forces=forces, units=hurt, winner="Ants", actor=world.ann)


# --- states -----------------------------------------------------------------------------------------------------------


def _start_mustering(world: World) -> None:
    world.campaign = campaigns.campaign_move(campaign=world.campaign, to="mustering", by=world.omar)


def _ask(world: World) -> None:
    for company in (world.ants, world.bees):
        enrolments.enrolment_ask(campaign=world.campaign, company=company, by=company.owner)


def _accept(world: World) -> None:
    for company in (world.ants, world.bees):
        enrolments.enrolment_accept(enrolment=world.enrolment(company), by=world.omar)


def _plan(world: World) -> None:
    world.campaign = campaigns.campaign_move(campaign=world.campaign, to="running", by=world.omar)
    row = rounds.round_plan(campaign=world.campaign, by=world.omar, way="by-hand")
    rounds.match_add(
        round_=row, attacker=world.enrolment(world.ants), defender=world.enrolment(world.bees), by=world.omar
    )


def _open(world: World) -> None:
    rounds.round_open(round_=world.round(), by=world.omar)


def _submit_list(world: World, side: int = 0, most: int = 2, words: str = "") -> None:
    company = (world.ants, world.bees)[side]
    units = [world.unit(at, company).pk for at in range(most)]
    list_submit(match=world.the_match(), side=side, units=units, doctrine="cautious", by=company.owner, words=words)


def _report(world: World, side: int, winner: str) -> None:
    kills = {"attacker": 0, "defender": 1}[winner]
    keys = [next(iter(force)) for force in world.the_match().forces]
    units = {keys[kills]: {"kills": 1}, keys[1 - kills]: {"destroyed": True, "hits_lost": 2 - kills}}
    content = {"muster": "report/1", "winner": winner, "units": units}
    results.report_make(match=world.the_match(), side=side, content=content, by=(world.ann, world.ben)[side])


def _pass_deadline(world: World) -> None:
    Round.objects.filter(campaign=world.campaign).update(deadline=timezone.now() - timedelta(minutes=1))


def _close(world: World) -> None:
    job = RoundClose.claim(round_close(round_=world.round(), by=world.omar).pk)
    assert job is not None
    assert round_close_work(job=job)


def _finish(world: World) -> None:
    world.campaign = campaigns.campaign_move(campaign=world.campaign, to="finished", by=world.omar)


def _announce_friendly(world: World) -> None:
    units = [world.unit(at).pk for at in (0, 1)]
    announce_friendly(world.enrolment(world.ants), units=units, doctrine="cautious")


def _play_friendly(world: World) -> None:
    """Void the round's match, so that Ants may play a friendly game."""
    match_rule(match=world.the_match(), verdict="void", reason="Rained off.", by=world.omar)
    _announce_friendly(world)


def _leave(world: World) -> None:
    enrolments.enrolment_withdraw(enrolment=world.enrolment(world.ants), by=world.ann)


Step = Callable[[World], object]
DRAWN: tuple[Step, ...] = (_start_mustering, _ask, _accept, _plan)
OPEN: tuple[Step, ...] = (*DRAWN, _open)
REVEALED: tuple[Step, ...] = (*OPEN, _submit_list, lambda world: _submit_list(world, 1))
REPORTED: tuple[Step, ...] = (*REVEALED, lambda world: _report(world, 0, "attacker"))
DECIDED: tuple[Step, ...] = (*REPORTED, lambda world: _report(world, 1, "attacker"))

STATES: Mapping[str, tuple[Step, ...]] = {
    "draft": (),
    "sign-ups": (_start_mustering,),
    "asked": (_start_mustering, _ask),
    "accepted": (_start_mustering, _ask, _accept),
    "planned": DRAWN,
    "open": OPEN,
    "submitted": (*OPEN, _submit_list),
    "revealed": REVEALED,
    "Ants reported": REPORTED,
    "Bees reported": (*REVEALED, lambda world: _report(world, 1, "defender")),
    "dispute": (*REPORTED, lambda world: _report(world, 1, "defender")),
    "late": (*OPEN, _submit_list, _pass_deadline),
    "won": DECIDED,
    "closed": (*DECIDED, _close),
    "withdrawn": (*OPEN, _leave),
    "friendly": (*OPEN, _play_friendly),
    "finished": (*DECIDED, _close, _finish),
}


def in_state(state: str) -> World:
    world = a_world()
    for step in STATES[state]:
        step(world)
    return world


# --- acts -------------------------------------------------------------------------------------------------------------


def _give_role(world: World, role: str) -> Player:
    """Give Ann, who plays, another role."""
    Membership.objects.filter(club=world.campaign.club, player=world.ann).update(role=role)
    return world.ann


def _undo_to_practice(world: World) -> int:
    with suppress(rosters.RefusedError):
        while True:
            rosters.undo_last_act(company=world.ants, by=world.ann)
    return battle_take_back_effects(battle=world.practice, actor=world.ann)


def _clone_by_import(world: World) -> Company:
    document = company_document(world.ants)
    return company_import(owner=world.ann, document=read_company(document))


def _confirm(world: World, side: int) -> Match:
    report = world.the_match().reports.filter(side=1 - side, is_current=True).first()
    by = (world.ann, world.ben)[side]
    return results.match_confirm(match=world.the_match(), side=side, report=report.pk if report else 0, by=by)


def _change_settings(world: World, by: Player, **settings: Any) -> Campaign:
    return campaigns.campaign_change(campaign=world.campaign, by=by, **settings)


def _move_deadline(world: World, by: Player, **later: int) -> Round:
    return rounds.round_set_deadline(round_=world.round(), deadline=timezone.now() + timedelta(**later), by=by)


def _close_round(world: World, by: Player) -> None:
    job = RoundClose.claim(round_close(round_=world.round(), by=by).pk)
    if job is not None:
        round_close_work(job=job)


def _undo_result(world: World, by: Player) -> Any:
    match = world.the_match()
    preview = correction_preview(match=match, after=None, mode=COMPENSATE, by=None)
    return correction_apply(
        match=match, after=None, mode=COMPENSATE, reason="The photo shows it.", by=by, token=preview.token
    )


def _move_on(world: World) -> Campaign:
    order = campaigns.ORDER
    at = order.index(world.campaign.state)
    return campaigns.campaign_move(campaign=world.campaign, to=order[min(at + 1, 3)], by=world.omar)


def _ask_again(world: World) -> Enrolment:
    with suppress(rosters.RefusedError):
        _leave(world)
    return enrolments.enrolment_ask(campaign=world.campaign, company=world.ants, by=world.ann)


def _submit_another_list(world: World) -> None:
    with suppress(rosters.RefusedError):
        list_withdraw(match=world.the_match(), side=0, by=world.ann)
    _submit_list(world, 0, 1, "another owl")


def _company_act(act: Callable[..., object], **given: Callable[[World], object]) -> Step:
    """Return an act that calls this roster service for the Ants."""
    return lambda world: act(company=world.ants, by=world.ann, **{name: get(world) for name, get in given.items()})


def _fixed(text: str) -> Callable[[World], str]:
    return lambda world: text


COMPANY: Mapping[str, Step] = {
    "start another company": lambda world: a_company(world.ann, name="More Ants"),
    "clone the company": lambda world: rosters.company_clone(company=world.ants, owner=world.ann),
    "export and import the company": _clone_by_import,
    "buy a unit": _company_act(rosters.unit_buy, published=_fixed("wasp")),
    "hire a pilot": _company_act(rosters.pilot_hire, name=_fixed("Eve"), experience=_fixed("regular")),
    "take a loan": lambda world: take_loan(company=world.ants, by=world.ann),
    "sell a fielded unit": _company_act(rosters.unit_sell, unit=lambda world: world.unit(0)),
    "sell another unit": _company_act(rosters.unit_sell, unit=lambda world: world.unit(3)),
    "repair a fielded unit": _company_act(rosters.unit_repair, unit=lambda world: world.unit(0)),
    "repair another unit": _company_act(rosters.unit_repair, unit=lambda world: world.unit(2)),
    "change a fielded unit's pilot": _company_act(
        rosters.pilot_assign, unit=lambda world: world.unit(0), pilot=lambda world: world.pilot(3)
    ),
    "change another unit's pilot": _company_act(
        rosters.pilot_assign, unit=lambda world: world.unit(3), pilot=lambda world: world.pilot(3)
    ),
    "dismiss a fielded pilot": _company_act(rosters.pilot_retire, pilot=lambda world: world.pilot(0)),
    "dismiss another pilot": _company_act(rosters.pilot_retire, pilot=lambda world: world.pilot(2)),
    "choose a fielded pilot's skill": _company_act(
        rosters.pilot_learn, pilot=lambda world: world.pilot(1), skill=_fixed("accuracy")
    ),
    "choose another pilot's skill": _company_act(
        rosters.pilot_learn, pilot=lambda world: world.pilot(2), skill=_fixed("accuracy")
    ),
    "rename a fielded unit": _company_act(rosters.unit_rename, unit=lambda world: world.unit(0), name=_fixed("DRAKEN")),
    "rename the company": _company_act(rosters.company_change, name=_fixed("Bees")),
    "undo the last act": _company_act(rosters.undo_last_act),
    "disband the company": _company_act(rosters.company_disband),
    "log a practice battle": log_practice,
    "undo a practice battle": _undo_to_practice,
}

SIDES: Mapping[str, Step] = {
    "ask to join": lambda world: enrolments.enrolment_ask(campaign=world.campaign, company=world.ants, by=world.ann),
    "withdraw from the campaign": _leave,
    "withdraw and ask again": _ask_again,
    "leave the club": lambda world: clubs.member_leave(club=world.campaign.club, by=world.ann),
    "change autoplay orders": lambda world: enrolments.orders_set(
        enrolment=world.enrolment(world.ants), doctrine="aggressive", by=world.ann
    ),
    "announce a friendly game": _announce_friendly,
    "submit a list": _submit_list,
    "submit a list by autoplay orders": lambda world: list_submit_by_orders(
        match=world.the_match(), side=0, by=world.ann
    ),
    "withdraw the list": lambda world: list_withdraw(match=world.the_match(), side=0, by=world.ann),
    "submit again with another dice contribution": _submit_another_list,
    "reveal the lists": lambda world: results.match_reveal_lists(match=world.the_match(), side=0, by=world.ann),
    "report a win": lambda world: _report(world, 0, "attacker"),
    "withdraw the report": lambda world: results.report_withdraw(match=world.the_match(), side=0, by=world.ann),
    "confirm the opponent's report": lambda world: _confirm(world, 0),
    "say that they can't play": lambda world: results.match_refuse(
        match=world.the_match(), side=0, reason="No.", by=world.ann
    ),
    "play after all": lambda world: results.match_withdraw_refusal(match=world.the_match(), side=0, by=world.ann),
    "the opponent reports a win": lambda world: _report(world, 1, "defender"),
    "the opponent reports a loss": lambda world: _report(world, 1, "attacker"),
    "the opponent confirms the report": lambda world: _confirm(world, 1),
    "allow the opponent's ruling": lambda world: arbiters.consent_give(match=world.the_match(), side=0, by=world.ann),
}

JUDGES: Mapping[str, Step] = {
    "rule on their own match (arbiter)": lambda world: match_rule(
        match=world.the_match(), verdict="attacker", reason="I won.", by=_give_role(world, "arbiter")
    ),
    "rule that the opponent forfeits (arbiter)": lambda world: match_rule(
        match=world.the_match(), verdict="defender-forfeits", reason="I won.", by=_give_role(world, "arbiter")
    ),
    "reveal their own match's lists (arbiter)": lambda world: results.match_reveal_lists(
        match=world.the_match(), side=None, by=_give_role(world, "arbiter")
    ),
    "correct their own result (arbiter)": lambda world: _undo_result(world, _give_role(world, "arbiter")),
    "accept their own company": lambda world: enrolments.enrolment_accept(
        enrolment=world.enrolment(world.ants), by=_give_role(world, "organiser")
    ),
    "make an exception for their own company": lambda world: enrolments.enrolment_excuse(
        enrolment=world.enrolment(world.ants), by=_give_role(world, "organiser"), reason="So be it."
    ),
    "shorten the deadline of their own match": lambda world: _move_deadline(
        world, _give_role(world, "organiser"), minutes=1
    ),
    "extend the deadline of their own match": lambda world: _move_deadline(
        world, _give_role(world, "organiser"), days=30
    ),
    "publish a round with an early deadline": lambda world: rounds.round_open(
        round_=world.round(), by=_give_role(world, "organiser"), deadline=timezone.now() + timedelta(minutes=1)
    ),
    "close the round of their own match": lambda world: _close_round(world, _give_role(world, "organiser")),
    "import their own old results": lambda world: import_results(
        campaign=world.campaign, text=PAST_RESULTS, by=_give_role(world, "organiser")
    ),
}

ORGANISER: Mapping[str, Step] = {
    "accept a company": lambda world: enrolments.enrolment_accept(enrolment=world.enrolment(world.ants), by=world.omar),
    "decline a company": lambda world: enrolments.enrolment_decline(enrolment=world.enrolment(world.ants), by=world.omar),
    "make an exception for a company": lambda world: enrolments.enrolment_excuse(
        enrolment=world.enrolment(world.ants), by=world.omar, reason="So be it."
    ),
    "withdraw a company": lambda world: enrolments.enrolment_withdraw(
        enrolment=world.enrolment(world.bees), by=world.omar
    ),
    "change the points limit": lambda world: _change_settings(world, world.omar, points=200),
    "change the scenarios": lambda world: _change_settings(
        world, world.omar, scenarios=[{"value": "zone-battle", "name": "Another name"}]
    ),
    "change the house rules": lambda world: _change_settings(world, world.omar, options={}),
    "change the tie-breakers": lambda world: _change_settings(world, world.omar, tie_breakers=["destroyed"]),
    "change what happens to missed matches": lambda world: _change_settings(world, world.omar, absent_rule="draw"),
    "change the days per round": lambda world: _change_settings(world, world.omar, pace_days=1),
    "move the campaign to its next state": _move_on,
    "plan a round": lambda world: rounds.round_plan(campaign=world.campaign, by=world.omar, way="by-hand"),
    "change a pairing": lambda world: rounds.match_change(
        match=world.the_match(), by=world.omar, attacker=world.enrolment(world.bees),
        defender=world.enrolment(world.ants), scenario=0, terrain="",
    ),
    "discard the planned round": lambda world: rounds.round_drop(round_=world.round(), by=world.omar),
    "publish the round": lambda world: rounds.round_open(round_=world.round(), by=world.omar),
    "shorten the deadline": lambda world: _move_deadline(world, world.omar, minutes=1),
    "close the round": lambda world: _close_round(world, world.omar),
    "rule as reported": lambda world: match_rule(
        match=world.the_match(), verdict="attacker", reason="As reported.", by=world.omar
    ),
    "rule that a side forfeits": lambda world: match_rule(
        match=world.the_match(), verdict="attacker-forfeits", reason="Not there.", by=world.omar
    ),
    "declare the match void": lambda world: match_rule(
        match=world.the_match(), verdict="void", reason="Never was.", by=world.omar
    ),
    "undo the result": lambda world: _undo_result(world, world.omar),
    "import old results": lambda world: import_results(campaign=world.campaign, text=PAST_RESULTS, by=world.omar),
}  # fmt: skip

ACTS: Mapping[str, Mapping[str, Step]] = {
    "The player's own company": COMPANY,
    "Signing up and playing a match, as a player": SIDES,
    "Arbiters and organisers who play themselves": JUDGES,
    "Organisers who don't play": ORGANISER,
}


# --- what changes -----------------------------------------------------------------------------------------------------


def measure_campaign(world: World) -> dict[str, object]:
    """Measure bank, units and their damage, what pilots have learned, and standings.

    Lower-case letters are the Ants, capitals the Bees.
    """
    found: dict[str, object] = {}
    table = {row.company: row.row for row in standings(Campaign.objects.get(pk=world.campaign.pk))}
    for company, case in ((world.ants, str.lower), (world.bees, str.upper)):
        record = company_record(company)
        row = table.get(company.pk)
        found[case("b")] = record.balance, record.debt
        found[case("u")] = {
            pk: (dict(unit.condition), unit.pilot) for pk, unit in record.units.items() if unit.status == "ready"
        }
        found[case("x")] = {
            pk: (pilot.status, pilot.experience, pilot.skills, pilot.pending, pilot.points, pilot.games, pilot.kills)
            for pk, pilot in record.pilots.items()
        }
        found[case("s")] = (row.points, row.won, row.drawn, row.lost) if row else (0, 0, 0, 0)
    return found
