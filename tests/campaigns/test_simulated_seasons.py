"""Simulated seasons over three games, archived and restored.

Everything derived from the restored rows is the same to the last digit.
"""

from collections import Counter
from io import StringIO

import pytest
from django.core.management import call_command

from battles.models import Battle
from campaigns.models import Handicap, Match, Placeholder, Season
from campaigns.seasons.services import season_finish
from tests.builders import a_player
from tests.campaigns.archives.clubs import archived, emptied, restored, rows_in
from tests.campaigns.season_builders import GAMES, GAMES_BY_PLAYER, a_round, agree_on_games
from tests.campaigns.simulated_seasons import (
    a_cup,
    a_simulated_season,
    check_recalculation,
    count_figures,
    derived_data,
    handicaps_of,
    ratings_from,
    simulate_round,
)
from tests.campaigns.test_seasons import recalculated_table

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]
CALCULATED_FIELDS = ("basis", "tried", "side", "kind", "value", "chance", "chance_with")
SIX = GAMES_BY_PLAYER | {"finn": GAMES[:2]}  # so that any two have a common game and no cup match is awarded
FOUR = dict.fromkeys(("ann", "ben", "cy", "dora"), GAMES)


def check_round_trip(ledger):
    """Archive the club, restore it alone, and derive everything from the restored rows; return a summary."""
    club = ledger.season.club
    reconcile_output()
    before, data = derived_data(club), archived(club)
    rows = rows_in(data)
    for row in rows["campaigns.handicap"]:  # from the lines of the archive, before its rows exist
        check_recalculation(Handicap(**{name: row[name] for name in CALCULATED_FIELDS}))
    from_lines = ratings_from(rows)
    emptied()
    copy = restored(data, a_player("nora")).club
    for place in Placeholder.objects.filter(club=copy).select_related(
        "player"
    ):  # everybody is restored under the same name
        place.player.username = place.username
        place.player.save(update_fields=["username"])
    reconcile_output()
    after = derived_data(copy)
    for name, value in before.items():
        assert after[name] == value, name
        assert repr(after[name]) == repr(value), name
    assert {system: after[f"ratings {system}"] for system in ("", *GAMES)} == from_lines
    for row in handicaps_of(copy):
        check_recalculation(row)
    return summary(copy, from_lines)


def reconcile_output():
    out = StringIO()
    call_command("reconcile", stdout=out)
    assert "rows and ledger agree" in out.getvalue()


def summary(club, rated):
    matches = Match.objects.filter(round__campaign__club=club)
    handicaps = handicaps_of(club)
    return {
        "matches": matches.count(),
        "battles": Battle.objects.filter(match__in=matches, status="done").count(),
        "of": dict(Counter(matches.values_list("round__campaign__system", flat=True))),
        "odds": matches.filter(odds__isnull=False).count(),
        "handicaps": len(handicaps),
        "agreed": sum(row.is_agreed for row in handicaps),
        "tried": sum(len(row.tried) for row in handicaps),
        "ratings": sum(map(len, rated.values())),
        "figures": sum(map(count_figures, rated.values())),
    }


@pytest.mark.proof
def test_season_of_six_with_a_cup_survives_its_archive(monkeypatch):
    monkeypatch.setattr(
        "campaigns.army_lists.services.ODDS_RUNS", 3_000
    )  # for each match's odds; no digit depends on the number
    ledger = a_simulated_season(played=SIX, cup_size=4, has_third_place=True)
    for number in range(5):
        row = a_round(ledger, "round-robin")
        agree_on_games(ledger, row, number)
        simulate_round(ledger, row, agree=(True, False) if number % 2 else (True,))
    league = list(ledger.results)
    assert [(line.row.name, line.row.points) for line in ledger.sheet.table] == recalculated_table(league)
    a_cup(ledger)
    assert [(line.row.name, line.row.points) for line in ledger.sheet.table] == recalculated_table(league)
    season_finish(season=ledger.season, by=ledger.organiser)
    counts = check_round_trip(ledger)
    season = Season.objects.get()
    print(f"\n{season}: {counts}")
    assert counts["matches"] == counts["battles"] == counts["odds"] == 15 + 4
    assert set(counts["of"]) == set(GAMES)
    assert 0 < counts["agreed"] < counts["handicaps"]


@pytest.mark.slow
def test_round_and_final_in_three_games_survive_their_archive(monkeypatch):
    monkeypatch.setattr("campaigns.army_lists.services.ODDS_RUNS", 1_000)
    monkeypatch.setattr("campaigns.army_lists.handicaps.HANDICAP_BATTLES", 200)
    ledger = a_simulated_season(played=FOUR, cup_size=2)
    row = a_round(ledger, "swiss")
    agree_on_games(ledger, row, 1, step=1)
    simulate_round(ledger, row)
    a_cup(ledger)
    counts = check_round_trip(ledger)
    assert counts["matches"] == counts["battles"] == counts["odds"] >= 3
    assert set(counts["of"]) == set(GAMES)
    assert counts["handicaps"]
