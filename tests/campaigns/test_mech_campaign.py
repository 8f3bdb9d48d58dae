"""Mech Campaign in a club: the effects of battles on the ledgers, reported, simulated or corrected."""

import html
import re
from importlib import import_module

import pytest
from django.apps import apps
from django.db import transaction
from django.urls import reverse

from campaigns.army_lists.checks import default_list
from campaigns.army_lists.services import list_submit, lists_reveal
from campaigns.campaign.services import territories_set
from campaigns.enrolments.selectors import enrolment_check
from campaigns.models import Outcome
from campaigns.planning.services import round_plan
from campaigns.results.aftermath import loan_terms, take_loan
from campaigns.results.reports import parse_report
from campaigns.rounds.closing import _fight
from campaigns.standings.selectors import standings, territories
from rosters.documents.company import read_company
from rosters.documents.import_export import company_document, company_import
from rosters.ledger.records import company_record
from rosters.ledger.selectors import ledger_of, service_record
from rosters.models import Pilot, Unit
from rosters.selectors import company_sheet, gone_of, unit_sheet
from rosters.services import RefusedError, company_clone, pilot_assign, unit_buy, unit_sell
from systems import roster_rules
from systems.scenarios import SIDES
from tests.campaigns.builders import a_campaign, a_club, a_match, a_mustered_company, a_round, an_enrolment
from tests.campaigns.corrections import CASCADE, Faces, check_consistency, confirm_match, correct_match, report

pytestmark = pytest.mark.django_db
SLUG = "mech-campaign"
LANCE = ("heavy-mech", "heavy-mech", "light-mech", "light-mech", "track")  # 44 points
LOST = {"destroyed": True}
WORKSHOP = {"workshop": True}


@pytest.fixture
def faces(monkeypatch):
    return Faces(monkeypatch)


@pytest.fixture
def campaign():
    return a_campaign(
        system=SLUG,
        scenarios=[{"value": "claim-dispute", "name": "Claim Dispute"}],
        options={},
        tie_breakers=["destroyed", "destroyed-count"],
        catalogue_release=roster_rules(SLUG).catalogue_release,
    )


@pytest.fixture
def three(campaign):
    return [enrol_company(campaign, name) for name in ("Ants", "Bees", "Cats")]


@pytest.fixture
def arbiter(campaign):
    return campaign.club.memberships.first().player


def enrol_company(campaign, name, *designs):
    return an_enrolment(campaign, a_mustered_company(None, *(designs or LANCE), name=name, system=SLUG))


def a_battle(campaign, one, other):
    return a_match(a_round(campaign), one, other, scenario="claim-dispute", scenario_name="C", terrain="rolled")


def play_match(campaign, one, other, winner="attacker", *, faces, dice=(), **units):
    match = lists_reveal(match=a_battle(campaign, one, other))
    faces.fix(match, *dice)
    return confirm_match(match, report(match, winner, **units))


def units(enrolment):
    return list(company_record(enrolment.company).units.values())


def pilots(enrolment):
    return list(company_record(enrolment.company).pilots.values())


def entries(enrolment):
    """Return the entries of the company's last game, without facts that only a record has."""
    last = enrolment.company.ledger.filter(kind="game").latest("pk")
    record_only = ("battle", "by", "cause", "victims")
    return [
        (
            e.kind,
            e.unit_id,
            e.pilot_id,
            e.points,
            {name: fact for name, fact in e.facts.items() if name not in record_only},
        )
        for e in enrolment.company.ledger.filter(act=last.act).order_by("pk")
    ]


# --- one battle -------------------------------------------------------------------------------------------------------


