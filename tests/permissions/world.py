"""A small world for the tests of all routes: two clubs, their campaigns and matches, and a player for every role."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any
from uuid import uuid4

from allauth.usersessions.models import UserSession
from django.contrib.auth.models import AnonymousUser
from django.utils import timezone

from battles.live.services import table_open
from battles.models import Battle, PairedDice, SealedDice
from battles.odds.forks import fork_ask
from battles.odds.matrices import matrix_ask, trial_ask
from battles.odds.services import forecast_ask, what_if_ask
from battles.searches.builds import best_build_ask, published_opponents
from battles.searches.services import best_answer_ask, best_change_ask
from battles.services.battles import battle_queue, battle_simulate, check_ask
from battles.services.dice import dice_secret, dice_waiting
from battles.solo.services import solo_start
from campaigns.army_lists.services import list_submit, lists_reveal, saved_list_save
from campaigns.guests.services import guest_invite
from campaigns.models import (
    Campaign,
    Club,
    ClubArchive,
    ClubDisplay,
    ClubRestore,
    Cup,
    Invitation,
    JoinRequest,
    Match,
    Membership,
    Notification,
    NotificationEvent,
    NotificationPreferences,
    Placeholder,
    PlayerCalendar,
    Ruling,
    Season,
    SubmittedList,
    Webhook,
)
from campaigns.notifications.deliveries import encrypt_secret
from campaigns.results.rulings import match_rule
from campaigns.results.services import report_make
from rosters.models import AccessToken, Company, DataExport, Player, Portrait, Scenario
from rosters.paper.documents import PrintSettings
from rosters.printing.orders import CompanyChoice, design_order
from rosters.printing.services import preset_save, print_ask, printer_save
from rosters.services import design_save, token_create, unit_rename
from rosters.services.companies import company_change, company_disband
from rosters.services.designs_and_scenarios import scenario_save
from systems import roster_rules
from systems.reading import read_setup
from systems.simulation.records import resolve
from tests.accounts.builders import add_second_factor
from tests.battles.builders import duel
from tests.builders import SYSTEM, WASP, a_company, a_crewed_unit, a_player
from tests.campaigns.builders import a_campaign, a_club, a_match, a_member, a_mustered_company, a_round, an_enrolment
from tests.campaigns.gazettes import close_round, forfeit_match
from tests.campaigns.watch_parties import announce, begin, delay_next_step, unseen_facts
from tests.systems.meks_and_mercs.battle.games import document

ROLES = ("anonymous", "stranger", "member", "attacker", "defender", "arbiter", "organiser", "operator")
SECRET_UNIT = "Hushed Heron"  # in the attacker's submitted list; shown only on the page of the attacker's company


@dataclass
class World:
    """The people, the routes' arguments by case, and the secrets."""

    people: dict[str, Player | AnonymousUser] = field(default_factory=dict)
    cases: dict[str, dict[str, Any]] = field(default_factory=dict)
    secrets: set[str] = field(default_factory=set)
    keys: dict[str, str] = field(default_factory=dict)  # addresses that need no session, with their role


def add_portrait(company: Company) -> str:
    """Add a picture to the company, and return its digest."""
    return Portrait.objects.create(company=company, digest="d" * 32, picture=b"RIFF", width=64, height=64).digest


def the_world(attacker: Player | None = None) -> World:
    """Return a new world, made through the services where they are fast.

    `attacker` takes part in everything.
    """
    world = World()
    people = {role: a_player(f"the-{role}") for role in ROLES[1:] if role != "attacker"}
    people["attacker"] = attacker or a_player("the-attacker")
    Player.objects.filter(pk=people["operator"].pk).update(is_staff=True, is_superuser=True)
    people["operator"].refresh_from_db()
    add_second_factor(people["operator"])
    world.people = {"anonymous": AnonymousUser(), **people}
    companies = _companies(world, people)
    _club(world, people, companies, "public", is_public=True)
    _club(world, people, companies, "hidden", is_public=False)
    _own_rows(world, people)
    _battles(world, people)
    _scenarios(world, people)
    _tables(world, people)
    _calculations(world, people)
    _keys(world)
    world.secrets |= set(map(dice_secret, SealedDice.objects.filter(revealed_at=None)))
    world.secrets |= set(SubmittedList.objects.filter(opened_at=None).values_list("salt", flat=True))
    return world


