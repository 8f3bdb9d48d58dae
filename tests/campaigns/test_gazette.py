"""The contents of a closed round's gazette, and its editions."""

import importlib
import uuid
from datetime import timedelta

import pytest
from django.apps import apps
from django.db import connection
from django.utils import timezone

from battles.models import Forecast
from battles.services import dice as dice_services
from campaigns.gazette.content import gazette_content
from campaigns.gazette.document import GazetteDocument
from campaigns.gazette.selectors import changes_since, gazette_rows, gazette_sheet
from campaigns.gazette.services import gazette_amend, gazette_new_edition, gazette_write
from campaigns.models import ActivityLogEntry, Gazette, GazettePrint, Outcome, Ruling, Territory
from campaigns.planning.services import round_open
from campaigns.results.rulings import match_rule
from rosters.models import LedgerEntry
from rosters.services import RefusedError
from tests.builders import a_player
from tests.campaigns.builders import a_campaign, a_club, a_match, a_round, an_enrolment
from tests.campaigns.gazettes import a_closed_round, close_round, confirm_result, enrol_companies, forfeit_match

pytestmark = pytest.mark.django_db


def odds_of(match, attacker, defender, runs=20_000):
    """Give the match odds as a worker would have calculated them."""
    match.forecast = Forecast.objects.create(
        system="meks-and-mercs",
        question=uuid.uuid4().hex,
        title="Odds",
        seed="0",
        rules_version=1,
        runs_asked=runs,
        runs_done=runs,
        counts={"battle": {"attacker_wins": attacker, "defender_wins": defender}},
        setup={},
        setup_hash="",
    )
    match.save(update_fields=["forecast"])
    return match


def content_of(row):
    return gazette_sheet(Gazette.objects.get(round=row)).content


class TestUpset:
    def a_round_of(self, *pairs):
        """Fight and close a round of matches: ((attacker's wins, defender's wins) of 20,000 or None, winner)."""
        row = a_round(a_campaign())
        for at, (odds, winner) in enumerate(pairs):
            match = a_match(row, *enrol_companies(row.campaign, f"A{at + 1}", f"D{at + 1}"))
            match = confirm_result(match, winner)
            if odds:
                odds_of(match, *odds)
        return content_of(close_round(row))

    def test_upset_is_the_winner_with_the_lowest_odds(self):
        content = self.a_round_of(
            ((6_000, 13_000), "attacker"),  # 30.0%
            ((15_300, 4_300), "defender"),  # 21.5%
            ((1_000, 19_000), "defender"),  # 95%, no upset
            ((100, 19_000), "draw"),  # nobody won
        )
        upset = content.upset
        assert (upset.winner, upset.loser, upset.by, upset.chance, upset.battles) == ("D2", "A2", "odds", 0.215, 20_000)

    def test_upset_ignores_odds_of_too_few_battles(self):
        row = a_round(a_campaign())
        confirm_result(odds_of(a_match(row), 1, 9, runs=10), "attacker")
        assert content_of(close_round(row)).upset is None

    def test_favourites_win_is_no_upset(self):
        assert self.a_round_of(((12_000, 7_000), "attacker")).upset is None

    def test_upset_without_odds_compares_the_standings(self):
        campaign = a_campaign()
        a, b, c, d = enrol_companies(campaign, "Axes", "Bears", "Crows", "Dogs")
        first = a_round(campaign)
        confirm_result(a_match(first, a, b), "attacker")
        confirm_result(a_match(first, c, d), "draw")
        points = {each.name: each.points for each in content_of(close_round(first)).standings}
        second = a_round(campaign)
        confirm_result(a_match(second, a, c), "defender")  # behind by a win minus a draw
        confirm_result(a_match(second, b, d), "attacker")  # behind by a draw
        upset = content_of(close_round(second)).upset
        gaps = {"Crows": points["Axes"] - points["Crows"], "Bears": points["Dogs"] - points["Bears"]}
        winner = max(gaps, key=gaps.get)
        assert gaps[winner] > 0
        assert (upset.winner, upset.by, upset.chance) == (winner, "table", None)
        assert upset.points[1] - upset.points[0] == gaps[winner]

    def test_forfeit_is_no_upset(self):
        campaign = a_campaign()
        a, b = enrol_companies(campaign, "Axes", "Bears")
        first = a_round(campaign)
        forfeit_match(a_match(first, a, b))
        close_round(first)
        second = a_round(campaign)
        forfeit_match(a_match(second, b, a))
        assert content_of(close_round(second)).upset is None