@pytest.mark.rule("MC-203", "MC-204", "MC-205", "MC-206", "MC-209", "MC-210", "MC-211")
def test_report_is_logged_to_both_companies(campaign, three, faces):
    ants, bees, _ = three
    # Ants won: their third unit's 1 becomes a 2, written off; its pilot's 2 is hurt. Bees: 4 workshop; 2 written off, 1
    # killed; 5.
    play_match(
        campaign, ants, bees, faces=faces, dice=(1, 2, 4, 2, 1, 5),
        attacker={0: {"kills": 2}, 1: {"kills": 1, "hits_lost": 2}, 2: LOST},
        defender={0: LOST, 1: LOST | {"kills": 1}, 2: LOST},
    )  # fmt: skip
    assert [(unit.status, unit.condition, unit.times_lost) for unit in units(ants)] == [
        ("ready", {}, 0),
        ("ready", {}, 0),
        ("destroyed", {}, 1),
        ("ready", {}, 0),
        ("ready", {}, 0),
    ]
    assert [(pilot.status, pilot.experience, pilot.points, pilot.games) for pilot in pilots(ants)] == [
        ("active", "regular", 3, 1),
        ("active", "rookie", 2, 1),
        ("wounded", "rookie", 1, 1),
        ("active", "rookie", 1, 1),
        ("active", "rookie", 1, 1),
    ]
    assert [(unit.status, unit.condition) for unit in units(bees)] == [
        ("ready", WORKSHOP),
        ("destroyed", {}),
        ("ready", {}),
        ("ready", {}),
        ("ready", {}),
    ]
    assert [(pilot.status, pilot.points, pilot.kills) for pilot in pilots(bees)][:3] == [
        ("active", 1, 0),
        ("dead", 0, 1),
        ("active", 1, 0),
    ]
    assert [company_record(side.company).balance for side in (ants, bees)] == [8, 4]  # 16 of 60 points were left
    check_consistency()


@pytest.mark.rule("MC-201", "MC-211")
def test_founding_points_lapse_after_the_first_battle(campaign, three, faces):
    ants, bees, _ = three
    unit_buy(company=ants.company, by=ants.company.owner, published="light-mech")  # for 8 of the remaining 16 points
    for _ in range(2):
        play_match(campaign, ants, bees, "draw", faces=faces)
    assert [company_record(side.company).balance for side in (ants, bees)] == [12, 12]
    unit_buy(company=ants.company, by=ants.company.owner, published="heavy-mech")
    with pytest.raises(RefusedError, match="costs 10 ore; Ants has 2"):
        unit_buy(company=ants.company, by=ants.company.owner, published="heavy-mech")
    text = " ".join(row.text for row in ledger_of(bees.company))
    assert text.count("16 points of starting money lost") == 1


@pytest.mark.rule("MC-104", "MC-204")
def test_simulation_and_report_write_equal_entries(campaign, three):
    ants, bees, _ = three
    match = a_battle(campaign, ants, bees)
    with transaction.atomic():
        _fight(match)
        match.refresh_from_db()
        result = match.battle.result
        simulated = [entries(ants), entries(bees)]
        transaction.set_rollback(True)
    match.refresh_from_db()
    assert sum(unit["lost"] for unit in result["units"]) > 1
    assert sum(unit["kills"] for unit in result["units"]) > 1
    match = lists_reveal(match=match)
    names = [side["name"] for side in match.setup["sides"]]
    fates = {
        unit["key"]: {
            "destroyed": unit["lost"],
            "withdrew": unit["withdrew"],
            "kills": unit["kills"],
            "specials": unit["specials"],
            "hits_lost": 4 - unit["hits"],
        }
        for unit in result["units"]
    }
    winner = SIDES[names.index(result["winner"])] if result["winner"] else "draw"
    confirm_match(match, parse_report({"muster": "report/1", "winner": winner, "units": fates}))
    assert [entries(ants), entries(bees)] == simulated
    check_consistency()


# --- between battles --------------------------------------------------------------------------------------------------


@pytest.mark.rule("MC-204", "MC-207")
def test_workshop_unit_misses_one_battle(campaign, three, faces):
    ants, bees, cats = three
    play_match(campaign, ants, bees, "defender", faces=faces, dice=(3,), attacker={4: LOST})
    track = units(ants)[4]
    match = a_battle(campaign, ants, cats)
    assert track.id not in default_list(match, 0)["units"]
    match = lists_reveal(match=match)
    assert units(ants)[4].condition == WORKSHOP
    confirm_match(match, report(match, "draw"))
    assert units(ants)[4].condition == {}
    text = [row.text for row in ledger_of(ants.company, unit=track.id)]
    assert "Track is out of the workshop in" in text[0]
    assert "Track went to the workshop (3 on the recovery die) in" in text[1]


@pytest.mark.rule("MC-203", "MC-207")
def test_unit_from_the_workshop_starts_damaged(campaign, three, faces):
    ants, bees, cats = three
    play_match(campaign, ants, bees, "defender", faces=faces, dice=(3,), attacker={4: LOST})
    match = a_battle(campaign, ants, cats)
    everybody = [unit.id for unit in units(ants)]
    for side, own in ((0, everybody), (1, [unit.id for unit in units(cats)])):
        owner = (ants, cats)[side].company.owner
        match = list_submit(match=match, side=side, units=own, doctrine="cautious", by=owner)
    assert match.setup["sides"][0]["units"][4]["condition"] == WORKSHOP
    with pytest.raises(RefusedError, match="can take only 3 more damage"):
        confirm_match(match, report(match, attacker={4: {"hits_lost": 4, "destroyed": True}}))
    confirm_match(match, report(match, "draw", attacker={4: {"hits_lost": 2}}))
    assert units(ants)[4].condition == {}