def _companies(world: World, people: dict[str, Player]) -> dict[str, Any]:
    """Create the attacker's companies, one per visibility, and the defender's."""
    owner = people["attacker"]
    mine = a_company(owner, name="Iron Hounds", points=90)
    unit, pilot = a_crewed_unit(mine)
    hushed, _ = a_crewed_unit(mine, pilot="Bea")
    unit_rename(company=mine, by=owner, unit=hushed, name=SECRET_UNIT)
    world.cases["company"] = {"pk": mine.pk, "unit_pk": unit.pk, "pilot_pk": pilot.pk, "digest": add_portrait(mine)}
    for seen in ("private", "link", "public"):
        company = a_company(owner, name=f"Seen {seen}")
        if seen != "private":
            company_change(company=company, by=owner, visibility=seen)
        unit, pilot = a_crewed_unit(company)
        world.cases[seen] = {
            "pk": company.pk,
            "unit_pk": unit.pk,
            "pilot_pk": pilot.pk,
            "digest": add_portrait(company),
        }
        world.cases[f"{seen}?key"] = {**world.cases[seen], "?key": str(company.link_key)}
    disbanded = a_company(owner, name="Gone away")
    company_change(company=disbanded, by=owner, visibility="public")
    unit, pilot = a_crewed_unit(disbanded)
    company_disband(company=disbanded, by=owner)
    world.cases["disbanded"] = {
        "pk": disbanded.pk,
        "unit_pk": unit.pk,
        "pilot_pk": pilot.pk,
        "digest": add_portrait(disbanded),
    }
    return {"attacker": mine, "hushed": hushed, "defender": a_mustered_company(people["defender"])}


def _club(world: World, people: dict[str, Player], companies: dict[str, Any], kind: str, *, is_public: bool) -> None:
    club = a_club(people["organiser"], name=f"The {kind} table", is_public=is_public)
    for role in ("attacker", "defender", "arbiter"):
        a_member(club, "arbiter" if role == "arbiter" else "player", people[role])
    member = club.memberships.create(player=people["member"])
    asker = people["stranger"] if is_public else a_player()
    join_request = JoinRequest.objects.create(club=club, player=asker)
    soon = timezone.now() + timedelta(days=3)
    visitor, key = guest_invite(club=club, by=people["organiser"], name=f"Guest of the {kind} table")
    world.cases[f"{kind}-guest"] = {"slug": club.slug, "guest_pk": visitor.pk, "pk": visitor.pk, "key": key}
    link = Invitation.objects.create(club=club, created_by=people["organiser"], expires_at=soon)
    named = Invitation.objects.create(
        club=club, created_by=people["organiser"], expires_at=soon, player=a_player(f"named-{kind}"), uses_left=1
    )
    base = {"slug": club.slug}
    world.cases[f"{kind}-club"] = base
    archive = ClubArchive.objects.create(club=club, status="done", file=f"archives/{kind}.zip", ended_at=timezone.now())
    world.cases[f"{kind}-archive"] = {**base, "key": archive.key}
    place = Placeholder.objects.create(club=club, player=a_player(f"placed-{kind}"))
    world.cases[f"{kind}-place"] = {**base, "place_pk": place.pk}
    world.cases[f"{kind}-place-key"] = {"key": place.key}
    world.cases[f"{kind}-wall"] = {"key": ClubDisplay.objects.create(club=club, created_by=people["organiser"]).key}
    hook = Webhook.objects.create(
        club=club, url="https://example.com/hook", secret=encrypt_secret("mw_x"), occasions=[]
    )
    delivery = hook.deliveries.create(occasion="test", body="{}", status="done")
    world.cases[f"{kind}-webhook"] = {**base, "webhook": hook.key, "delivery": delivery.key}
    world.cases[f"{kind}-member"] = {**base, "member_pk": member.pk, "pk": member.pk}
    world.cases[f"{kind}-request"] = {**base, "request_pk": join_request.pk, "pk": join_request.pk}
    world.cases[f"{kind}-invitation"] = {**base, "key": link.key}
    world.cases[f"{kind}-named-invitation"] = {**base, "key": named.key}
    draft = a_campaign(club, "draft", name=f"The {kind} draft")
    world.cases[f"{kind}-draft-campaign"] = {"pk": draft.pk}
    world.cases[f"{kind}-six-scenarios"] = {"pk": a_campaign(club, name=f"The {kind} six", pairing="arc").pk}
    _campaign(world, people, companies, club, kind)
    _season(world, people, club, kind)
    _watch_party(world, people, club, kind)
    world.cases[f"{kind}-campaign?key"] = {**world.cases[f"{kind}-campaign"], "?key": str(member.feed_key)}
    world.cases[f"{kind}-gazette?key"] = {**world.cases[f"{kind}-gazette"], "?key": str(member.feed_key)}
    if kind == "hidden":  # the same member's key for another club
        other = Membership.objects.get(player=people["member"], club__name="The public table")
        world.cases["hidden-campaign?other-key"] = {**world.cases["hidden-campaign"], "?key": str(other.feed_key)}


