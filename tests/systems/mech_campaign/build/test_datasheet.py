"""Data sheet, card and force line: chapter 7 of the ledger."""

from fractions import Fraction

import pytest

from systems.documents import DocumentError
from systems.mech_campaign.build import SYSTEM
from systems.mech_campaign.build.datasheet import parse_condition
from systems.mech_campaign.build.legality import force_line
from systems.roster import PilotCard, ServiceCard

MARTA = {"kind": "heavy-mech", "armament": "twin autocannon, missile rack"}
INES = PilotCard("Ines Kaur", "regular", kills=1, games=3, points=4)


def sheet_of(kind, name="Unit", **given):
    spec = SYSTEM.parse_spec(kind if isinstance(kind, dict) else {"kind": kind})
    return SYSTEM.datasheet(spec, name=name, design_name=name, **given)


def test_old_marta_sheet_matches_ledger():
    sheet = sheet_of(MARTA, "Old Marta", pilot=INES, service=ServiceCard(games=3, kills=1, times_lost=0))
    assert (sheet.size_name, sheet.points, sheet.armament) == ("Heavy mech", 10, MARTA["armament"])
    assert (sheet.pilot.name, sheet.pilot.rank_name, sheet.pilot.experience) == ("Ines Kaur", "Regular", 4)
    assert [(hit.slug, hit.number, hit.chance) for hit in sheet.to_hit] == [
        ("open", 4, Fraction(1, 2)),
        ("cover", 5, Fraction(1, 3)),
        ("height", 3, Fraction(2, 3)),
        ("lock", 3, Fraction(2, 3)),
    ]
    assert sheet.reach[:2] == ((1, "12 in"), (3, "16 in"))
    assert sheet.expected_damage == ((1, Fraction(1, 2)), (3, Fraction(1)))
    assert (sheet.service.games, sheet.service.kills, sheet.service.times_lost) == (3, 1, 0)


def test_old_marta_card_matches_ledger():
    assert str(sheet_of(MARTA, "Old Marta", pilot=INES).card) == (
        'OLD MARTA — HEAVY MECH — Kaur (regular) | Move 4" ×1 | Fire 12" ×2 | 4+ / cover 5+ / hill 3+ / lock 3+ | '
        "Lock ● Repair ● | ☐☐☐☐ | S ☐☐ L ☐ | 1–2–4"
    )


def test_line_lance_numbers_match_ledger():
    line = force_line(["heavy-mech", "heavy-mech", "light-mech", "light-mech", "track"])
    assert str(line) == "5 units, 4 mechs, 44 points, action points 6–11 (mean 8.5), basic 5, full 9"


@pytest.mark.rule("MC-047", "MC-054", "MC-051")
@pytest.mark.parametrize(
    ("kind", "reach"),
    [
        ("heavy-mech", ("12 in", "16 in", "16 in")),
        ("light-mech", ("12 in", "16 in", "20 in")),
        ("track", ("12 in", "16 in", "16 in")),
        ("drone", ("none", "the whole table", "the whole table")),
        ("gun-sentry", ("12 in", "12 in", "12 in")),
    ],
)
def test_reach_depends_on_points_and_kind(kind, reach):
    assert tuple(far for _points, far in sheet_of(kind).reach) == reach


@pytest.mark.rule("MC-056", "MC-072")
@pytest.mark.parametrize(
    ("kind", "one", "three"),
    [
        ("heavy-mech", "1/2", "1"),
        ("light-mech", "1/2", "1/2"),
        ("track", "1/2", "1/2"),
        ("drone", "0", "1/3"),
        ("gun-sentry", "1/3", "1/3"),
    ],
)
def test_expected_damage_depends_on_points_and_kind(kind, one, three):
    assert sheet_of(kind).expected_damage == ((1, Fraction(one)), (3, Fraction(three)))


@pytest.mark.rule("MC-079")
def test_sentry_uses_higher_ground_but_drone_does_not():
    assert [hit.slug for hit in sheet_of("drone").to_hit] == ["open", "cover", "lock"]
    assert [hit.number for hit in sheet_of("gun-sentry").to_hit] == [5, 6, 4, 4]


def test_drone_without_named_base_vehicle_still_has_one():
    assert sheet_of("drone").base_vehicle == "without a name"
    assert sheet_of("track").base_vehicle == ""


def test_pilot_is_shown_only_on_piloted_unit():
    assert sheet_of("drone", pilot=INES).pilot is None
    assert sheet_of("drone", pilot=INES).card.pilot == ""
    assert sheet_of("track", pilot=PilotCard("Cher", "ace", callsign="Boom Boom")).card.pilot == "Cher (ace)"


@pytest.mark.rule("MC-028")
def test_damage_is_crossed_off():
    sheet = sheet_of("track", condition={"damage": 3})
    assert (sheet.hits, sheet.hits_left) == (4, 1)
    assert "☒☒☒☐" in str(sheet.card)


@pytest.mark.rule("MC-207")
def test_unit_from_workshop_starts_with_1_damage():
    sheet = sheet_of("light-mech", condition={"workshop": True})
    assert (sheet.damage, sheet.in_workshop, sheet.state[0][0]) == (1, True, "Workshop")
    assert parse_condition({"workshop": True, "damage": 2}).starting_damage == 2


@pytest.mark.parametrize(
    "condition", [{"damage": 4}, {"damage": -1}, {"damage": "1"}, {"hits": 1}, {"workshop": 1}, []]
)
def test_impossible_condition_is_refused(condition):
    with pytest.raises(DocumentError):
        sheet_of("track", condition=condition)


@pytest.mark.rule("MC-203")
def test_repairs_cost_nothing():
    assert SYSTEM.repair_bill(SYSTEM.parse_spec({"kind": "track"}), {"damage": 3}) == ()


@pytest.mark.rule("MC-210")
def test_ranks_start_at_ledger_experience():
    from systems.mech_campaign.catalogue import CATALOGUE

    assert {slug: rank.experience for slug, rank in CATALOGUE.ranks.items()} == {
        "rookie": 0,
        "regular": 3,
        "veteran": 7,
        "ace": 12,
    }
    assert SYSTEM.hire_points == {"rookie": 0}
    assert SYSTEM.hired_as("ace") == "rookie"


# --- the editor -------------------------------------------------------------------------------------------------------


def test_editor_offers_five_kinds_and_text_fields():
    editor = SYSTEM.editor(SYSTEM.parse_spec({"kind": "drone", "base_vehicle": "Crawler"}))
    assert [(frame.slug, frame.points) for frame in editor.frames] == [
        ("heavy-mech", 10),
        ("light-mech", 8),
        ("track", 8),
        ("drone", 5),
        ("gun-sentry", 4),
    ]
    assert [(text.slug, text.value) for text in editor.texts] == [("armament", ""), ("base_vehicle", "Crawler")]
    assert editor.groups == ()


def test_lab_address_restores_build_without_foreign_base_vehicle():
    spec = SYSTEM.parse_spec({"kind": "drone", "armament": "sting", "base_vehicle": "Crawler"})
    address = SYSTEM.lab_address(SYSTEM.spec_json(spec))
    assert list(address) == list(SYSTEM.lab_fields)
    assert SYSTEM.parse_spec(SYSTEM.lab_spec(address)) == spec
    assert SYSTEM.lab_spec({**address, "kind": "track"}) == {"kind": "track", "armament": "sting"}
    assert SYSTEM.editor_spec("track", {}, address) == {"kind": "track", "armament": "sting"}
    assert SYSTEM.lab_spec({}) == {"kind": "light-mech"}
