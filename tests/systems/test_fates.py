"""Fates of units in every game: entered by form and report, through both ledgers, to page and slip."""

import re
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import pytest
from django.db import transaction
from django.urls import reverse

from battles.services.battles import unit_results
from battles.services.results import fates_from_result
from campaigns.army_lists.services import lists_reveal
from campaigns.models import Match
from campaigns.results.reports import MatchReport, compare_reports, parse_report
from campaigns.results.selectors import match_words
from rosters.ledger.projection import describe_entry, plain
from rosters.models import LedgerEntry
from rosters.services import UnitResult, company_apply_result
from systems import BATTLES, battle_rules, roster_rules
from systems.ledger import Subject
from systems.paper.blocks import slip_words
from systems.reading import fate_fields, read_setup
from systems.report_fields import CountField, FateField, PilotFateField, TickField
from tests.campaigns.builders import a_campaign, a_match, a_mustered_company, a_round, an_enrolment
from tests.campaigns.corrections import confirm_match
from tests.example_shares import in_every_run
from tests.systems import toy
from tests.systems.any_battle import any_battle
from tests.systems.test_toy_pages import form_data

pytestmark = pytest.mark.django_db
GAMES = (*BATTLES, toy.SLUG)
SCENARIOS = {
    "meks-and-mercs": "opening-shots"
}  # games that need another scenario than the plain one: one whose support can repair
HURT = {"meks-and-mercs": {"hits": 2}}  # condition of the attacker's first unit, so that there is something to repair


@pytest.fixture(autouse=True)
def installed(monkeypatch) -> None:
    toy.install(monkeypatch)


each_game = pytest.mark.parametrize("game", in_every_run(("mech-campaign", "mechastellar"), GAMES, pytest.mark.slow))


@pytest.mark.parametrize(("game", "ends"), [("meks-and-mercs", ("exploded",)), ("mech-campaign", ())])
def test_game_names_ticks_that_end_a_unit(game, ends):
    assert battle_rules(game).hand.ends == ends


def a_game(game: str) -> Match:
    """Return a match with revealed lists; the attacker alone has support that repairs, if the game has any."""
    battles, rosters = battle_rules(game), roster_rules(game)
    scenario = SCENARIOS.get(game, battles.plain_scenario)
    campaign = a_campaign(
        system=game,
        options={"season-mode": "standing-company"} if "season-mode" in rosters.house_rules else {},
        catalogue_release=rosters.catalogue_release,
    )
    one, other = (
        an_enrolment(campaign, a_mustered_company(None, *any_battle(game).force, name=name, system=game))
        for name in ("Ants", "Bees")
    )
    if game in HURT:
        unit = one.company.units.order_by("pk").first()
        result = UnitResult(unit=unit.pk, pilot=unit.pilot_id, after=HURT[game])
        company_apply_result(
            company=one.company, act=uuid.uuid4(), cause_ref=str(uuid.uuid4()), by=None, units=[result]
        )
    terrain = battles.match_terrains(scenario)[0]
    match = lists_reveal(match=a_match(a_round(campaign), one, other, scenario=scenario, terrain=terrain))
    if battles.hand.mends:
        match.setup["sides"][0]["support"] = [battles.hand.mends]
        match.setup["sides"][1]["support"] = []  # what it rolled may repair too
        match.save(update_fields=["setup"])
    return match


def sample_answer(each: FateField) -> int | str:
    return each.fates[0][0] if isinstance(each, PilotFateField) else 1 if isinstance(each, CountField) else True


def report_with(match: Match, each: FateField | None) -> MatchReport:
    """Return a report with this field for the attacker's first unit, and otherwise as little as possible."""
    own, other = (next(iter(force)) for force in match.forces)
    fate = {each.name: sample_answer(each)} if each else {}
    if each and each.needs:
        fate[each.needs[0]] = True
    units = {own: fate, other: {"destroyed": True}}  # so that a unit can have a kill
    return parse_report({"muster": "report/1", "winner": "attacker", "units": units})


@contextmanager
def decided_match(match: Match, report: MatchReport) -> Iterator[Match]:
    """Yield the match as this report decides it, then undo the decision."""
    with transaction.atomic():
        yield confirm_match(Match.objects.get(pk=match.pk), report)
        transaction.set_rollback(True)