class TestPilots:
    def write(self, match, kind, pilot, **facts):
        return LedgerEntry.objects.create(
            company=pilot.company, act=uuid.uuid4(), kind=kind, pilot=pilot, facts=facts, cause="result",
            cause_ref=str(match.battle.key),
        )  # fmt: skip

    def lines(self, row):
        return [(line.pilot, line.what, line.told) for line in gazette_content(row).pilots]

    @pytest.fixture
    def match(self, monkeypatch):
        monkeypatch.setattr(dice_services.secrets, "token_hex", lambda size: "5e" * size)  # the same dice on every run
        row = a_round(a_campaign())
        match = confirm_result(a_match(row, *enrol_companies(row.campaign, "Axes", "Bears")), "draw")
        return match

    def test_pilot_news_comes_from_the_ledger(self, match):
        one, two = match.attacker.company.pilots.order_by("pk")
        three, four = match.defender.company.pilots.order_by("pk")
        before = self.lines(match.round)  # the battle's own consequences
        self.write(match, "wounded", one)
        self.write(match, "died", one)
        self.write(match, "wounded", two, misses=1)
        self.write(match, "wounded", three)
        self.write(match, "unhurt", three)
        self.write(match, "promoted", four, to="regular", name="Regular")
        self.write(match, "skill-gained", four, skill="gunner", name="Gunner")
        lines = self.lines(match.round)
        for line in before:
            lines.remove(line)
        assert lines == [
            (one.name, "killed", "killed"),
            (two.name, "wounded", "injured, misses the next game"),
            (four.name, "promoted", "promoted to Regular"),
            (four.name, "skill", "learned Gunner"),
        ]

    def test_ace_has_more_kills_than_any_other_pilot(self, match):
        one, two = match.attacker.company.pilots.order_by("pk")
        self.write(match, "kill", one, count=2)
        assert gazette_content(match.round).ace.kills == 2
        self.write(match, "kill", two, count=2)
        assert gazette_content(match.round).ace is None

    def test_pilots_of_a_company_share_a_line(self, match):
        names = ", ".join(match.attacker.company.pilots.order_by("pk").values_list("name", flat=True))
        for pilot in match.attacker.company.pilots.all():
            self.write(match, "died", pilot)
        (group,) = [
            each
            for each in gazette_sheet(gazette_write(round_=close_round(match.round))).pilots
            if each.what == "killed"
        ]
        assert [(line.pilots, line.company) for line in group.lines] == [(names, "Axes")]

    def test_reversed_entries_are_left_out(self, match):
        pilot = match.attacker.company.pilots.first()
        entry = self.write(match, "died", pilot)
        LedgerEntry.objects.create(
            company=pilot.company, act=uuid.uuid4(), kind="reversed", pilot=pilot, reverses=entry, cause="undo",
            cause_ref=str(match.battle.key),
        )  # fmt: skip
        assert not [line for line in self.lines(match.round) if line[1] == "killed"]

    def test_gazette_tells_the_fate_of_a_lost_units_pilot(self):
        row = a_round(a_campaign())

        def lost(match):
            key = next(iter(match.forces[1]))
            fate = {"destroyed": True, "hits_lost": 2}
            return {key: fate, next(iter(match.forces[0])): {"kills": 1}}

        match = confirm_result(a_match(row, *enrol_companies(row.campaign, "Axes", "Bears")), "attacker", lost)
        content = content_of(close_round(row))
        assert content.units_lost == 1
        fates = {entry.kind for entry in LedgerEntry.objects.filter(cause_ref=str(match.battle.key))}
        kinds = {line.what for line in content.pilots}
        assert ("killed" in kinds) == ("died" in fates)
        assert content.results[0].destroyed == (1, 0)


