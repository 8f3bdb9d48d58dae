"""One small world for the walk over all routes: two clubs, their campaigns and matches, and somebody in every role."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any

from django.contrib.auth.models import AnonymousUser
from django.utils import timezone
from knox.models import AuthToken

from battles.models import SealedDice
from battles.services.battles import battle_queue
from battles.services.dice import dice_waiting
from battles.services.forecasts import forecast_ask
from battles.services.matrices import matrix_ask
from battles.services.what_ifs import what_if_ask
from campaigns.models import Club, Invitation, JoinRequest, MatchForce, Ruling
from campaigns.services.forces import force_seal, forces_open
from campaigns.services.results import report_make
from campaigns.services.rulings import match_rule
from rosters.models import Player
from rosters.printing.prints import design_unit
from rosters.services import design_save, token_create, unit_rename
from rosters.services.companies import company_change
from rosters.services.printing import print_ask
from tests.battles.builders import duel
from tests.builders import SYSTEM, WASP, a_company, a_crewed_unit, a_player
from tests.campaigns.builders import a_campaign, a_club, a_match, a_member, a_mustered_company, a_round, an_enrolment

ROLES = ("anonymous", "stranger", "member", "attacker", "defender", "arbiter", "organiser", "operator")
SECRET_UNIT = "Hushed Heron"  # in the sealed force of the attacker, and in no page but his company's


@dataclass
class World:
    """Who is who, the arguments of routes by the name of their case, and what must not be read anywhere."""

    people: dict[str, Player | AnonymousUser] = field(default_factory=dict)
    cases: dict[str, dict[str, Any]] = field(default_factory=dict)
    secrets: set[str] = field(default_factory=set)


def the_world() -> World:
    """Made anew for each walk, through the services where they are quick."""
    world = World()
    people = {role: a_player(f"the-{role}") for role in ROLES[1:]}
    Player.objects.filter(pk=people["operator"].pk).update(is_staff=True, is_superuser=True)
    people["operator"].refresh_from_db()
    world.people = {"anonymous": AnonymousUser(), **people}
    companies = _companies(world, people)
    _club(world, people, companies, "public", is_public=True)
    _club(world, people, companies, "hidden", is_public=False)
    _own_things(world, people)
    _counts(world, people)
    world.secrets |= set(SealedDice.objects.filter(revealed_at=None).values_list("secret", flat=True))
    world.secrets |= set(MatchForce.objects.filter(opened_at=None).values_list("salt", flat=True))
    return world


def _companies(world: World, people: dict[str, Player]) -> dict[str, Any]:
    """The attacker's companies by who sees them, and the defender's."""
    owner = people["attacker"]
    mine = a_company(owner, name="Iron Hounds", points=90)
    unit, pilot = a_crewed_unit(mine)
    hushed, _ = a_crewed_unit(mine, pilot="Bea")
    unit_rename(company=mine, by=owner, unit=hushed, name=SECRET_UNIT)
    world.cases["company"] = {"pk": mine.pk, "unit_pk": unit.pk, "pilot_pk": pilot.pk}
    for seen in ("private", "link", "public"):
        alone = a_company(owner, name=f"Seen {seen}")
        if seen != "private":
            company_change(company=alone, by=owner, visibility=seen)
        unit, pilot = a_crewed_unit(alone)
        world.cases[seen] = {"pk": alone.pk, "unit_pk": unit.pk, "pilot_pk": pilot.pk}
        world.cases[f"{seen}?key"] = {**world.cases[seen], "?key": str(alone.link_key)}
    return {"attacker": mine, "hushed": hushed, "defender": a_mustered_company(people["defender"])}


def _club(world: World, people: dict[str, Player], companies: dict[str, Any], kind: str, *, is_public: bool) -> None:
    club = a_club(people["organiser"], name=f"The {kind} table", is_public=is_public)
    for role in ("attacker", "defender", "arbiter"):
        a_member(club, "arbiter" if role == "arbiter" else "player", people[role])
    member = club.memberships.create(player=people["member"])
    asker = people["stranger"] if is_public else a_player()
    asked = JoinRequest.objects.create(club=club, player=asker)
    soon = timezone.now() + timedelta(days=3)
    link = Invitation.objects.create(club=club, by=people["organiser"], expires_at=soon)
    named = Invitation.objects.create(
        club=club, by=people["organiser"], expires_at=soon, player=a_player(f"named-{kind}"), uses_left=1
    )
    base = {"slug": club.slug}
    world.cases[f"{kind}-club"] = base
    world.cases[f"{kind}-member"] = {**base, "member_pk": member.pk, "pk": member.pk}
    world.cases[f"{kind}-request"] = {**base, "request_pk": asked.pk, "pk": asked.pk}
    world.cases[f"{kind}-invitation"] = {**base, "key": link.key}
    world.cases[f"{kind}-named-invitation"] = {**base, "key": named.key}
    draft = a_campaign(club, "draft", name=f"The {kind} draft")
    world.cases[f"{kind}-draft-campaign"] = {"pk": draft.pk}
    _campaign(world, people, companies, club, kind)


def _campaign(world: World, people: dict[str, Player], companies: dict[str, Any], club: Club, kind: str) -> None:
    campaign = a_campaign(club, name=f"The {kind} war", map_kind="zones")
    place = campaign.territories.create(position=1, name="The Ford")
    sides = (an_enrolment(campaign, companies["attacker"]), an_enrolment(campaign, companies["defender"]))
    open_round = a_round(campaign)
    planned = a_round(campaign, "planned")
    sealed = a_match(open_round, *sides, territory=place)
    units = list(companies["attacker"].units.values_list("pk", flat=True))
    force_seal(match=sealed, side=0, units=units, doctrine="cautious", by=people["attacker"], words="owl")
    reported, decided, coming = a_match(open_round, *sides), a_match(open_round, *sides), a_match(planned, *sides)
    ruling = Ruling.objects.create(
        campaign=campaign, kind="exception", title="As it is", reason="So be it.", by=people["organiser"]
    )
    if kind == "public":
        _small(sides)
        report_make(
            match=forces_open(match=reported),
            side=0,
            content={"muster": "report/1", "winner": "draw", "units": {}},
            by=people["attacker"],
        )
        match_rule(match=decided, verdict="void", reason="It never was.", by=people["arbiter"])
    pk = {"pk": campaign.pk}
    world.cases[f"{kind}-campaign"] = pk
    world.cases[f"{kind}-enrolment"] = {**pk, "enrolment_pk": sides[0].pk}
    world.cases[f"{kind}-round"] = {**pk, "number": open_round.number}
    world.cases[f"{kind}-planned-round"] = {**pk, "number": planned.number}
    world.cases[f"{kind}-ruling"] = {**pk, "ruling_pk": ruling.pk}
    for name, match in {"match": sealed, "reported": reported, "decided": decided, "planned": coming}.items():
        world.cases[f"{kind}-{name}"] = {"key": match.key}


def _small(sides: Any) -> None:
    """The forces of reports are open: they come without the unit that is hushed up elsewhere."""
    match = sides[0].campaign.rounds.get(number=1).matches.get(number=2)
    for side, enrolment in enumerate(sides):
        units = list(enrolment.company.units.exclude(name=SECRET_UNIT).values_list("pk", flat=True))[:1]
        force_seal(match=match, side=side, units=units, doctrine="cautious", by=enrolment.company.owner)


def _own_things(world: World, people: dict[str, Player]) -> None:
    """What the attacker has besides his company: designs, a token, paper, battles."""
    owner = people["attacker"]
    private = design_save(author=owner, system=SYSTEM, name="Owl", spec=WASP)
    public = design_save(author=owner, system=SYSTEM, name="Jay", spec=WASP)
    type(public).objects.filter(pk=public.pk).update(visibility="public")
    world.cases["private-design"], world.cases["public-design"] = {"pk": private.pk}, {"pk": public.pk}
    world.cases["published"] = {"system": SYSTEM, "slug": "wasp"}
    world.cases["system"] = {"system": SYSTEM}
    token_create(player=owner)
    world.cases["token"] = {"token_key": AuthToken.objects.get(user=owner).token_key}
    paper = print_ask(units=[design_unit(SYSTEM, "Wasp", WASP)], kind="cards", paper="a4", title="Wasp", actor=owner)
    world.cases["print-job"] = {"key": paper.key}
    for seen in ("private", "link", "public"):
        battle = battle_queue(setup=duel(), actor=owner, visibility=seen)
        world.cases[f"{seen}-battle"] = {"key": battle.key}
    for player in people.values():
        dice_waiting(actor=player, visitor="")


def _counts(world: World, people: dict[str, Player]) -> None:
    owner = people["attacker"]
    forecast = forecast_ask(setup=duel(), runs=100, actor=owner)[0]
    change = {"what": "level", "of": "a1", "to": "elite"}
    what_if = what_if_ask(forecast=forecast, change=change, runs=100, actor=owner)[0]
    matrix = matrix_ask(system=SYSTEM, terrain="plain", doctrines=("aggressive", "cautious"), battles=10, actor=owner)[
        0
    ]
    world.cases |= {"odds": {"key": forecast.key}, "what-if": {"key": what_if.key}, "matrix": {"key": matrix.key}}
    world.cases |= {"-": {}, "mail-key": {"key": "no-such-key", "uidb36": "1"}}