@pytest.mark.rule("MC-202", "MC-205")
def test_force_needs_a_fit_pilot_in_each_unit(campaign, three, faces):
    ants, bees, _ = three
    play_match(campaign, ants, bees, "defender", faces=faces, dice=(1, 2), attacker={4: LOST})
    record = company_record(ants.company)
    hurt = next(pilot for pilot in record.pilots.values() if pilot.status == "wounded")
    ids = [unit.id for unit in record.units.values() if unit.status == "ready"]
    match = a_battle(campaign, ants, bees)

    def submit(*chosen):
        return list_submit(match=match, side=0, units=chosen, doctrine="cautious", by=ants.company.owner)

    with pytest.raises(RefusedError, match="at least 4 units"):
        submit(*ids[:3])
    mech = Unit.objects.get(pk=ids[0])

    def seat(pilot):
        pilot_assign(company=ants.company, by=ants.company.owner, unit=mech, pilot=pilot)

    first = mech.pilot
    seat(None)
    with pytest.raises(RefusedError, match="has no pilot .MC-202."):
        submit(*ids)
    seat(Pilot.objects.get(pk=hurt.id))
    with pytest.raises(RefusedError, match="misses the next game .MC-205."):
        submit(*ids)
    seat(first)
    submit(*ids)
    assert match.sealed.get().document["units"] == ids


@pytest.mark.rule("MC-205")
def test_hurt_pilot_is_fit_after_a_missed_battle(campaign, three, faces):
    ants, bees, cats = three
    play_match(campaign, ants, bees, "defender", faces=faces, dice=(1, 2), attacker={4: LOST})
    assert pilots(ants)[4].status == "wounded"
    play_match(campaign, ants, cats, faces=faces)
    assert pilots(ants)[4].status == "active"


@pytest.mark.rule("MC-201")
def test_mustering_checks_points_units_and_legal_force(campaign):
    legal = a_mustered_company(None, *LANCE, "light-mech", "light-mech", system=SLUG)  # 60 points
    assert enrolment_check(legal, campaign).problems == ()
    campaign.points = 59
    assert "worth 60 points" in enrolment_check(legal, campaign).problems[0].message
    campaign.points = 60
    crowd = a_mustered_company(None, "light-mech", "light-mech", "light-mech", *["gun-sentry"] * 8, system=SLUG)
    assert "10 units at most" in enrolment_check(crowd, campaign).problems[0].message
    sentries = a_mustered_company(None, "heavy-mech", *["gun-sentry"] * 4, system=SLUG)
    assert "No legal force" in enrolment_check(sentries, campaign).problems[0].message


@pytest.mark.rule("MC-208")
def test_lent_mechs_leave_after_one_battle(campaign, three, faces, client):
    ants, bees, cats = three
    owner = ants.company.owner
    client.force_login(owner)
    page = reverse("rosters:company", args=[ants.company_id])
    with pytest.raises(RefusedError, match="can field a legal list"):
        take_loan(company=ants.company, by=owner)
    gone = dict.fromkeys((0, 1), LOST)
    play_match(campaign, ants, bees, "defender", faces=faces, dice=(1, 4, 1, 4), attacker=gone)
    before = company_record(ants.company)
    assert loan_terms(before, SLUG).units == 1
    assert "Borrow light mechs" in client.get(page).content.decode()
    client.post(reverse("campaigns:company_loan", args=[ants.company_id]))
    (lent,) = [unit for unit in units(ants) if unit.lent]
    assert loan_terms(company_record(ants.company), SLUG) is None
    assert company_record(ants.company).balance == before.balance

    match = lists_reveal(match=a_battle(campaign, ants, cats))
    assert list(match.forces[0])[2] == f"u{lent.id}"
    faces.fix(match)
    confirm_match(match, report(match, "draw", attacker={2: LOST}))  # the lent unit: no die is rolled for it
    after = company_record(ants.company)
    assert (after.units[lent.id].status, after.pilots[lent.pilot].status) == ("undone", "undone")
    assert after.pilots[lent.pilot].points == 0
    sheet, gone = company_sheet(ants.company), gone_of(ants.company, {})
    assert lent.id not in [unit.id for unit in (*sheet.units, *gone.units)]
    assert lent.pilot not in [pilot.id for pilot in (*sheet.pilots, *gone.pilots)]
    assert after.balance == before.balance + 6
    assert loan_terms(after, SLUG).units == 1  # until it can field a legal force
    check_consistency()