def entries(match: Match) -> list[str]:
    """Return what the game wrote to both ledgers."""
    rows = LedgerEntry.objects.filter(cause_ref=str(match.battle.key)).order_by("pk")
    return [
        plain(describe_entry(row.kind, row.facts, row.unit and Subject(row.unit.pk, row.unit.name), None))
        + str(row.facts)
        for row in rows.select_related("unit")
    ]


def page_of(client, match: Match) -> list[str]:
    """Return what the battle's page shows of the units, side by side."""
    page = client.get(reverse("battles:battle", args=[match.battle.key])).content.decode()
    return re.findall(r"<table.*?</table>", page.partition('id="became"')[2], flags=re.DOTALL)[:2]


@pytest.mark.any_database
@each_game
def test_fate_reaches_result_ledgers_and_page(client, game):
    match = a_game(game)
    with decided_match(match, report_with(match, None)) as done:
        unreported = UnreportedUnit(entries(done), page_of(client, done))
    assert battle_rules(game).hand.asks
    for each in battle_rules(game).hand.asks:
        check_fate(client, match, each, unreported)


@dataclass(frozen=True)
class UnreportedUnit:
    """The ledger and page of a match whose report says nothing about the unit."""

    ledger: list[str]
    page: list[str]


def check_fate(client, match: Match, each: FateField, without: UnreportedUnit) -> None:
    key, name = next(iter(match.forces[0])), each.name
    with_it = report_with(match, each)
    assert with_it.fates[key][name] == sample_answer(each)
    rows = {row.path: row for row in compare_reports(with_it, with_it, match_words(match))}
    row = rows[f"units.{key}.{name}"]
    assert row.field == each.label
    assert row.attacker == row.defender == each.in_words(sample_answer(each))
    with decided_match(match, with_it) as done:
        setup = read_setup(done.setup)
        fates = fates_from_result(setup, done.battle.result)[key]
        results = unit_results(done.battle, done.battle.sides.get(position=0))
        ledger, page = entries(done), page_of(client, done)
    assert fates[name] == sample_answer(each)
    assert each.is_of_hits or results[0].fate[name] == sample_answer(each)
    words = each.phrase.format(answer=sample_answer(each))
    if words:
        assert words in page[0]
        assert any("fought" in line and words in line for line in ledger)
    silent = any_battle(setup.system)
    assert (without.ledger != ledger) == (name not in silent.silent_in_ledgers), f"{name}: see `silent_in_ledgers`"
    assert (without.page != page) == (name not in silent.silent_on_pages), f"{name}: see `silent_on_pages` of ANY"


@each_game
def test_every_fate_is_on_forms_and_slip(client, game):
    match, terms = a_game(game), battle_rules(game).hand
    client.force_login(match.attacker.company.owner)
    report = client.get(reverse("campaigns:match_report", args=[match.key])).content.decode()
    scenario, forces = SCENARIOS.get(game, battle_rules(game).plain_scenario), any_battle(game).force
    query = form_data(client, reverse("battles:log-battle", query={"system": game, "scenario": scenario}))
    query |= {f"{side}{at}-unit": f"design:{design}" for side in "ab" for at, design in enumerate(forces, start=1)}
    query |= {f"{side}-support-1": terms.mends for side in "ab" if terms.mends}
    grid = client.get(reverse("battles:log-battle", query=query)).content.decode()
    words = slip_words(terms, hits=3)
    ticked = {*words.counts, *words.written, words.hits_name, *words.ends}
    for each in terms.asks:
        head = each.label[:1].upper() + each.label[1:]
        assert f': {each.label}"' in report
        assert f': {f"{terms.hits} left" if each.name == "hits_lost" else head}"' in grid
        assert {each.label, head} & ticked or isinstance(each, PilotFateField) and words.fates
    fields = set(re.findall(r'name="u\d+-(\w+)"', report))
    assert fields == {each.name for each in terms.asks}


def test_same_fate_name_means_same_kind_of_answer():
    kinds = {each.name: type(each) for each in fate_fields()}
    assert {type(each) for each in fate_fields()} == {CountField, TickField, PilotFateField}
    for game in GAMES:
        for each in battle_rules(game).hand.asks:
            assert kinds[each.name] is type(each), (game, each.name)
            assert not each.needs or each.needs[0] in battle_rules(game).hand.fields
            assert not each.bars or each.bars[0] in battle_rules(game).hand.fields