class TestContent:
    def test_every_kind_of_result_has_its_look(self):
        row = a_round(a_campaign())
        confirm_result(a_match(row), "defender")
        forfeit_match(a_match(row))
        forfeit_match(a_match(row), Outcome.DRAW)
        bye = a_match(row)
        type(bye).objects.filter(pk=bye.pk).update(defender=None, state="bye", outcome="attacker")
        assert [line.look for line in content_of(close_round(row)).results] == ["won", "forfeit", "draw", "bye"]

    def test_standings_show_moves_since_the_last_round(self):
        campaign = a_campaign()
        a, b = enrol_companies(campaign, "Axes", "Bears")
        first = a_round(campaign)
        confirm_result(a_match(first, a, b), "attacker")
        assert [(line.name, line.moved) for line in content_of(close_round(first)).standings] == [
            ("Axes", None),
            ("Bears", None),
        ]
        lines = {}
        for number in (2, 3):
            row = a_round(campaign)
            confirm_result(a_match(row, a, b), "defender")
            lines[number] = {line.name: line for line in content_of(close_round(row)).standings}
        assert [(line.name, line.place, line.moved) for line in lines[2].values()] == [
            ("Axes", 1, 0),
            ("Bears", 2, 0),  # equal except for the name
        ]
        assert [(line.name, line.place, line.moved) for line in lines[3].values()] == [
            ("Bears", 1, 1),
            ("Axes", 2, -1),
        ]
        assert lines[3]["Bears"].gained > lines[3]["Axes"].gained

    def test_map_shows_changes_of_owner(self):
        campaign = a_campaign(map_kind="ring")
        a, b = enrol_companies(campaign, "Axes", "Bears")
        hill = Territory.objects.create(campaign=campaign, position=1, name="Hill", home=b)
        Territory.objects.create(campaign=campaign, position=2, name="Ford")
        row = a_round(campaign)
        confirm_result(a_match(row, a, b, territory=hill), "attacker")
        sheet = gazette_sheet(Gazette.objects.get(round=close_round(row)))
        assert sheet.taken == ("Hill to Axes",)
        assert [place.holder_name for place in sheet.content.places] == ["Axes", ""]
        assert len(sheet.drawing.spots) == 2

    def test_document_reads_back_unchanged(self):
        row = a_closed_round()
        assert GazetteDocument.model_validate(Gazette.objects.get(round=row).content) == gazette_content(row)

    @pytest.mark.slow
    @pytest.mark.any_database
    @pytest.mark.parametrize("matches", [2, 5])
    def test_queries_do_not_grow_with_matches(self, matches, django_assert_max_num_queries):
        row = a_round(a_campaign(map_kind="ring"))
        Territory.objects.create(campaign=row.campaign, position=1, name="Hill")
        for _ in range(matches):
            confirm_result(a_match(row), "attacker")
        with django_assert_max_num_queries(20):
            gazette_content(row)