@pytest.mark.rule("MC-208")
def test_lent_unit_sells_for_nothing_and_is_not_cloned(campaign, three, faces):
    ants, bees, _ = three
    play_match(campaign, ants, bees, "defender", faces=faces, dice=(1, 4, 1, 4), attacker={0: LOST, 1: LOST})
    (unit,) = take_loan(company=ants.company, by=ants.company.owner)
    copy = company_clone(company=ants.company, owner=ants.company.owner)
    assert (copy.units.count(), copy.pilots.count()) == (3, 5)
    assert unit_sell(company=ants.company, by=ants.company.owner, unit=unit) == 0


# --- records ----------------------------------------------------------------------------------------------------------


@pytest.mark.rule("MC-209", "MC-210")
def test_service_record_appears_on_sheet_and_pages(campaign, three, faces, client):
    ants, bees, _ = three
    play_match(campaign, ants, bees, faces=faces, dice=(5,), attacker={0: {"kills": 1} | LOST}, defender={0: LOST})
    sheet = company_sheet(ants.company)
    card = unit_sheet(sheet, sheet.units[0])
    assert (card.service.games, card.service.kills, card.service.times_lost) == (1, 1, 1)
    assert (card.pilot.experience, card.pilot.games, card.pilot.kills) == (2, 1, 1)
    (game,) = [line for line in service_record(ledger_of(ants.company, pilot=sheet.pilots[0].id)) if line.number]
    assert "Gained 2 experience" in [row.deed for row in game.deeds]
    client.force_login(ants.company.owner)
    for name, pk in (("pilot", sheet.pilots[0].id), ("unit", sheet.units[0].id)):
        text = html.unescape(client.get(reverse(f"rosters:{name}", args=[sheet.id, pk])).content.decode())
        assert {"pilot": "Experience", "unit": "Times lost"}[name] in text
        assert "was saved (5 + 1 for the win on the recovery die)" in text or name == "pilot"


def test_company_document_restores_its_history(campaign, three, faces):
    ants, bees, _ = three
    play_match(
        campaign, ants, bees, "defender", faces=faces, dice=(1, 4, 1, 1, 4, 2), attacker={0: LOST, 1: LOST, 2: LOST}
    )
    assert [unit.status for unit in units(ants)] == ["destroyed", "destroyed", "ready", "ready", "ready"]
    take_loan(company=ants.company, by=ants.company.owner)
    copy = company_import(document=read_company(company_document(ants.company)), owner=bees.company.owner)
    kept = [(unit.status, unit.condition, unit.times_lost, unit.lent) for unit in units(ants)]
    assert [
        (unit.status, unit.condition, unit.times_lost, unit.lent) for unit in company_record(copy).units.values()
    ] == kept


# --- corrections ------------------------------------------------------------------------------------------------------


@pytest.mark.rule("MC-204", "MC-209", "MC-211")
def test_cascade_recalculates_every_later_battle(campaign, three, arbiter, faces):
    ants, bees, cats = three
    wrong = play_match(campaign, ants, bees, faces=faces, dice=(1, 1), attacker={0: {"kills": 1}}, defender={0: LOST})
    play_match(campaign, bees, cats, faces=faces, attacker={0: {"kills": 1}}, defender={4: LOST}, dice=(5,))
    later = play_match(campaign, ants, cats, faces=faces, attacker={1: {"kills": 1}}, defender={3: LOST}, dice=(6,))
    assert units(bees)[0].status == "destroyed"
    right = report(wrong, "defender", attacker={0: LOST}, defender={0: {"kills": 1}})
    preview, _ = correct_match(wrong, right, CASCADE, arbiter)
    # The same dice: now the first Ant is written off by the 1, and its pilot killed by the next.
    assert (units(ants)[0].status, pilots(ants)[0].status) == ("destroyed", "dead")
    assert (units(bees)[0].status, units(bees)[0].kills, pilots(bees)[0].points) == ("ready", 1, 2)
    assert [company_record(side.company).balance for side in three] == [4 + 8, 8 + 8, 4 + 4]
    later_texts = {each.title: each.text for each in preview.later}
    assert any("Heavy mech played although it was already destroyed" in text for text in later_texts.values()), (
        later_texts
    )
    later.refresh_from_db()
    assert later.flag
    check_consistency()


