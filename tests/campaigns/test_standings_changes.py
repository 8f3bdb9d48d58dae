"""The lines of a table that a correction changes."""

import pytest

from campaigns.corrections.effects import StandingChange, decided_matches, standings_with, table_changes
from campaigns.corrections.history import _entry_key
from campaigns.standings.table import TableRow
from rosters.ledger.drafts import Draft
from systems.ledger import PostedEntry
from tests.campaigns.builders import a_campaign, a_match, a_round


def row(entrant, name, place, points):
    return TableRow(entrant=entrant, name=name, place=place, points=points)


def test_companies_of_one_name_get_a_line_each():
    before = (row(1, "The Twins", 1, 6), row(2, "The Twins", 2, 3), row(3, "Others", 3, 0))
    after = (row(2, "The Twins", 1, 6), row(1, "The Twins", 2, 3), row(3, "Others", 3, 0))
    assert table_changes(before, after) == (
        StandingChange(name="The Twins", place_before=2, place_after=1, points_before=3, points_after=6),
        StandingChange(name="The Twins", place_before=1, place_after=2, points_before=6, points_after=3),
    )


def test_company_that_leaves_the_table_comes_last():
    before, after = (row(1, "Ants", 1, 3), row(2, "Bees", 2, 0)), (row(2, "Bees", 1, 0),)
    assert [(each.name, each.place_after) for each in table_changes(before, after)] == [("Bees", 1), ("Ants", 0)]


@pytest.mark.django_db
def test_match_that_neither_side_played_is_a_forfeit_of_both():
    campaign = a_campaign()
    a_match(a_round(campaign), state="forfeited", outcome="none")
    rows = standings_with(campaign, decided_matches(campaign), {})
    assert [each.forfeits for each in rows] == [1, 1]


def test_old_and_new_death_entries_have_equal_keys():
    facts = {"battle": "Ford", "face": 1, "exploded": False}
    older = PostedEntry(id=4, kind="died", pilot=8, facts={**facts, "game_lost": True})
    assert _entry_key(older) == _entry_key(Draft(kind="died", pilot=8, facts=facts))
    assert _entry_key(older) != _entry_key(Draft(kind="died", pilot=8, facts={**facts, "face": 2}))