class TestEditions:
    def test_closing_writes_one_edition(self):
        row = a_closed_round()
        assert gazette_write(round_=row) == gazette_write(round_=row)
        assert Gazette.objects.count() == 1
        assert sorted(GazettePrint.objects.values_list("paper", flat=True)) == ["a4", "letter"]
        assert row.closing.steps[-1]["text"] == "edition 1 written"

    def test_open_round_has_no_gazette(self):
        with pytest.raises(RefusedError, match="written when it closes"):
            gazette_write(round_=a_round(a_campaign()))

    def test_new_edition_needs_a_change(self):
        with pytest.raises(RefusedError, match="Nothing has changed since edition 1"):
            gazette_new_edition(round_=a_closed_round(), by=a_player())

    def a_late_ruling(self):
        """A round closed with an open dispute, and the ruling on it afterwards."""
        organiser = a_player()
        row = a_round(a_campaign(a_club(organiser)))
        match = a_match(row, *enrol_companies(row.campaign, "Axes", "Bears"))
        type(match).objects.filter(pk=match.pk).update(state="disputed")
        close_round(row)
        match.refresh_from_db()
        match_rule(match=match, verdict="attacker-forfeits", reason="They left.", by=organiser)
        return row, organiser

    def test_late_ruling_shows_until_a_new_edition(self):
        row, organiser = self.a_late_ruling()
        first = Gazette.objects.get(round=row)
        assert [(change.name, change.is_correction) for change in changes_since(first)] == [
            ("Axes against Bears", False)
        ]
        second = gazette_new_edition(round_=row, by=organiser)
        assert (second.edition, second.published_by) == (2, organiser)
        assert changes_since(second) == ()
        assert [edition.content["results"][0]["look"] for edition in (first, second)] == ["disputed", "forfeit"]
        assert Gazette.objects.filter(pk=first.pk, content=first.content).exists()
        assert [line.edition for line in gazette_rows(row.campaign)] == [2]
        assert ActivityLogEntry.objects.filter(
            text="Wrote edition 2 of the gazette of Round 1", created_by=organiser
        ).exists()

    def test_list_reads_only_the_front_page_of_an_edition(self):
        """A document holds hundreds of lines, and the list shows ten rounds."""
        row = a_closed_round()
        Gazette.objects.update(content={})
        (line,) = gazette_rows(row.campaign)
        assert (line.number, line.edition, line.headline) == (1, 1, "Axes leads after round 1")
        assert line.lead == "1 match decided."

    def test_amended_gazette_updates_its_list_entry(self):
        row = a_closed_round()
        gazette = Gazette.objects.get(round=row)
        standings = [{**line, "name": f"{line['name']} of Old"} for line in gazette.content["standings"]]
        gazette_amend(gazette=gazette, content={**gazette.content, "standings": standings, "units_lost": 2})
        (line,) = gazette_rows(row.campaign)
        assert line.headline == "Axes of Old leads after round 1"
        assert line.lead == "1 match decided, 2 units destroyed."

    def test_migration_fills_front_pages_of_older_editions(self):
        """The migration that adds the front page's columns fills them once."""
        row, organiser = self.a_late_ruling()
        gazette_new_edition(round_=row, by=organiser)
        front_pages = list(Gazette.objects.order_by("pk").values_list("headline", "lead"))
        assert front_pages[0] != front_pages[1]
        Gazette.objects.update(headline="", lead="")
        importlib.import_module("campaigns.migrations.0008_front_pages").tell(apps, connection.schema_editor())
        assert list(Gazette.objects.order_by("pk").values_list("headline", "lead")) == front_pages

    def test_correction_of_an_earlier_round_shows_too(self):
        campaign = a_campaign()
        a, b = enrol_companies(campaign, "Axes", "Bears")
        rounds = []
        for _ in range(2):
            row = a_round(campaign)
            confirm_result(a_match(row, a, b), "attacker")
            rounds.append(close_round(row))
        early = rounds[0].matches.get()
        ruling = Ruling.objects.create(
            campaign=campaign,
            match=early,
            kind="correction",
            title="Undone",
            reason="Wrong table",
            decided_by=a_player(),
        )
        early.corrections.create(ruling=ruling, mode="flag", before={}, after=None)
        for row in rounds:
            (change,) = changes_since(Gazette.objects.select_related("round").get(round=row))
            assert (change.round, change.is_correction) == (1, True)


class TestFixtures:
    def test_fixtures_appear_when_the_next_round_opens(self):
        row = a_closed_round()
        gazette = Gazette.objects.get(round=row)
        assert gazette.fixtures is None
        planned = a_round(row.campaign, state="planned", opens_at=None, deadline=None)
        a_match(planned, *row.campaign.enrolments.order_by("-pk"))
        deadline = timezone.now() + timedelta(days=9)
        round_open(round_=planned, by=None, deadline=deadline)
        gazette.refresh_from_db()
        fixtures = gazette_sheet(gazette).fixtures
        assert (fixtures.round, fixtures.deadline) == (2, deadline)
        assert [(each.attacker, each.defender) for each in fixtures.matches] == [("Bears", "Axes")]
        assert gazette.prints.count() == 4, "paper is drawn again"

    def test_earlier_gazettes_get_no_fixtures(self):
        campaign = a_campaign()
        sides = enrol_companies(campaign, "Axes", "Bears")
        for _ in range(2):
            row = a_round(campaign)
            confirm_result(a_match(row, *sides), "attacker")
            close_round(row)
        planned = a_round(campaign, state="planned", opens_at=None, deadline=None)
        a_match(planned, *sides)
        round_open(round_=planned, by=None)
        fixtures = {each.round.number: each.fixtures for each in Gazette.objects.select_related("round")}
        assert fixtures[1] is None
        assert fixtures[2]["round"] == 3


def test_withdrawn_company_stays_in_the_table():
    row = a_round(a_campaign())
    a, b = enrol_companies(row.campaign, "Axes", "Bears")
    confirm_result(a_match(row, a, b), "attacker")
    type(b).objects.filter(pk=b.pk).update(state="withdrawn")
    an_enrolment(row.campaign)
    lines = {line.name: line.is_in for line in content_of(close_round(row)).standings}
    assert lines["Bears"] is False
