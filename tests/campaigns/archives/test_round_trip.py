"""A packed and restored club is equal in every row and field, and its archive contains nothing secret."""

from __future__ import annotations

import re

import pytest
from django.apps import apps
from django.db import connection

from battles.models import Battle, SealedDice
from campaigns.archive.packing import exception_hash
from campaigns.archive.tables import KEPT, TABLE_RULES, Kept, all_fields, archived_fields, related_label
from campaigns.army_lists.services import list_hash
from campaigns.dice import has_key
from campaigns.models import ActivityLogEntry, Club, ClubDisplay, Match, Membership, Placeholder, SubmittedList, Webhook
from campaigns.results.decisions import match_differences, proof_differences
from rosters.ledger.records import differences
from rosters.models import Company, Description, Design, Player, Scenario, Unit
from tests.builders import a_player

from .clubs import NOTES, SECRET_WORDS, a_full_club, archived, emptied, rated, restored, rows_in

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]
BASES = 700_000_000  # of the row numbers while the club is made: each table has its own million


@pytest.fixture(scope="module")
def full(rows_of_all):
    """Make the club while every table counts in its own range, to detect misplaced ids."""
    if connection.vendor != "postgresql":
        pytest.skip("sequences of PostgreSQL")
    models = [model for model in apps.get_models() if model._meta.label in KEPT]
    before = {}
    with connection.cursor() as cursor:
        for at, model in enumerate(models):
            cursor.execute("SELECT pg_get_serial_sequence(%s, 'id')", [f'"{model._meta.db_table}"'])
            sequence = cursor.fetchone()[0]
            cursor.execute(f"SELECT last_value, is_called FROM {sequence}")
            before[sequence] = cursor.fetchone()
            cursor.execute("SELECT setval(%s, %s)", [sequence, BASES + at * 1_000_000])
    club = a_full_club()
    yield club, archived(club)
    with connection.cursor() as cursor:
        for sequence, (last, is_called) in before.items():
            cursor.execute("SELECT setval(%s, %s, %s)", [sequence, last, is_called])


@pytest.fixture
def club(full, db):
    return Club.objects.get(pk=full[0].pk)


@pytest.fixture
def data(full, db):
    return full[1]


@pytest.fixture
def copy(club, data):
    """Restore the club, alone on a site with its restorer, who was its organiser."""
    emptied()
    return restored(data, a_player("olga"), stands_for="olga").club


def test_every_table_has_an_archive_rule():
    """A new table needs a line in campaigns/archive/tables.py: kept, derived, or left out with a reason."""
    tables = {model._meta.label for model in apps.get_models()}
    assert tables - TABLE_RULES.keys() == set(), "decide for each of these whether a club's archive contains it"
    assert TABLE_RULES.keys() - tables == set(), "these tables are gone"


def test_kept_rows_refer_only_to_kept_rows_or_nothing():
    wrong = []
    for label in KEPT:
        for field in archived_fields(label):
            target = related_label(field)
            if target is not None and target not in KEPT and not field.null:
                wrong.append(f"{label}.{field.name}")
    assert wrong == []


def test_fields_left_out_exist_and_have_a_reason():
    for label, word in KEPT.items():
        names = {field.name for field in all_fields(label)}
        assert {*word.codecs} <= names, label
        mentioned = {*word.renewed, *word.without} - names
        assert mentioned - {"previews", "file"} == set(), label
        assert all(word.without.values())


def test_club_has_rows_in_nearly_every_table(data):
    found = rows_in(data)
    empty = {label for label in KEPT if not found[label.lower()]}
    assert empty <= {
        "campaigns.MatchmakingOffer", "campaigns.GazettePrint", "campaigns.ArbiterConsent", "campaigns.Dispute",
        "campaigns.SupportRoll", "rosters.Scenario", "battles.Forecast",
    }  # fmt: skip


def test_repacked_club_is_equal_row_by_row(data, copy):
    before, after = rows_in(data), rows_in(archived(copy))
    assert before.keys() == after.keys()
    # Except for the restorer's own account, the log entry about the restore, and new dice for those whose secrets
    # stayed behind.
    assert after["rosters.player"][0].pop("date_joined") > before["rosters.player"][0].pop("date_joined")
    new_lines = after["campaigns.activitylogentry"][len(before["campaigns.activitylogentry"]) :]
    assert new_lines[0]["text"].startswith("olga restored The Full Table from a backup of ")
    assert all("new dice prepared" in row["text"] for row in new_lines[1:])
    del after["campaigns.activitylogentry"][len(before["campaigns.activitylogentry"]) :]
    for row, again in zip(before["battles.sealeddice"], after["battles.sealeddice"], strict=True):
        if row["revealed_at"] is None:
            again |= {"commitment": row["commitment"], "sealed_at": row["sealed_at"]}
    for name, rows in before.items():
        assert rows == after[name], name


