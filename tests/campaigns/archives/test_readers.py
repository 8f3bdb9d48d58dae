"""Archives are read as strictly as forms: every JSON column by its reader, every text by the rules."""

from __future__ import annotations

import io
from typing import Any

import pytest

from campaigns.archive.json_readers import READERS, check_json
from campaigns.archive.services import club_restore_now
from campaigns.archive.tables import KEPT, json_columns
from campaigns.models import Club, Match
from systems.documents import DocumentError
from tests.example_shares import in_every_run

from .test_bad_archives import Rows, data, first, forged, nora, refused  # noqa: F401  fixtures

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]
LONG = [0] * 2_000_000


def test_every_json_column_of_an_archive_has_a_reader():
    held = {f"{label}.{name}" for label in KEPT for name in json_columns(label)}
    assert len(held) > 50
    missing, gone = sorted(held - READERS.keys()), sorted(READERS.keys() - held)
    assert not missing, f"campaigns/archive/json_readers.py lacks readers for: {', '.join(missing)}"
    assert not gone, f"campaigns/archive/json_readers.py reads what no archive holds: {', '.join(gone)}"


ENROLMENT, MATCH = ("campaigns.Enrolment", "orders"), ("campaigns.Match", "odds")
ODDS = {"runs": 1000, "attacker_wins": 600, "defender_wins": 300, "margins": {"-3": 400, "5": 600}}


@pytest.mark.parametrize(
    ("column", "value", "place"),
    [
        (ENROLMENT, {"x": [1]}, "orders.x"),
        (ENROLMENT, {"doctrine": "no-such"}, "orders.doctrine"),
        (ENROLMENT, {"standing": 7}, "orders.standing"),
        (ENROLMENT, {"standing": {"all": {"x": 1}}}, "orders.standing.all"),
        (ENROLMENT, {"standing": {"unit": {}}}, "orders.standing"),
        (MATCH, ODDS | {"runs": 1}, "odds"),
        (MATCH, ODDS | {"margins": {"0": 999}}, "odds"),
        (MATCH, ODDS | {"margins": {"x": 1000}}, "odds.margins"),
        (MATCH, ODDS | {"attacker_wins": -1}, "odds.attacker_wins"),
    ],
)
def test_orders_that_no_form_takes_and_odds_that_do_not_add_up_are_refused(column, value, place):
    label, field = column
    check_json("campaigns.Match", "odds", {"odds": ODDS}, "mech-campaign", "1")
    with pytest.raises(DocumentError) as error:
        check_json(label, field, {field: value}, "mech-campaign", "1")
    assert error.value.path.startswith(place)


@pytest.mark.parametrize("value", in_every_run(["words"], [{"x": [1]}, [["a", 1], None], "words", 7]))
def test_wrong_json_shape_is_refused_in_every_column(data, nora, value):  # noqa: F811
    """Each column with a value in the archive gets another one in its place."""
    for label in KEPT:
        for name in json_columns(label):
            table = label.lower().replace(".", "_", 1)
            rows = held(data, table)
            if not rows or (label, name, value) in FIT:
                continue
            reason = refused(forged(data, **{table: first(**{name: value})}), nora)
            assert f"rows/{label.lower()}.jsonl, line 1: {name}" in reason, (label, name, reason)


FIT = [("rosters.LedgerEntry", "facts", {"x": [1]})]  # refused by the ledger as a whole


def held(data: bytes, table: str) -> Rows:  # noqa: F811
    found: Rows = []
    forged(data, **{table: lambda rows: found.extend(rows)})
    return found


@pytest.mark.parametrize(
    ("table", "change", "place"),
    [
        ("campaigns_match", {"odds": "words"}, "line 1: odds: must be an object"),
        ("campaigns_match", {"setup": LONG}, "line 1: setup: must be an object, not a list"),
        ("campaigns_match", {"figures": {"lost": [1]}}, "line 1: figures.lost"),
        (
            "campaigns_campaign",
            {"scenarios": [{"value": "no-such", "name": "X"}]},
            r"line 1: scenarios[0].value: unknown",
        ),
        ("campaigns_campaign", {"tie_breakers": ["luck"]}, "line 1: tie_breakers[0]: unknown"),
        ("campaigns_campaign", {"options": {"no-such": True}}, "line 1: options: unknown house rule"),
        ("campaigns_enrolment", {"orders": {"doctrine": "no-such"}}, "line 1: orders.doctrine: unknown doctrine"),
        ("rosters_unit", {"spec": {"chassis": "no-such"}}, "line 1: spec."),
        ("battles_battle", {"result": {"winner": "Ants"}}, "line 1: result."),
        ("battles_battle", {"status": "queued"}, "line 1: status: "),
    ],
)
def test_unreadable_value_is_refused_with_its_place(data, nora, table, change, place):  # noqa: F811
    assert place in refused(forged(data, **{table: first(**change)}), nora)


def test_negative_victory_points_are_restored(data, nora):  # noqa: F811
    figures = {"destroyed": [1, 2], "lost": [2, 1], "destroyed_points": [0, 0], "scored": [-3, 5], "margin": [-40]}
    sent = forged(data, campaigns_match=first(figures=figures))
    club = club_restore_now(file=io.BytesIO(sent), by=nora, name="Another").club
    rows = Match.objects.filter(round__campaign__club=club).values_list("figures", flat=True)
    assert figures in list(rows)


def test_oversized_list_is_refused(data, nora):  # noqa: F811
    assert "holds more than 50000 values" in refused(forged(data, campaigns_match=first(bonus=LONG)), nora)


# --- names and texts --------------------------------------------------------------------------------------------------

OVERRIDE, FILLER, ZERO = "\u202e", "\u3164", "\u200b"


def test_forbidden_characters_are_removed_from_texts(data, nora):  # noqa: F811
    def texts(**fields: str) -> Any:
        return first(**fields)

    sent = forged(
        data,
        campaigns_club=texts(about=f"We meet{OVERRIDE} on Thursdays\nin Graz{ZERO}"),
        campaigns_campaign=texts(name=f"The{FILLER} War{OVERRIDE}"),
        campaigns_activitylogentry=texts(text=f"olga{OVERRIDE} founded it"),
    )
    club = club_restore_now(file=io.BytesIO(sent), by=nora, name="Another").club
    assert club.about == "We meet on Thursdays\nin Graz"
    assert club.campaigns.get().name == "The War"
    assert club.activity.order_by("pk").first().text == "olga founded it"


def test_company_keeps_one_name_in_rows_and_ledger(data, nora):  # noqa: F811
    def named(rows: Rows) -> None:
        rows[0]["name"] = f"Ants{OVERRIDE}"

    def founded(rows: Rows) -> None:
        next(row for row in rows if row["kind"] == "founded")["facts"]["to"]["name"] = f"Ants{OVERRIDE}"

    sent = forged(data, rosters_company=named, rosters_ledgerentry=founded)
    club = club_restore_now(file=io.BytesIO(sent), by=nora, name="Another").club
    assert club.campaigns.get().enrolments.order_by("pk").first().company.name == "Ants"


def test_club_name_is_read_as_in_its_form(data, nora):  # noqa: F811
    club_name = first(name=f"Iron{OVERRIDE} Chair<script>")
    made = club_restore_now(file=io.BytesIO(forged(data, campaigns_club=club_name)), by=nora).club
    assert made.name == "Iron Chair<script>"
    assert not Club.objects.filter(name__contains=OVERRIDE).exists()


def test_invisible_name_is_refused(data, nora):  # noqa: F811
    assert "line 1: name: must not be empty" in refused(forged(data, rosters_unit=first(name=FILLER)), nora)
