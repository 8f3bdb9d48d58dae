"""Build clubs, campaigns, rounds and matches directly as rows."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from django.utils import timezone

from battles.services.dice import dice_seal
from campaigns.army_lists.services import list_submit
from campaigns.models import Campaign, Club, Enrolment, Match, Membership, Round
from campaigns.notifications.open_tasks import WaitingItem, list_waiting, waiting_rows
from rosters.models import Company, Player
from systems import roster_rules
from tests.builders import SYSTEM, a_company, a_crewed_unit, a_player, a_unit, outfit


def a_club(organiser: Player | None = None, name: str = "Iron Table", **fields: Any) -> Club:
    """Create a public club with one organiser."""
    club = Club.objects.create(name=name, slug=name.lower().replace(" ", "-"), **fields)
    Membership.objects.create(club=club, player=organiser or a_player(), role="organiser")
    return club


def a_member(club: Club, role: str = "player", player: Player | None = None) -> Player:
    """Make the player, or a new one, a member of the club in that role."""
    player = player or a_player()
    Membership.objects.create(club=club, player=player, role=role)
    return player


def a_campaign(club: Club | None = None, state: str = "running", **fields: Any) -> Campaign:
    """Create a campaign of Meks & Mercs on plain ground, where companies keep their units."""
    now = timezone.now()
    return Campaign.objects.create(
        **{
            "club": club or a_club(),
            "system": SYSTEM,
            "name": "Spring War",
            "state": state,
            "points": roster_rules(str(fields.get("system", SYSTEM))).founding_points,
            "scenarios": [{"value": "zone-battle", "name": "Zone battle"}],
            "options": {"season-mode": "standing-company"},
            "tie_breakers": ["buchholz", "destroyed"],
            "counts_odds": fields.get("absent_rule") == "orders",  # otherwise every match queues an odds job
            "catalogue_release": roster_rules(str(fields.get("system", SYSTEM))).newest,
            "mustering_at": now if state != "draft" else None,
            "running_at": now if state in ("running", "finished") else None,
            "finished_at": now if state == "finished" else None,
            **fields,
        }
    )


def a_mustered_company(
    owner: Player | None = None,
    *designs: str,
    name: str = "",
    system: str = SYSTEM,
    spends_all: bool = False,
) -> Company:
    """Create a company with these designs (two WASPs if none are given) and a new pilot in each that needs one.

    It is founded with the points its rules give, or with no more than its designs cost.
    """
    owner = owner or a_player()
    rules = roster_rules(system)
    cost = sum(rules.check_design(rules.published[design].spec).points for design in designs)
    points = cost if spends_all else rules.founding_points
    own = a_company(owner, name=name or f"Company of {owner.username}", system=system, points=points)
    designs = designs or ("wasp", "wasp")

    def buy() -> None:
        for number, design in enumerate(designs, start=1):
            if rules.needs_pilot(rules.spec_json(rules.published[design].spec)):
                a_crewed_unit(own, design, pilot=f"Pilot {number}")
            else:
                a_unit(own, design)

    outfit(own, (rules, designs), buy)
    return own


def an_enrolment(campaign: Campaign, company: Company | None = None, **fields: Any) -> Enrolment:
    """Create an accepted enrolment, and make the company's owner a member of the club."""
    company = company or a_mustered_company()
    Membership.objects.get_or_create(club=campaign.club, player=company.owner)
    return Enrolment.objects.create(**{"campaign": campaign, "company": company, "state": "accepted", **fields})


def a_round(campaign: Campaign, state: str = "open", **fields: Any) -> Round:
    """Create the campaign's next round, with its deadline in a week."""
    now = timezone.now()
    return Round.objects.create(
        **{
            "campaign": campaign,
            "number": campaign.rounds.count() + 1,
            "state": state,
            "opens_at": now,
            "deadline": now + timedelta(days=7),
            **fields,
        }
    )


def a_match(
    round_: Round | None = None, attacker: Enrolment | None = None, defender: Enrolment | None = None, **fields: Any
) -> Match:
    """Create a scheduled match of two enrolled companies, with provably fair dice."""
    round_ = round_ or a_round(a_campaign())
    return Match.objects.create(
        **{
            "round": round_,
            "number": round_.matches.count() + 1,
            "scenario": "zone-battle",
            "scenario_name": "Zone battle",
            "terrain": "plain",
            "attacker": attacker or an_enrolment(round_.campaign),
            "defender": defender or an_enrolment(round_.campaign),
            "dice": dice_seal(),
            **fields,
        }
    )


def submit_list(match: Match, side: int = 0, most: int | None = None, **given: Any) -> Match:
    """Submit the ready units of a side, or the first `most` of them, as its owner."""
    company = (match.attacker, match.defender)[side].company
    units = list(company.units.filter(status="ready").values_list("pk", flat=True))[:most]
    return list_submit(match=match, side=side, units=units, by=company.owner, **{"doctrine": "cautious", **given})


def waiting_for(player: Player) -> tuple[WaitingItem, ...]:
    """Return the player's waiting items, as the banner lists them."""
    return list_waiting(waiting_rows(player))