def test_no_row_keeps_an_id_of_the_original_site(data):
    """Ids had ranges of their own.

    The remaining ones are unit names in set-ups, which are sealed and hashed as they are. The last part of a UUID may
    look like one, after its dash.
    """
    stray = re.compile(r"(?<![0-9A-Za-z.-])7[0-4]\d{7}(?![0-9])")
    for name, rows in rows_in(data).items():
        for row in rows:
            for field, value in row.items():
                if field not in ("sealed_as", "seed"):
                    assert not stray.search(str(value)), (name, field, value)


def test_ledgers_and_records_of_the_restored_club_agree(copy):
    assert Company.objects.count() > 8
    assert [line for company in Company.objects.all() for line in differences(company)] == []
    assert [*match_differences(), *proof_differences()] == []


def test_ratings_of_the_restored_club_are_equal(club, data):
    before = rated(club)
    assert len(before) > 1
    emptied()
    assert rated(restored(data, a_player("nora")).club) == before


def test_archive_contains_no_secrets(club, data):
    text = "\n".join(str(row) for rows in rows_in(data).values() for row in rows)
    sealed = SubmittedList.objects.filter(match__setup__isnull=True)
    assert sealed.count() == 1
    hidden = [*sealed.values_list("salt", flat=True), *sealed.values_list("hash", flat=True)]
    hidden += SealedDice.objects.exclude(hidden="").values_list("hidden", flat=True)
    hidden += [SECRET_WORDS, NOTES, "hush/hush"]
    hidden += map(str, Membership.objects.values_list("feed_key", flat=True))
    hidden += map(str, ClubDisplay.objects.values_list("key", flat=True))
    hidden += Player.objects.values_list("password", flat=True)
    for model in (Company, Design, Scenario):
        hidden += map(str, model.objects.values_list("link_key", flat=True))
    assert len(hidden) > 10
    assert [each for each in hidden if each in text] == []
    assert Description.objects.get().notes == NOTES


def test_secret_support_rolls_are_left_out_and_rolled_again(data, copy):
    preparations = rows_in(data)["campaigns.matchpreparation"]
    assert preparations
    assert {(str(row["rolls"]), row["rolled_at"]) for row in preparations} == {("[]", None)}


def test_undecided_matches_get_new_dice_and_both_hashes_logged(data, copy):
    before = {row["commitment"] for row in rows_in(data)["battles.sealeddice"] if row["revealed_at"] is None}
    match = Match.objects.filter(round__campaign__name="Border War", state="scheduled").get()
    assert has_key(match.dice)
    assert match.dice.commitment not in before
    entry = ActivityLogEntry.objects.get(match=match, text__contains="new dice prepared")
    assert match.dice.commitment in entry.text
    assert any(each in entry.text for each in before)


def test_revealed_list_still_matches_its_hash(copy):
    row = SubmittedList.objects.filter(match__state="confirmed").first()
    assert row.sealed_as != row.document
    assert row.hash == list_hash(row.salt, row.sealed_as)
    side = (row.match.attacker, row.match.defender)[row.side]
    assert set(row.document["units"]) <= set(side.company.units.values_list("pk", flat=True))


def test_restored_match_refers_to_its_companies_units(copy):
    match = Match.objects.filter(round__campaign__name="Border War", state="confirmed").first()
    for side, enrolment in enumerate((match.attacker, match.defender)):
        units = {row["unit"] for row in match.forces[side].values()}
        assert set(Unit.objects.filter(pk__in=units).values_list("company", flat=True)) == {enrolment.company_id}


def test_exception_in_force_stays_in_force(copy):
    row = copy.campaigns.get(name="Next year").enrolments.get()
    assert row.exception_hash
    assert row.exception_hash == exception_hash(row)


def test_webhooks_are_restored_without_address_and_disabled(copy):
    row = Webhook.objects.get()
    assert (row.url, row.enabled) == ("https://example.org/", False)


def test_all_others_get_a_place_and_cannot_sign_in(copy):
    others = Player.objects.exclude(username="olga")
    assert others.count() > 5
    assert set(Placeholder.objects.values_list("player", flat=True)) == set(others.values_list("pk", flat=True))
    assert not any(player.has_usable_password() or player.email for player in others)


def test_copy_beside_the_original_gets_new_name_and_keys(club, data):
    ids = {row.pk for row in Battle.objects.all()}
    again = restored(data, club.memberships.get(role="organiser").player, name="The Copy", stands_for="olga")
    assert again.differences[0] == "The club was called The Full Table."
    assert (again.club.name, again.club.slug) == ("The Copy", "the-full-table-2")
    assert again.club.memberships.get(role="organiser").player.username == "olga"
    assert {row.pk for row in Battle.objects.all()} > ids
    assert [line for company in Company.objects.all() for line in differences(company)] == []
    assert [*match_differences(), *proof_differences()] == []
    mine, theirs = (Match.objects.filter(round__campaign__club=each) for each in (again.club, club))
    assert not set(mine.filter(dice__revealed_at=None).values_list("dice__commitment", flat=True)) & set(
        theirs.filter(dice__revealed_at=None).values_list("dice__commitment", flat=True)
    ), "no two clubs may share a secret"


def test_archive_rules_give_a_reason():
    for word in TABLE_RULES.values():
        assert isinstance(word, Kept) or len(getattr(word, "why", "") or getattr(word, "how", "")) > 10
