"""The data sheet and card of a unit, and the chances that follow from its figures."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from systems.mechastellar import GAME
from systems.mechastellar.build.datasheet_lines import (
    Blow,
    Pool,
    damage_chances,
    mean_damage,
    pool_chances,
    save_fails,
    unblocked_chances,
)
from systems.roster import PilotCard

RULES = GAME.roster


def sheet(design: str, **fields: Any) -> Any:
    found = RULES.published[design]
    return RULES.datasheet(found.spec, name=found.name, design_name=found.name, **fields)


def test_pocket_card_matches_ledger():
    lines = sheet("gamma-apollo").card.splitlines()
    assert lines == [
        "GAMMA APOLLO  MS, line  190 pts (ours)  Basic pilot",
        'FRAME 3  PERF 5  SIZE 0 (engages 5")  MOVE 7" (14" / 21")  SENSORS 14"  MORALE 6+',
        f"HP 5000  {'[ ]' * 10}  crippled below 2500",
        "EVADE 8d10 +2  SHIELD +2  mean DEF vs Shooting 9.6  MELEE 4d10 +3  mean DEF vs Melee 7.8",
        'Beam Rifle  shooting  5d10 +5  24" | 16" (+1 die)  DMG 300  PEN 6  [E]  mean Hits 8.5 | 9.2  save fails 50%',
        "Beam Saber  melee  6d10 +6  DMG 300  PEN 7  [E]  mean Hits 10.2  save fails 60%",
        'Beam Phalanx  shooting  5d10 +4  16"  DMG 100  –  [E] [360] [AA] Support DEF 8"  mean Hits 7.5',
        "Skills: Flash [M−3], Focus [M−1], Zeal [M−1..3]  Worth 4 VP destroyed, 2 VP crippled (Commander: + Round)",
        "Rules: MechaStellar core combat rules v10 draft, mechastellar.com, CC BY-NC-SA; "
        "profiles and points marked 'ours' are additions",
    ]


def test_hp_boxes_hold_500_and_last_may_be_partial():
    assert (sheet("argonaut").boxes, sheet("escort-carrier").boxes) == (9, 32)
    hurt = sheet("argonaut", condition={"hits": 2100, "unfit": True})
    assert (hurt.hits_left, hurt.boxes_left) == (2100, 5)
    assert hurt.state == (("Unfit", "stays at home below 2250 HP"),)


def test_mode_b_shows_only_differences():
    assert sheet("midnight-manta").mode_b == (("Move", '11"'), ("Melee", "5d10 +4 (7+)"))
    assert sheet("gamma-apollo").mode_b == ()


@pytest.mark.rule("ST-008")
def test_crew_raises_level_but_never_lowers():
    ace = PilotCard("Ana", "ace")
    assert (sheet("gamma-apollo", pilot=ace).points, sheet("gamma-apollo", pilot=ace).crew_name) == (270, "Ace pilot")
    assert sheet("white-asura", pilot=PilotCard("Ana", "basic")).crew_name == "Skilled pilot"
    assert sheet("trident-drake").crew_name == "Kaiju level 1"


@pytest.mark.parametrize(
    ("design", "skills"),
    [
        ("gamma-apollo", ["flash", "focus", "zeal"]),
        ("tankcrawler", ["focus", "iron-wall", "zeal"]),
        ("trident-drake", ["focus", "iron-wall", "zeal", "improvise", "valor"]),
        ("crimson-gallant", ["flash", "focus", "iron-wall", "zeal", "improvise", "valor"]),
        ("escort-carrier", ["flash", "focus", "iron-wall", "zeal"]),
    ],
)
def test_unit_has_skills_of_its_kind_and_level(design: str, skills: list[str]):
    assert [skill.slug for skill in sheet(design).skills] == skills


def test_bonuses_depend_on_level_and_kind():
    assert [each.slug for each in sheet("white-asura").bonuses] == ["barrage", "bullseye", "balanced", "swift", "dodge", "guard", "counter"]  # fmt: skip
    assert "power" in [each.slug for each in sheet("trident-drake").bonuses]
    assert sheet("gamma-apollo").bonuses == sheet("escort-carrier").bonuses == ()


def test_source_figures_are_distinguished_from_ours():
    assert sheet("gamma-apollo").origin == "evade, melee, shield as the source has them, all others and the points ours"
    assert sheet("escort-carrier").origin == "ours"


# --- exact chances -----------------------------------------------------------------------------------------------------

RIFLE = Blow(dmg=300, pen=6)
NEAR = Pool(dice=6, flat=5)
APOLLO = Pool(dice=8, flat=4)
ARGONAUT, DERVISH = Pool(dice=8, flat=8), Pool(dice=7, flat=5, rerolls_ones=True)
PHOTON, TURTLE = Pool(dice=7, flat=6), Pool(dice=4, flat=7)


def blocked(attack: Pool, defence: Pool) -> Fraction:
    return unblocked_chances(attack, defence)[0]


def mean_unblocked(attack: Pool, defence: Pool) -> Fraction:
    return sum((hits * chance for hits, chance in unblocked_chances(attack, defence).items()), Fraction(0))


def at_least(attack: Pool, defence: Pool, hits: int) -> Fraction:
    return sum((chance for each, chance in unblocked_chances(attack, defence).items() if each >= hits), Fraction(0))


def chance_of_damage(attack: Pool, defence: Pool, blow: Blow, at_least: int) -> Fraction:
    """The chance that one attack does so much damage or more."""
    found = Fraction(0)
    for unblocked, chance in unblocked_chances(attack, defence).items():
        parts = (part for damage, part in damage_chances(unblocked, blow).items() if damage >= at_least)
        found += chance * sum(parts, Fraction(0))
    return found


P08 = (Pool(dice=6, flat=7, crit=9), Pool(dice=3, flat=7, crit=9), Blow(dmg=500, pen=7))
P10 = (Pool(dice=7, flat=9, crit=9), Pool(dice=5, flat=4), Blow(dmg=500, pen=7, finisher=2))


@pytest.mark.parametrize(
    ("found", "expected"),
    [
        (blocked(NEAR, APOLLO), "64581396549809/100000000000000"),
        (mean_damage(NEAR, APOLLO, RIFLE), "75391062593867/125000000000"),
        (chance_of_damage(NEAR, APOLLO, RIFLE, 1000), "200614988593873/800000000000000"),
        (at_least(ARGONAUT, DERVISH, 6), "1753106157974578798027/10000000000000000000000"),
        (mean_unblocked(ARGONAUT, DERVISH), "8280975956059438310267/2500000000000000000000"),
        (chance_of_damage(ARGONAUT, DERVISH, Blow(dmg=200), 2500), "404004258130671474297/10000000000000000000000"),
        (chance_of_damage(Pool(dice=6, flat=6), Pool(dice=4, flat=4), Blow(dmg=300, pen=7), 4000), "23994063599/78125000000"),
        (chance_of_damage(*P08, 5000), "252073353/1220703125"),
        (at_least(P08[0], P08[1], 7), "65796/1953125"),
        (chance_of_damage(*P10, 8000), "646542236083/1220703125000"),
        (chance_of_damage(*P10, 10000), "1363268346271/6103515625000"),
        (1 - blocked(PHOTON, TURTLE), "12190973561/20000000000"),
        (mean_damage(PHOTON, TURTLE, Blow(dmg=300, pen=6)) - mean_damage(PHOTON, TURTLE, Blow(dmg=300, pen=5)), "146891581941/1000000000"),
        (mean_damage(PHOTON, TURTLE, Blow(dmg=400, pen=5)) - mean_damage(PHOTON, TURTLE, Blow(dmg=300, pen=5)), "149412500253/1000000000"),
        (chance_of_damage(Pool(dice=6, flat=7), Pool(dice=6, flat=4), Blow(dmg=400, pen=7), 4000), "542567946672007/1562500000000000"),
        (blocked(Pool(dice=6, flat=5, success=3), APOLLO), "44152806853809/100000000000000"),
        (chance_of_damage(Pool(dice=5, flat=5), Pool(dice=3, flat=3), Blow(dmg=300, pen=8), 7000), "112583498139/5000000000000"),
    ],
    ids=[f"p{number:02}" for number in range(1, 18)],
)  # fmt: skip
def test_attack_chances_are_exact(found: Fraction, expected: str):
    assert found == Fraction(expected)


def test_save_fails_below_pen():
    assert [save_fails(pen) for pen in (1, 6, 11)] == [0, Fraction(1, 2), 1]


def test_pool_success_on_seven_crits_only_on_success():
    assert pool_chances(Pool(dice=1, success=7, crit=5)) == {0: Fraction(6, 10), 1: 0, 2: Fraction(4, 10)}


@pytest.mark.parametrize(("design", "expected"), [("gamma-apollo", "MS, Size 0"), ("trident-drake", "Kaiju, Size 3")])
def test_list_names_kind_and_size_once(design, expected):
    found = sheet(design)
    assert found.size_name == expected
    assert "Kind" not in dict(found.columns)