def _campaign(world: World, people: dict[str, Player], companies: dict[str, Any], club: Club, kind: str) -> None:
    campaign = a_campaign(club, name=f"The {kind} war", map_kind="zones")
    place = campaign.territories.create(position=1, name="The Ford")
    sides = (an_enrolment(campaign, companies["attacker"]), an_enrolment(campaign, companies["defender"]))
    over = a_match(a_round(campaign), *sides)
    forfeit_match(over)
    past_round = close_round(over.round)
    before = {"decided_by": "import", "decided_at": timezone.now(), "past": {"attacker_kills": 1, "defender_kills": 0}}
    a_match(past_round, *sides, state="confirmed", outcome="attacker", dice=None, **before)
    world.cases[f"{kind}-rating"] = {"slug": club.slug, "username": people["attacker"].username}
    open_round = a_round(campaign)
    planned = a_round(campaign, "planned")
    sealed = a_match(open_round, *sides, territory=place)
    units = list(companies["attacker"].units.values_list("pk", flat=True))
    list_submit(match=sealed, side=0, units=units, doctrine="cautious", by=people["attacker"], words="owl")
    reported, decided, coming = a_match(open_round, *sides), a_match(open_round, *sides), a_match(planned, *sides)
    cup = Cup.objects.create(campaign=campaign, since=open_round.number)
    for seed, side in enumerate(sides, start=1):
        cup.places.create(enrolment=side, seed=seed)
    ruling = Ruling.objects.create(
        campaign=campaign, kind="exception", title="As it is", reason="So be it.", decided_by=people["organiser"]
    )
    adjusted = Ruling.objects.create(
        campaign=campaign, kind="adjustment", title="Adjusted", reason="So be it.", decided_by=people["organiser"],
        decision={"enrolment": sides[0].pk, "company": sides[0].company_id, "told": []},
    )  # fmt: skip
    if kind == "public":
        _reveal_small_lists(reported)
        report_make(
            match=lists_reveal(match=reported),
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
    world.cases[f"{kind}-gazette"] = {**pk, "number": past_round.number, "paper": "a4"}
    world.cases[f"{kind}-unwritten-gazette"] = {**pk, "number": open_round.number, "paper": "a4"}
    world.cases[f"{kind}-ruling"] = {**pk, "ruling_pk": ruling.pk}
    phase = campaign.phases.create(first_round=1, name="The thaw")
    world.cases[f"{kind}-phase"] = {**pk, "phase_pk": phase.pk}
    world.cases[f"{kind}-adjustment"] = {**pk, "ruling_pk": adjusted.pk}
    matches = {"match": sealed, "reported": reported, "decided": decided, "planned": coming, "past": over}
    for name, match in matches.items():
        world.cases[f"{kind}-{name}"] = {"key": match.key}
        world.cases[f"{kind}-{name}-dice"] = {"key": match.dice.key}


def _season(world: World, people: dict[str, Player], club: Club, kind: str) -> None:
    """Create a season of the attacker and the defender, with one open and one planned round."""
    season = Season.objects.create(club=club, name=f"The {kind} season", state="running")
    campaign = Campaign.objects.get(pk=world.cases[f"{kind}-campaign"]["pk"])
    game = season.games.create(campaign=campaign, position=1)
    team = season.teams.create(name="Reds")
    one, two = (season.entrants.create(player=people[role], team=team) for role in ("attacker", "defender"))
    soon = timezone.now() + timedelta(days=3)
    pk = {"pk": season.pk}
    for number, state in enumerate(("open", "planned"), start=1):
        row = season.rounds.create(number=number, way="by-hand", state=state, agree_by=soon, deadline=soon)
        pairing = row.pairings.create(number=1, one=one, two=two)
        name = "season" if state == "open" else "planned-season"
        world.cases[f"{kind}-{name}-round"] = {**pk, "number": number}
        world.cases[f"{kind}-{name}-pairing"] = {"key": pairing.key}
    world.cases[f"{kind}-season"] = pk
    world.cases[f"{kind}-season-game"] = {**pk, "game_pk": game.pk}
    world.cases[f"{kind}-season-team"] = {**pk, "team_pk": team.pk}
    world.cases[f"{kind}-season-player"] = {**pk, "player_pk": one.pk}


def _watch_party(world: World, people: dict[str, Player], club: Club, kind: str) -> None:
    """Create a match with a watch party at its first step; nobody may see the rest."""
    campaign = a_campaign(club, name=f"The {kind} premiere", absent_rule="orders")
    names = {"attacker": f"Quiet Quails {kind}", "defender": f"Mute Swans {kind}"}
    sides = [an_enrolment(campaign, a_mustered_company(people[side], name=name)) for side, name in names.items()]
    watch_party = delay_next_step(begin(announce(a_match(a_round(campaign), *sides))))
    world.cases[f"{kind}-premiere"] = {"key": watch_party.match.key}
    world.secrets |= unseen_facts(watch_party)


def _reveal_small_lists(match: Match) -> None:
    """Reveal the lists of reported matches, which don't include the secret unit."""
    for side, enrolment in enumerate((match.attacker, match.defender)):
        units = list(enrolment.company.units.exclude(name=SECRET_UNIT).values_list("pk", flat=True))[:1]
        list_submit(match=match, side=side, units=units, doctrine="cautious", by=enrolment.company.owner)


def _own_rows(world: World, people: dict[str, Player]) -> None:
    """Create the attacker's other rows: designs, a token, prints, waiting dice."""
    owner = people["attacker"]
    private = design_save(author=owner, system=SYSTEM, name="Owl", spec=WASP)
    public = design_save(author=owner, system=SYSTEM, name="Jay", spec=WASP)
    type(public).objects.filter(pk=public.pk).update(visibility="public")
    world.cases["private-design"], world.cases["public-design"] = {"pk": private.pk}, {"pk": public.pk}
    world.cases["published"] = {"system": SYSTEM, "slug": "wasp"}
    world.cases["system"] = {"system": SYSTEM}
    token_create(player=owner)
    world.cases["token"] = {"token_key": AccessToken.objects.get(user=owner).token_key}
    session = UserSession.objects.create(user=owner, ip="192.0.2.1", session_key="k" * 32)
    world.cases["session"] = {"pk": session.pk}
    order = design_order(SYSTEM, "Wasp", WASP, ["unit-card"], PrintSettings(), 1)
    world.cases["print-job"] = {"key": print_ask(order=order, actor=owner).key, "number": 1}
    export = DataExport.objects.create(player=owner, status="done", file="takeouts/kim.zip", ended_at=timezone.now())
    world.cases["takeout"] = {"key": export.key}
    restore = ClubRestore.objects.create(asked_by=owner, title="The Old Table", status="failed", failure="Cut off.")
    world.cases["restore"] = {"key": restore.key}
    preset = preset_save(player=owner, name="Friday", choice=CompanyChoice())
    world.cases["print-preset"] = {"pk": preset.pk}
    saved_list = saved_list_save(player=owner, system=SYSTEM, name="Three", designs=[{"design": "wasp"}])
    world.cases["saved-force"] = {"pk": saved_list.pk}
    world.cases["printer"] = {"pk": printer_save(player=owner, name="Laser").pk}
    world.cases["calendar-key"] = {"key": PlayerCalendar.objects.create(player=owner).key}
    world.cases["mail-off"] = {"key": NotificationPreferences.objects.create(player=owner).unsubscribe_key}
    news = NotificationEvent.objects.create(occasion="level-up", facts={"company": "Iron Hounds", "pilots": "Bea rose"})
    world.cases["letter"] = {"pk": Notification.objects.create(player=owner, news=news).pk}
    world.cases["pair"] = {"key": PairedDice.objects.create(first="0" * 26, second="1" * 26).key}
    world.cases["letter-device"] = {"key": uuid4()}  # another player's, so the response is a 404
    for role, player in people.items():
        world.cases[f"dice-of-{role}"] = {"key": dice_waiting(actor=player, visitor="").key}


def _battles(world: World, people: dict[str, Player]) -> None:
    """Create battles that wait for a worker, and finished ones, on a map."""
    for seen in ("private", "link", "public"):
        waits = battle_queue(setup=duel(), actor=people["attacker"], visibility=seen)
        world.cases[f"{seen}-battle"] = {"key": waits.key}
        battle = battle_queue(setup=document("opening-shots"), actor=people["attacker"], visibility=seen, seed=1)
        assert battle_simulate(battle=Battle.claim(battle.pk))
        world.cases[f"{seen}-fought"] = {"key": battle.key}
        battle.refresh_from_db()
        fork = fork_ask(battle=battle, round=1, doctrines=("cautious", "cautious"), actor=people["attacker"])[0]
        world.cases[f"{seen}-fork"] = {"key": fork.key}


def _tables(world: World, people: dict[str, Player]) -> None:
    """Create seats of a visitor, opened only by their key, and of the attacker, whose phone is signed in."""
    visitors = table_open(setup=duel(), visitor="a visitor")
    world.cases |= {"visitors-seat": {"key": visitors.key}, "visitors-table": {"key": visitors.table.key}}
    world.cases["players-seat"] = {"key": table_open(setup=duel(), actor=people["attacker"]).key}


def _scenarios(world: World, people: dict[str, Player]) -> None:
    rules = roster_rules(SYSTEM)
    spec = rules.scenario_json(rules.scenarios["head-to-head"].spec)
    for seen in ("private", "link", "public"):
        row = scenario_save(author=people["attacker"], system=SYSTEM, name=f"Ridge {seen}", spec=spec, visibility=seen)
        world.cases[f"{seen}-scenario"] = {"pk": row.pk}
        world.cases[f"{seen}-scenario?key"] = {"pk": row.pk, "?key": str(row.link_key)}
    world.cases["published-scenario"] = {"system": SYSTEM, "slug": "head-to-head"}


def _keys(world: World) -> None:
    """Set the roles of the keys that open feeds, companies, scenarios and clubs to anybody."""
    roles = {player.pk: role for role, player in world.people.items()}
    of = {str(row.feed_key): row.player_id for row in Membership.objects.all()}
    of |= {str(row.link_key): row.owner_id for row in Company.objects.all()}
    of |= {str(row.link_key): row.author_id for row in Scenario.objects.all()}
    of |= {str(row.key): row.created_by_id for row in Invitation.objects.all()}
    of |= {str(row.key): row.created_by_id for row in ClubDisplay.objects.all()}
    world.keys = {key: roles[pk] for key, pk in of.items() if pk in roles}


def _calculations(world: World, people: dict[str, Player]) -> None:
    owner = people["attacker"]
    forecast = forecast_ask(setup=duel(), runs=100, actor=owner)[0]
    change = {"what": "level", "of": "a1", "to": "elite"}
    what_if = what_if_ask(forecast=forecast, change=change, runs=100, actor=owner)[0]
    matrix = matrix_ask(system=SYSTEM, terrain="plain", doctrines=("aggressive", "cautious"), battles=10, actor=owner)[
        0
    ]
    world.cases |= {"odds": {"key": forecast.key}, "what-if": {"key": what_if.key}, "matrix": {"key": matrix.key}}
    answer = best_answer_ask(forecast=forecast, side=1, actor=owner)[0]
    world.cases |= {"best-answer": {"key": answer.key}}
    change_row = best_change_ask(forecast=forecast, side=0, actor=owner)[0]
    world.cases |= {"best-change": {"key": change_row.key}}
    foes = [published_opponents(SYSTEM)["wasp"]]
    build = best_build_ask(system=SYSTEM, name="Tried", spec=WASP, foes=foes, actor=owner)[0]
    world.cases |= {"best-build": {"key": build.key}}
    trial = trial_ask(system=SYSTEM, name="Tried", spec=WASP, battles=10, actor=owner)[0]
    world.cases |= {"trial": {"key": trial.key}}
    record = resolve(read_setup(duel()), 1).text().encode()
    world.cases |= {"check": {"key": check_ask(data=record, actor=owner).key}}
    world.cases |= {"solo": {"key": solo_start(setup=duel(), sides=(0,), actor=owner).key}}
    world.cases |= {"-": {}, "sitemap": {"section": "companies"}, "mail-key": {"key": "no-such-key", "uidb36": "1"}}