@pytest.mark.rule("MC-211")
def test_undone_battle_returns_its_ore(campaign, three, arbiter, faces):
    ants, bees, cats = three
    first = play_match(campaign, ants, bees, faces=faces)
    play_match(campaign, ants, cats, faces=faces)
    correct_match(first, None, CASCADE, arbiter)
    assert [company_record(side.company).balance for side in three] == [8, 16, 4]
    check_consistency()


# --- the campaign -----------------------------------------------------------------------------------------------------


@pytest.mark.rule("MC-212")
def test_league_table_has_the_games_columns(campaign, three, faces, client):
    ants, bees, cats = three
    play_match(campaign, ants, bees, faces=faces, attacker={0: {"kills": 1}}, defender={0: LOST}, dice=(6,))
    play_match(campaign, bees, cats, faces=faces, attacker={0: {"kills": 2}, 1: LOST}, defender={0: LOST, 1: LOST},
           dice=(6, 6, 6))  # fmt: skip
    play_match(campaign, cats, ants, "draw", faces=faces)
    table = [(each.row.name, each.row.points, each.row.destroyed, each.row.units_lost) for each in standings(campaign)]
    assert table == [("Ants", 4, 1, 0), ("Bees", 3, 2, 2), ("Cats", 1, 1, 2)]
    html = client.get(reverse("campaigns:standings", args=[campaign.pk])).content.decode()
    assert re.findall(r"<th [^>]*>((?:Units|Points) [^<]+)</th>", html) == [
        "Units eliminated, lost",
        "Points eliminated",
    ]


@pytest.mark.rule("MC-213")
def test_winner_holds_the_zone_and_a_draw_changes_nothing(campaign, three, faces):
    ants, bees, _ = three
    zones = a_map(campaign)
    assert [zone.name for zone in zones][:2] == ["Zone 1", "Zone 2"]
    for winner in ("attacker", "draw"):
        match = lists_reveal(match=a_battle(campaign, ants, bees))
        match.territory = zones[4]
        match.save()
        confirm_match(match, report(match, winner))
        held = {zone.name: zone.holder_name for zone in territories(campaign) if zone.holder}
        assert held == {"Zone 5": "Ants"}


@pytest.mark.rule("MC-213", "MC-214")
def test_planned_round_rolls_for_zones(campaign, three, faces, arbiter):
    ants, bees, cats = three
    enrol_company(campaign, "Dogs")
    campaign.scenarios = [{"value": slug, "name": slug} for slug in ("claim-dispute", "survey-beacons", "sabotage")]
    campaign.save()
    a_map(campaign)
    seen, held = set(), 0
    for _ in range(12):
        row = round_plan(campaign=campaign, by=arbiter, way="round-robin")
        holders = {each.id: each.holder for each in territories(campaign)}
        for match in row.matches.exclude(territory=None):
            assert holders[match.territory_id] != match.attacker_id
            held += holders[match.territory_id] is not None
            seen.add(match.scenario)
        row.state = "closed"
        row.save()
        row.matches.update(state="forfeited", outcome=Outcome.ATTACKER)
    assert seen == {"claim-dispute", "survey-beacons", "sabotage"}
    assert held  # some zones had a holder


def a_map(campaign):
    campaign.map_kind = "zones"
    campaign.state = "draft"
    campaign.save()
    zones = territories_set(
        campaign=campaign, by=campaign.club.memberships.first().player, names=[f"Zone {at}" for at in range(1, 10)]
    )
    campaign.state = "running"
    campaign.save()
    return zones


@pytest.mark.rule("MC-004", "HX-047", "HX-145")
def test_migration_keeps_house_rules_of_running_campaigns():
    migration = import_module("campaigns.migrations.0220_kept_house_rules")
    cases = [
        ("mech-campaign", "running", {"resolve-bonus": 1}, {"resolve-bonus": 1, "heavy-limit": "half"}),
        ("mech-campaign", "draft", {}, {}),
        ("hex-core", "mustering", {}, {"freeze-roll": "at-or-under", "two-handed": "both-hands"}),
        ("hex-core", "running", {"two-handed": "one-hand"}, {"freeze-roll": "at-or-under", "two-handed": "one-hand"}),
        ("meks-and-mercs", "running", {}, {}),
    ]
    rows = [
        a_campaign(a_club(name=f"Club {at}"), system=system, state=state, options=options)
        for at, (system, state, options, _kept) in enumerate(cases)
    ]
    migration.keep_house_rules(apps, None)
    for row in rows:
        row.refresh_from_db()
    assert [row.options for row in rows] == [kept for *_, kept in cases]
