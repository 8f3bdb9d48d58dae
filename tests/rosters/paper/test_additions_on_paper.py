"""Additions on cards and data sheets beyond the unit's own numbers.

Each figure is compared with the battle rules, or counted here.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import combinations, product
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from django.utils import timezone
from django.utils.formats import date_format

from rosters.card_layout import SIZES, CardPage
from rosters.card_layout.sides import describe_ruler
from rosters.documents.company import CompanyDocument, UnitEntry
from rosters.models import PrintJob
from rosters.paper.documents import PrintSettings, sheet_of
from rosters.paper.sources import units_of_company, units_of_design
from rosters.printing.rendering import item_key, sides_of
from rosters.printing.services import print_ask
from rosters.products.base import Item
from rosters.tasks import print_run
from systems import PAPER, ROSTERS, battle_rules, roster_rules
from systems.blazing_steel.battle.rules.engagements import is_saved
from systems.documents import DesignDocument
from systems.engine.dice import Dice
from systems.hex_core.battle.rules import evasion_level
from systems.hex_core.battle.rules.attacks import evade_faces
from systems.hex_core.catalogue import CATALOGUE as HEXES
from systems.mech_campaign.battle.state import REACH
from systems.mechastellar.build.datasheet_lines import Pool, pool_chances
from systems.meks_and_mercs.battle.play import roll_fire
from systems.meks_and_mercs.battle.rules.damage import apply_damage
from systems.meks_and_mercs.catalogue import CATALOGUE
from systems.paper.blocks import Addition, Entries, Row, Table
from systems.shots import ShotQuestion
from systems.text import format_decimal, format_signed
from tests.example_shares import in_every_run
from tests.rosters.paper import items, pdf
from tests.rosters.paper.units import MECHS, SYSTEM, mech, order, published_of, read, unit
from tests.systems.mech_campaign.battle.tables import setup as field
from tests.systems.meks_and_mercs.battle.builders import Table as BattleTable
from tests.systems.meks_and_mercs.battle.builders import unit as battle_unit
from tests.systems.meks_and_mercs.battle.states import mek, setup
from tests.tools.enumerate import chances, follow, freeze, thaw

INCH = 25.4
BANDS = range(3)
EVERYTHING = {"cannon": "rail-cannon", "laser": "ppc", "missile": "missile", "hammer": "hammer-missile"}


def added(document: dict[str, Any], options: Mapping[str, object] = {}) -> dict[str, Table | Entries]:
    """Return the additions to a unit's card, by title."""
    paper = PAPER[document["system"]].under(options)
    return {each.block.title: each.block for each in paper.additions(sheet_of(read(document)))}


def rows(document: dict[str, Any], title: str, options: Mapping[str, object] = {}) -> dict[str, Row]:
    table = added(document, options)[title]
    assert isinstance(table, Table)
    return {row.name: row for row in table.rows}


def cells(document: dict[str, Any], title: str) -> dict[str, tuple[str, ...]]:
    return {name: row.cells for name, row in rows(document, title).items()}


def number(text: str) -> int:
    return int(text.replace("−", "-").replace("±", "").replace("+", ""))


def card(document: dict[str, Any], size: str = "a6", **settings: Any) -> tuple[CardPage, CardPage]:
    (side,) = sides_of(item(document), PrintSettings(card=size, **settings))  # type: ignore[arg-type]
    return side.front, side.back


def item(document: dict[str, Any]) -> Item:
    return items.item("unit-card", unit=document)


# --- Meks & Mercs: modifiers of enemies ---

DEFENDED = [
    (("jammer",), ()),
    (("point-defense",), ()),
    (("jammer", "point-defense"), ("spoof",)),
    (("phalanx",), ()),
    (("point-defense", "phalanx"), ()),
    (("jammer", "phalanx"), ("spoof",)),
    ((), ("spoof",)),
    ((), ()),
]


def fired(systems: tuple[str, ...], skills: tuple[str, ...], weapon: str, band: int, *, is_first: bool = True) -> int:
    """Return the rules' modifier to an enemy's die.

    `is_first`: whether this is a Spoof pilot's first missile attack of the round.
    """
    target = mek("titan", systems=systems, skills=skills if is_first else ())
    given = setup([mek("titan", [weapon])], [target])
    asked = ShotQuestion(setup=given, shooter="a1", target="d1", weapon="0", range=str(band), helps=frozenset())
    shot = battle_rules(SYSTEM).shot(asked)
    assert shot is not None
    return shot.added


def against(document: dict[str, Any]) -> dict[str, tuple[str, ...]]:
    """Return enemies' modifiers, by the kind of attack."""
    if "Enemies to hit" not in added(document):
        return {}
    return {name.partition(" (")[0]: numbers for name, numbers in cells(document, "Enemies to hit").items()}


@pytest.mark.rule("MM-044", "MM-046", "MM-047", "MM-072")
@pytest.mark.parametrize(("systems", "skills"), DEFENDED, ids=str)
def test_printed_enemy_modifiers_match_the_rules(systems: tuple[str, ...], skills: tuple[str, ...]):
    spec = {"chassis": "titan", "weapons": [], "systems": list(systems)}
    pilot = {"name": "Ana", "experience": "regular", "skills": list(skills)}
    document = unit(spec=spec, pilot=pilot)
    printed = against(document)
    nothing = ("±0",) * 3
    plain = printed.get("any weapon", nothing)
    missiles = printed.get("missiles", plain)
    hammer = printed.get("Hammer-Missile", missiles)
    besides = [number(each) for each in printed.get("first missile of a round, besides", nothing)]
    for weapon in ("howitzer-cannon", "ppc"):
        assert [number(each) for each in plain] == [fired(systems, skills, weapon, band) for band in BANDS], weapon
    for weapon, numbers in (("missile", missiles), ("hammer-missile", hammer)):
        later = [number(each) for each in numbers]
        assert later == [fired(systems, skills, weapon, band, is_first=False) for band in BANDS], weapon
        first = [one + more for one, more in zip(later, besides, strict=True)]
        assert first == [fired(systems, skills, weapon, band) for band in BANDS], weapon
    assert bool(printed) == any(
        fired(systems, skills, weapon, band) for weapon in ("ppc", "missile", "hammer-missile") for band in BANDS
    )


@pytest.mark.rule("MM-044", "MM-046")
def test_card_shows_enemy_modifiers_beside_the_meks_numbers():
    draken = unit("draken")
    jammed = {"chassis": "heavy", "weapons": ["cannon"], "systems": ["jammer", "point-defense"]}
    spoofs = {"name": "Ana", "experience": "regular", "skills": ["spoof"]}
    for size in SIZES:
        assert "ENEMIES TO HIT: ±0 (missiles ±0/−1/−1)" in card(draken, size)[0].text_content()
        text = card(unit("draken", spec=jammed, pilot=spoofs), size)[0].text_content()
        assert "ENEMIES TO HIT: −1 (missiles −1/−2/−2, first −1 more)" in text
        assert "ENEMIES TO HIT" not in card(unit("thor"), size)[0].text_content()
    assert "ENEMIES TO HIT: ±0 (first missile −1 more)" in card(unit("thor", pilot=spoofs))[0].text_content()


def test_enemy_modifiers_cite_their_rules():
    assert cells(unit("draken"), "Enemies to hit") == {
        "missiles (MM-046)": ("±0", "−1", "−1"),
        "Hammer-Missile (MM-046)": ("±0", "−2", "−2"),
    }
    fired_at = added(unit("draken"))["When it is fired at"]
    assert isinstance(fired_at, Entries)
    cited = re.findall(r"MM-\d{3}", " ".join(entry.text for entry in fired_at.entries))
    assert {"MM-044", "MM-086", "MM-031", "MM-082", "MM-063"} <= set(cited)
    assert set(cited) <= set(roster_rules(SYSTEM).rulebook)


@pytest.mark.rule("MM-044")
def test_lost_system_adds_nothing():
    assert "Enemies to hit" in added(unit("wasp"))
    assert "Enemies to hit" not in added(unit("wasp", condition={"systems_lost": [0]}))
    assert "ENEMIES TO HIT" not in card(unit("wasp", condition={"systems_lost": [0]}))[0].text_content()


@pytest.mark.rule("MM-036")
def test_masked_mek_lists_enemy_sensors_and_their_range():
    spec = {"chassis": "medium", "weapons": ["cannon"], "systems": ["masking"]}
    (entry,) = [each for each in added(unit(spec=spec))["When it is fired at"].entries if each.name == "Masked"]  # type: ignore[union-attr]
    assert "Basic to Medium on 4+, Improved to Long on 4+, Advanced to Long on 2+" in entry.text


# --- Meks & Mercs: its own states ---


@pytest.mark.rule("MM-028", "MM-029")
def test_movement_table_counts_the_pilot_once():
    green = {"name": "Tom", "experience": "green"}  # a Medium Mek rolls 2d6, the pilot takes 1 off
    assert cells(unit("demon", pilot=green, condition={"legs": 1}), "Move") == {
        "Plain, Desert": ("2d6−1", "2d6−2", "2d6−3", "2d6−4"),
        "Wood, Moors": ("2d6−2", "2d6−3", "2d6−4", "2d6−5"),
        "Urban, Highlands": ("2d6−3", "2d6−4", "2d6−5", "2d6−6"),
    }
    elite = {"name": "Ana", "experience": "elite", "skills": ["maneuver", "chassis-familiarity-medium"]}
    printed_cells = cells(unit("saber", pilot=elite), "Move")  # 2d6, +2 for the level, +2, +1
    assert printed_cells["Plain, Desert"][0] == "2d6+5"
    assert printed_cells["Urban, Highlands"][3] == "2d6"
    assert printed_cells["with jets, 2 heat"] == ("3d6+5", "3d6+4", "3d6+3", "3d6+2")


@pytest.mark.rule("MM-028")
def test_printed_movement_matches_its_table_cell():
    for legs in range(5):
        document = unit("wasp", condition={"legs": legs})
        (move,) = re.findall(r"MOVE: (\S+)", card(document)[0].text_content())
        assert cells(document, "Move")["Plain, Desert"][legs] == move


def save_chance(armor: int, modifier: int, again: bool) -> Fraction:
    """Return the chance of a save, counted over the faces of one or two dice."""
    made = [face + modifier >= armor for face in range(1, 7)]
    return Fraction(sum(first or (again and second) for first, second in product(made, made)), 36)


@pytest.mark.rule("MM-051", "MM-052")
@pytest.mark.parametrize(
    ("armor_system", "better", "again"),
    [("", "", ""), ("reactive-armor", "", "missile"), ("bpc-armor", "", "laser"), ("space-lam-armor", "cannon", "")],
)
def test_save_table_matches_its_dice(armor_system: str, better: str, again: str):
    spec = {"chassis": "heavy", "weapons": [], "systems": [armor_system] if armor_system else []}
    table = added(unit(spec=spec))["Save"]
    assert isinstance(table, Table)
    (row,) = table.rows
    assert table.heads == ("cannon", "laser", "missile", "Hammer")
    for at, (family, modifier) in enumerate((("cannon", 0), ("laser", 0), ("missile", 0), ("missile", -1))):
        change = modifier + (family == better)
        chance = save_chance(3, change, family == again)
        assert row.cells[at] == f"{3 - change}+"
        assert row.under[at] == f"{int(chance * 100 + Fraction(1, 2))}%"


@pytest.mark.rule("MM-051", "MM-052")
def test_saves_of_odin_and_wasp_are_right():
    (odin,), (wasp,) = (rows(unit(slug), "Save").values() for slug in ("odin", "wasp"))
    assert (odin.cells, odin.under) == (("2+", "2+", "2+", "3+"), ("83%", "83%", "97%", "89%"))  # 35/36, 32/36
    assert "missiles: re-roll a failed save (MM-052)" in odin.detail
    assert (wasp.cells, wasp.under) == (("5+", "5+", "5+", "6+"), ("33%", "33%", "33%", "17%"))


# --- Meks & Mercs: the best volley ---


def mean_hits(slug: str, band: int, to_hit: int) -> Fraction:
    """Return unsaved Hits of one firing against a save of 4+, counted over the faces."""
    weapon = CATALOGUE.weapons[slug]
    needed = weapon.numbers[band]
    if needed is None:
        return Fraction(0)
    hits = [face + to_hit >= needed for face in range(1, 7)]
    hit = Fraction(sum(a or (weapon.rerolls_miss and b) for a, b in product(hits, hits)), 36)
    failed = Fraction(sum(face - weapon.save_penalty < 4 for face in range(1, 7)), 6)
    return weapon.dice * hit * failed


def best_by_search(weapons: list[str], band: int, to_hit: int, limit: int) -> tuple[Fraction, int, tuple[int, ...]]:
    """Return the best set of weapons that hit and stay within the limit: most Hits, then coolest, then first."""
    useful = [at for at, slug in enumerate(weapons) if mean_hits(slug, band, to_hit)]
    found = []
    for count in range(len(useful) + 1):
        for chosen in combinations(useful, count):
            heat = sum(CATALOGUE.weapons[weapons[at]].heat for at in chosen)
            if heat <= limit:
                total = sum((mean_hits(weapons[at], band, to_hit) for at in chosen), Fraction(0))
                found.append((-total, heat, chosen))
    total, heat, chosen = min(found)
    return -total, heat, chosen


@pytest.mark.rule("MM-042", "MM-043", "MM-058", "MM-059")
@pytest.mark.parametrize("level", CATALOGUE.levels)
@pytest.mark.parametrize("slug", roster_rules(SYSTEM).published)
@pytest.mark.each_value
def test_best_volley_is_best_within_the_heat_limit(slug: str, level: str):
    document = unit(slug, pilot={"name": "Ana", "experience": level})
    sheet: Any = sheet_of(read(document))
    volleys = list(rows(document, "Best volley, save 4+").values())
    table = added(document)["Best volley, save 4+"]
    assert isinstance(table, Table)
    to_hit = CATALOGUE.levels[level].to_hit + ("targeting-array" in document["spec"]["systems"])
    for band, row in zip(BANDS, table.rows, strict=False):
        hits, heat, chosen = best_by_search(list(document["spec"]["weapons"]), band, to_hit, sheet.heat_limit)
        assert sheet.volleys[band].slots == chosen
        assert (sheet.volleys[band].heat, sheet.volleys[band].hits) == (heat, hits)
        assert row.cells == ((str(heat), format_decimal(hits)) if chosen else ("–", "–"))
    assert volleys


@pytest.mark.rule("MM-044", "MM-058", "MM-059", "MM-066")
@pytest.mark.parametrize(
    ("slug", "skills", "hits", "aids"),
    [
        ("sagitarii", (), "0.97", "with Targeting Array"),
        ("viper", (), "0.82", "with Targeting Array"),
        ("wasp", ("accuracy",), "0.33", "with Accuracy"),
        ("wasp", (), "0.25", ""),
        ("draken", ("accuracy", "guidance"), "", "with Accuracy, Guidance"),
        ("thor", ("steady-hand",), "", "with Steady Hand"),
    ],
)
def test_best_volley_matches_the_battle_rules(slug: str, skills: tuple[str, ...], hits: str, aids: str):
    pilot = {"name": "Ana", "experience": "regular", "skills": list(skills)}
    sheet: Any = sheet_of(read(unit(slug, pilot=pilot)))
    short_form = brief(unit(slug, pilot=pilot), "Best volley, save 4+")
    assert short_form.startswith("Best volley, save 4+: S ")
    assert short_form.endswith(f"; {aids}") if aids else "; with" not in short_form
    for band, volley in enumerate(sheet.volleys):
        if volley.slots:
            orders = {volley.slots, volley.slots[::-1]}  # the first of a family has its skill
            fired = [hits_in_battle(slug, skills, band, order) for order in orders]
            assert max(fired) == volley.hits
    if hits:
        assert format_decimal(sheet.volleys[0].hits) == hits
        assert f"{hits} Hit" in short_form


def hits_in_battle(slug: str, skills: tuple[str, ...], band: int, order: Sequence[int]) -> Fraction:
    """Return the mean of unsaved Hits of these weapons, fired in that order at a plain Mek of armor 4.

    Over all ways in which the battle's dice can fall.
    """
    table = BattleTable([battle_unit(slug, skills=skills)], [mek("medium")], band=band).aim("a1", "d1", *order)
    assert table["d1"].armor == 4
    table["d1"].hits = 30  # no Hit destroys it or is critical

    def shoot(dice: Dice) -> tuple[object, ...]:
        state = thaw(table.state, start)
        roll_fire(state, dice, [])
        return freeze(state)

    def suffer(before: tuple[object, ...], dice: Dice) -> int:
        state = thaw(table.state, before)
        apply_damage(state, dice, [])
        return 30 - int(state.units[table.at("d1")].hits)

    start = freeze(table.state)
    ends = follow(chances(shoot), suffer)
    return sum((lost * chance for lost, chance in ends.items()), Fraction(0))


@pytest.mark.rule("MM-058", "MM-059")
def test_best_volleys_of_thor_and_draken_are_right():
    thor = added(unit("thor"))["Best volley, save 4+"].rows  # type: ignore[union-attr]
    assert [(row.lead, row.name, row.cells) for row in thor] == [
        ("S", "PPC, 2 × Cannon", ("6", "0.92")),  # limit 7: 5/12 + 2 × 1/4 = 11/12; both PPC are 8 heat
        ("M", "PPC", ("4", "0.42")),
        ("L", "PPC", ("4", "0.42")),
    ]
    draken = added(unit("draken"))["Best volley, save 4+"].rows  # type: ignore[union-attr]
    assert [(row.name, row.cells) for row in draken] == [
        ("2 × Rail-Cannon, Hammer-Missile", ("5", "0.94")),  # limit 5: 2 × 1/4 + 4/6 × 4/6 = 17/18
        ("2 × Rail-Cannon, Hammer-Missile", ("5", "0.78")),  # 2 × 1/6 + 4/9 = 7/9
        ("Hammer-Missile", ("3", "0.44")),
    ]


@pytest.mark.rule("MM-029", "MM-059")
def test_volley_with_jets_is_shown_where_their_heat_matters():
    spec = {"chassis": "medium", "weapons": ["vulcan-cannon", "vulcan-cannon"], "systems": ["jump-jets"]}
    short = next(iter(added(unit(spec=spec))["Best volley, save 4+"].rows))  # type: ignore[union-attr]
    assert (short.name, short.cells) == ("2 × Vulcan-Cannon", ("4", "1"))
    assert short.detail == "with jets: Vulcan-Cannon, heat 2, 0.5 Hits"
    assert not next(iter(added(unit("saber"))["Best volley, save 4+"].rows)).detail  # type: ignore[union-attr]


def test_lost_weapons_are_in_no_volley():
    table = added(unit("thor", condition={"weapons_lost": [0, 1]}))["Best volley, save 4+"]
    assert [row.name for row in table.rows] == ["2 × Cannon", "no weapon reaches", "no weapon reaches"]  # type: ignore[union-attr]


# --- Meks & Mercs: the short form ---


def brief(document: dict[str, Any], title: str, options: Mapping[str, object] = {}) -> str:
    """Return the card's short form of the addition with that title."""
    paper = PAPER[document["system"]].under(options)
    (found,) = [each.brief for each in paper.additions(sheet_of(read(document))) if each.block.title == title]
    assert found is not None
    return f"{found.name}: {found.text}"


@pytest.mark.rule("MM-028", "MM-029")
def test_short_movement_is_that_of_the_present_state():
    green = {"name": "Tom", "experience": "green"}
    whole = "Move: Plain, Desert 2d6−1; Wood, Moors 2d6−2; Urban, Highlands 2d6−3; each leg −1"
    assert brief(unit("demon", pilot=green), "Move") == whole
    hurt = "Move: Plain, Desert 2d6−2; Wood, Moors 2d6−3; Urban, Highlands 2d6−4; each further leg −1"
    assert brief(unit("demon", pilot=green, condition={"legs": 1}), "Move") == hurt
    assert "; with jets, 2 heat 3d6; each leg −1" in brief(unit("saber"), "Move")
    for slug in roster_rules(SYSTEM).published:
        for legs in range(4):
            document = unit(slug, condition={"legs": legs})
            for name, numbers in cells(document, "Move").items():
                assert f"{name} {numbers[legs]};" in brief(document, "Move")


@pytest.mark.rule("MM-051", "MM-052")
def test_short_saves_match_the_table():
    assert brief(unit("wasp"), "Save") == "Save: cannon, laser, missile 5+ (33%); Hammer 6+ (17%)"
    assert brief(unit("odin"), "Save") == (
        "Save: cannon, laser 2+ (83%); missile 2+ (97% with its re-roll); Hammer 3+ (89% with its re-roll)"
    )


@pytest.mark.rule("MM-058", "MM-059")
def test_short_volleys_match_the_table():
    thor = "Best volley, save 4+: S PPC, 2 × Cannon: 6 heat, 0.92 Hits; M, L PPC: 4 heat, 0.42 Hits"
    assert brief(unit("thor"), "Best volley, save 4+") == thor
    gone = unit("thor", condition={"weapons_lost": [0, 1]})
    assert brief(gone, "Best volley, save 4+").endswith("M, L no weapon reaches")
    spec = {"chassis": "medium", "weapons": ["vulcan-cannon", "vulcan-cannon"], "systems": ["jump-jets"]}
    jets = "S 2 × Vulcan-Cannon: 4 heat, 1 Hit (with jets: Vulcan-Cannon, heat 2, 0.5 Hits)"
    assert jets in brief(unit(spec=spec), "Best volley, save 4+")


@pytest.mark.rule("MM-046")
def test_short_form_lists_hammers_where_the_front_differs():
    assert brief(unit("draken"), "Enemies to hit") == "Enemies' Hammer-Missiles: ±0/−2/−2"
    (jammed,) = [each for each in PAPER[SYSTEM].additions(sheet_of(read(unit("wasp")))) if each.brief is None]
    assert jammed.block.title == "Enemies to hit"


@pytest.mark.rule("MM-036", "MM-063", "MM-067")
def test_short_form_lists_sensors_that_find_a_masked_mek():
    spec = {"chassis": "medium", "weapons": ["cannon"], "systems": ["masking"]}
    pilot = {"name": "Ana", "experience": "elite", "skills": ["agility"]}
    short_form = brief(unit(spec=spec, pilot=pilot), "When it is fired at")
    masked = "masked: targeted by sensors Basic to Medium 4+, Improved to Long 4+, Advanced to Long 2+; "
    assert short_form.startswith("When fired at: movement 8+ dodges the first hit; " + masked)
    assert short_form.endswith("infantry at Short hits on less than 4, no save")
    lost = brief(unit(spec=spec, condition={"systems_lost": [0]}), "When it is fired at")
    assert "masked" not in lost


def test_every_skill_has_a_short_text_for_poker_cards():
    for skill in CATALOGUE.skills.values():
        assert 0 < len(skill.brief) < len(skill.effect) + 1, skill.slug
    pilot = {"name": "Ana", "experience": "elite", "skills": ["gunnery", "maneuver"]}
    text = card(unit("draken", pilot=pilot), "poker")[0].text_content()
    assert "Gunnery: a cannon or small weapon again at −2, twice the heat" in text
    assert "Maneuver: +2 movement, counted in" in text


# --- Mech Campaign ---


@pytest.mark.rule("MC-037")
def test_card_has_boxes_for_activation_and_each_action():
    for size in SIZES:
        text = card(mech(), size)[0].text_content()
        assert "activated [1 box]" in text
        assert "ACTIONS: 3 boxes 1 2 4" in text


@pytest.mark.rule("MC-074", "MC-078", "MC-079")
@pytest.mark.parametrize("target", ["heavy-mech", "drone", "gun-sentry"])
def test_printed_enemy_numbers_match_the_rules(target: str):
    printed_cells = cells(mech(target), "Enemies to hit")
    for at, shooter in enumerate(("heavy-mech", "drone", "gun-sentry")):
        for name, helps in (
            ("in the open", ()),
            ("in cover (MC-078)", ("cover",)),
            ("from higher ground (MC-079)", ("height",)),
            ("locked by another (MC-075)", ("lock",)),
        ):
            need = shot_of(shooter, target, helps)
            if name in printed_cells:
                assert printed_cells[name][at] in (f"{need}+", "–"), (shooter, name)
                assert (printed_cells[name][at] == "–") == (shooter == "drone" and "height" in helps)
            else:
                assert need == shot_of(shooter, target, ()), name  # an air unit is never in cover, nor below anybody


def shot_of(shooter: str, target: str, helps: tuple[str, ...]) -> int:
    rest = ["heavy-mech", "light-mech", "light-mech", "light-mech"]
    given = field([shooter, *rest], [target, *rest])
    asked = ShotQuestion(setup=given, shooter="a1", target="b1", weapon="", range="within", helps=frozenset(helps))
    shot = battle_rules(MECHS).shot(asked)
    assert shot is not None
    return shot.need


def ruler_marks(page: CardPage, stroke: str) -> list[float]:
    """Return the marks beside the card's right edge, in inches from its lower edge."""
    found = []
    for path in page.art.get(stroke, []):
        x1, y1, x2, y2 = map(float, re.findall(r"-?[\d.]+", path))
        if y1 == y2 and min(x1, x2) > page.size.width - page.size.safe:
            found.append((page.size.height - y1) / INCH)
    return sorted(found)


@pytest.mark.rule("MC-047", "MC-070")
@pytest.mark.parametrize(("size", "inches"), [("poker", 3), ("tarot", 4), ("a7", 4), ("a6", 5)])
def test_card_ruler_is_exact_to_a_tenth_of_a_millimetre(size: str, inches: int):
    page, back = card({**mech(), "colour": "#8a2b1d", "side": "b"}, size)
    long, short = ruler_marks(page, "bar"), ruler_marks(page, "hair")
    assert long == ([pytest.approx(4, abs=0.1 / INCH)] if inches >= 4 else [])
    assert sorted(long + short) == [pytest.approx(at / 2, abs=0.1 / INCH) for at in range(1, 2 * inches + 1)]
    assert page.size.height - max(long + short) * INCH > page.band_mm + 0.6  # below colour and mark of its side
    assert not ruler_marks(back, "bar")
    assert "print at 100%" in page.text_content()


def test_card_explains_its_ruler():
    assert REACH == 1200
    assert (
        describe_ruler(SIZES["a6"], (4, 12))
        == 'Right edge in inches from below, 4" the long mark; 12" is 3 × 4; print at 100%'
    )
    assert (
        describe_ruler(SIZES["poker"], (4, 12))
        == 'Right edge in inches from below; 4" is 3 and 1; 12" is 4 × 3; print at 100%'
    )


def test_ruler_is_exact_on_the_printed_sheet(tmp_path: Path):
    """By the ink of the page: from the cut at the card's foot to the four-inch mark."""
    import subprocess

    from PIL import Image

    from rosters.paper.drawing import draw_pages

    path = tmp_path / "card.pdf"
    path.write_bytes(draw_pages([card(mech(), "tarot")[0]])[0])
    assert pdf.page_sizes(path) == [(70.0, 120.0)]
    subprocess.run(["pdftoppm", "-r", "600", "-gray", "-singlefile", path, tmp_path / "card"], check=True)
    image = Image.open(tmp_path / "card.pgm")
    column = image.width - round(1.6 / INCH * 600)
    dark = [y for y in range(image.height) if image.getpixel((column, y)) < 128]
    assert (image.height - 4 * 600) in range(min(dark), max(dark) + 1)
    thick = [y for y in dark if abs(y - (image.height - 4 * 600)) < 12]
    assert len(thick) >= 12  # 0.7 mm
    assert sum(thick) / len(thick) == pytest.approx(image.height - 4 * 600, abs=2)


# --- the other games ---

STEEL, HEX, STELLAR = "blazing-steel", "hex-core", "mechastellar"


@pytest.mark.rule("BS-151", "BS-154", "BS-161", "BS-162")
@pytest.mark.parametrize("document", published_of(STEEL), ids=lambda document: document["name"])
def test_printed_armor_matches_the_rules(document: dict[str, Any]):
    sheet: Any = sheet_of(read(document))
    (row,) = rows(document, "Armor").values()
    armors = [max(1, sheet.armor - less) for less in (0, 1, 2)] + [1]
    assert row.cells == tuple(map(str, armors))
    for armor, line in zip(armors, row.under, strict=True):
        stopped = Fraction(sum(is_saved(face, armor - 1, armor) for face in range(1, 7)), 6)
        assert line == f"{int(stopped * 100 + Fraction(1, 2))}%"
    assert "a 1 alone, 17%" in row.detail
    assert [is_saved(face, sheet.armor, sheet.armor) for face in range(1, 7)] == [True] + [False] * 5


@pytest.mark.rule("BS-155", "BS-160")
def test_movement_tables_of_two_warmechs_are_right():
    biped, tracked = (
        next(
            document
            for document in published_of(STEEL)
            if sheet_of(read(document)).locomotion == locomotion  # type: ignore[attr-defined]
        )
        for locomotion in ("bipedal", "tracked")
    )
    for document, is_out in ((biped, True), (tracked, False)):
        sheet: Any = sheet_of(read(document))
        printed_cells = cells(document, "Move")
        sprint = sheet.sprint_total_in - sheet.move_in
        half, quarter = sheet.move_in // 2, sheet.move_in // 2 // 2
        assert printed_cells["whole"] == (
            f'{sheet.move_in}"',
            f'to {sheet.sprint_total_in}"',
            f'{sheet.jump_in}"',
            str(sheet.dodge),
        )
        assert printed_cells["one Locomotion result"][:2] == (f'{half}"', f'to {half + sprint}"')
        assert printed_cells["one Locomotion result"][3] == str(max(0, sheet.dodge - 1))
        assert printed_cells["both"][0] == ("–" if is_out else f'{quarter}"')
    stands = rows(biped, "Move", {"biped-disabled": "immobile"})["both"]
    assert stands.cells[:3] == ('0"', 'to 0"', '0"')


@pytest.mark.rule("BS-120", "BS-122", "BS-123", "BS-136", "BS-176")
def test_warmech_lists_modifiers_of_enemy_attacks():
    found = {
        name: row.cells for document in published_of(STEEL) for name, row in rows(document, "Enemies to hit").items()
    }
    assert found["shooting, in the open (BS-120)"] == ("6",)
    assert found["it is in cover (BS-122)"] == ("−1",)
    for document in published_of(STEEL):
        sheet: Any = sheet_of(read(document))
        modifiers = rows(document, "Enemies to hit")
        impacts = {row.cells[0] for name, row in modifiers.items() if "BS-123" in name}
        assert impacts == {f"−{line.impact}" for line in sheet.guns if line.impact}
        assert ("in cover and fortified (BS-058)" in modifiers) == sheet.can_fortify


@pytest.mark.rule("HX-087", "HX-113", "HX-156", "HX-160", "HX-161")
@pytest.mark.parametrize("document", published_of(HEX), ids=lambda document: document["name"])
def test_evasion_table_matches_the_rules(document: dict[str, Any]):
    sheet: Any = sheet_of(read(document))
    evasion = rows(document, "Enemies to hit: it evades")
    of_level = {int(level.replace("−", "-")): row for name, row in evasion.items() if name.startswith("level ")
                for level in name.removeprefix("level ").split(", ")}  # fmt: skip
    assert of_level.keys() == {each.level for each in HEXES.elevations.values()}
    for level, row in of_level.items():
        for at, worse in enumerate((0, 2)):
            faces = evade_faces(sheet.evasion + worse, evasion_level(level))
            assert row.cells[at] == (f"{9 - faces}+" if faces else "–")
            assert row.under[at] == f"{int(Fraction(faces * 100, 8) + Fraction(1, 2))}%"


@pytest.mark.rule("HX-110", "HX-113", "HX-114")
@pytest.mark.parametrize("document", published_of(HEX), ids=lambda document: document["name"])
def test_state_table_matches_the_cards_losses(document: dict[str, Any]):
    sheet: Any = sheet_of(read(document))
    whole, head, leg, legs = added(document)["By state"].rows  # type: ignore[union-attr]
    assert whole.cells == (str(sheet.movement), f"{sheet.accuracy}+", f"{sheet.assault}+", f"{sheet.evasion}+")
    assert head.cells[1] == sheet.losses[0][1].removeprefix("ACC ")
    for row, (_, loss) in zip((leg, legs), sheet.losses[1:], strict=True):
        assert f"SM {row.cells[0]}, ASL {row.cells[2]}, EVA {row.cells[3]}" == loss


@pytest.mark.rule("ST-114", "ST-180", "ST-181", "ST-182", "ST-301", "ST-305", "ST-340")
@pytest.mark.parametrize("document", in_every_run(published_of(STELLAR)[:6], published_of(STELLAR)))
def test_defence_table_matches_its_dice(document: dict[str, Any]):
    sheet: Any = sheet_of(read(document))
    printed_cells = cells(document, "Enemies to hit: mean DEF")
    guards = {
        "in the open": (max(sheet.shield, sheet.barrier),) * 2,
        "in Cover (ST-340, ST-182)": (max(sheet.shield, sheet.barrier, 2), max(sheet.shield, sheet.barrier)),
        "from behind: Blindside (ST-301)": (sheet.barrier, sheet.barrier),
    }
    for name, values in guards.items():
        for at, (defence, guard) in enumerate(zip((sheet.evade, sheet.melee), values, strict=True)):
            pool = Pool(
                dice=max(0, min(10, defence.dice)),
                flat=defence.flat + guard,
                success=defence.success,
                rerolls_ones=not at and "reroll-evade-1s" in sheet.traits,
            )
            mean = sum(total * chance for total, chance in pool_chances(pool).items())
            assert printed_cells[name][at] == f"{float(mean):.1f}", name
    assert printed_cells["in the open"] == (sheet.evade.mean_label, sheet.melee.mean_label)
    flat = tuple(str(max(0, each.flat + sheet.shield)) for each in (sheet.evade, sheet.melee))
    assert printed_cells["shut down (ST-305)"] == flat


# --- the other games in short ---


@pytest.mark.rule("MC-074", "MC-075", "MC-078", "MC-079")
@pytest.mark.parametrize("target", ["heavy-mech", "drone", "gun-sentry"])
def test_short_enemy_numbers_match_the_table(target: str):
    short_form = brief(mech(target), "Enemies to hit")
    for name, numbers in cells(mech(target), "Enemies to hit").items():
        need = " / ".join(numbers if len(set(numbers)) > 1 else numbers[:1])
        assert f"{name.partition(' (')[0]} {need}" in short_form


@pytest.mark.rule("BS-120", "BS-123", "BS-136", "BS-140", "BS-155", "BS-160", "BS-161")
@pytest.mark.parametrize("document", published_of(STEEL), ids=lambda document: document["name"])
def test_short_warmech_additions_match_the_tables(document: dict[str, Any]):
    sheet: Any = sheet_of(read(document))
    enemies, move, armor = (brief(document, title) for title in ("Enemies to hit", "Move", "Armor"))
    assert "shooting, in the open 6; in cover −1" in enemies
    melee = sheet.melee
    assert f"above {melee}: 6; {melee}: 5; below {melee}: 4" in str(rows(document, "Enemies to hit"))
    assert (
        f"strikes by their Melee above {melee} / {melee} / below: 6 / 5 / 4; it dodges on {sheet.dodge} or" in enemies
    )
    half, sprint = sheet.move_in // 2, sheet.sprint_total_in - sheet.move_in
    dodge = max(0, sheet.dodge - 1)
    assert f'result: move {half}", sprint to {half + sprint}", jump {sheet.jump_in}", dodge {dodge};' in move
    assert ("both: out of action" in move) == (sheet.locomotion == "bipedal")
    for at, less in (("front", 0), ("side", 1), ("rear", 2), ("crippled", sheet.armor - 1)):
        number = max(1, sheet.armor - less)
        assert f"{at} {number} ({round(min(number, 6) * 100 / 6 + 1e-9)}%)" in armor
    assert armor.endswith("AP as high or higher: a 1 alone, 17%")


def test_immobile_biped_is_described_in_short():
    biped = next(each for each in published_of(STEEL) if sheet_of(read(each)).locomotion == "bipedal")  # type: ignore[attr-defined]
    assert brief(biped, "Move", {"biped-disabled": "immobile"}).endswith("both: stands where it is")


@pytest.mark.rule("HX-077", "HX-087", "HX-113")
@pytest.mark.parametrize("document", published_of(HEX), ids=lambda document: document["name"])
def test_short_evasion_matches_the_table(document: dict[str, Any]):
    short_form = brief(document, "Enemies to hit: it evades")
    table = cells(document, "Enemies to hit: it evades")
    levels = [f"{name} on {' / '.join(numbers)}" for name, numbers in table.items() if name.startswith("level")]
    assert f": {'; '.join(levels)}. Can't evade an 8, or while kneeling, prone, down or held." in short_form
    flank = rows(document, "Enemies to hit: it evades")["damage"].detail[0]
    assert short_form.endswith(f" Takes {flank} extra damage from the flank.")
    states = next(each for each in PAPER[HEX].additions(sheet_of(read(document))) if each.block.title == "By state")
    assert states.brief is None
    sheet: Any = sheet_of(read(document))
    front = card(document, "poker")[0].text_content()
    assert all(f"{name}: {numbers}" in front for name, numbers in sheet.losses)


@pytest.mark.rule("ST-114", "ST-180", "ST-300", "ST-304")
@pytest.mark.parametrize("document", published_of(STELLAR)[:6], ids=lambda document: document["name"])
def test_short_defence_matches_the_table(document: dict[str, Any]):
    short_form = brief(document, "Enemies to hit: mean DEF")
    for name, row in rows(document, "Enemies to hit: mean DEF").items():
        more = " and 2 Hits more" if "2 Hits more" in row.detail else ""
        assert f"{name.partition(':')[0].partition(' (')[0]} {' / '.join(row.cells)}{more}" in short_form


# --- where it is printed ---


def of_added(additions: Any, page: CardPage) -> list[str]:
    """Return titles of the additions that a side has in full, in its order."""
    titles = [each.block.title for each in additions]
    return [line for line in page.sentences if line in titles]


def in_short(additions: Any, page: CardPage) -> list[str]:
    """Return titles of the additions that a side has in short, in its order."""
    titles = {brief_text(each): each.block.title for each in additions if each.brief}
    return [titles[line] for line in page.text_content().splitlines() if line in titles]


def brief_text(addition: Addition) -> str:
    assert addition.brief is not None
    return f"{addition.brief.name}: {addition.brief.text}"


def parts_of(page: CardPage) -> set[str]:
    """Return all texts of a side, whatever is on one line."""
    return set(re.split(r"; |\n", page.text_content()))


@pytest.mark.parametrize("system", ROSTERS)
def test_additions_keep_their_order_and_displace_nothing(system: str, monkeypatch: pytest.MonkeyPatch):
    paper, sizes = PAPER[system], ("poker", "tarot", "a6")
    documents = published_of(system)[:3]
    additions = [paper.additions(sheet_of(read(document))) for document in documents]
    cards = [[card(document, size) for size in sizes] for document in documents]
    monkeypatch.setattr(type(paper), "additions", lambda self, sheet: ())
    for document, each, printed in zip(documents, additions, cards, strict=True):
        titles = [addition.block.title for addition in each]
        for size, sides in zip(sizes, printed, strict=True):
            full, short = ([how(each, page) for page in sides] for how in (of_added, in_short))
            for there in (*full, *short):
                assert there == [title for title in titles if title in there]
            once = [*full[0], *full[1], *short[0], *short[1]]
            assert len(once) == len(set(once)), document["name"]
            assert size != "poker" or not full[0] + full[1], "all cards of a deck use the same form"
            bare = card(document, size)
            assert parts_of(bare[0]) - parts_of(sides[0]) <= {"Notes"}
            if not parts_of(bare[1]) - parts_of(sides[1]) <= {"Notes"}:  # a back with less text, to make room for one
                assert short[1], document["name"]


@pytest.mark.rule("MM-028", "MM-044", "MM-058")
def test_shortest_back_keeps_terrain_and_critical_results():
    back = PAPER[SYSTEM].card(sheet_of(read(unit("odin"))), "terse").back
    entries = {block.title: block.entries for block in back.blocks if isinstance(block, Entries)}
    (terrain_entry,) = entries["Terrain"]
    for zone in CATALOGUE.terrain.values():
        (line,) = [line for line in terrain_entry.text.split("; ") if zone.name in line]
        assert line.partition(", heat limit ")[0].endswith(
            f" {format_signed(zone.movement)}/{format_signed(zone.to_hit)}"
        )
        assert (f", heat limit {format_signed(zone.heat_rating)}" in line) == bool(zone.heat_rating)
    assert [entry.lead for entry in entries["After a Hit"]] == list("123456")


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("system", ROSTERS)
@pytest.mark.each_value
def test_every_addition_is_on_cards_of_every_size(system: str, size: str):
    """In full, in short, or (`brief` is None) in the card's own text; on a poker card the first three."""
    documents = published_of(system)
    for document in documents if size == "poker" else documents[:: max(1, len(documents) // 4)]:
        additions = PAPER[system].additions(sheet_of(read(document)))
        sides = card({**document, "company": "Iron Wolves", "number": 17, "side": "a"}, size)
        there = {title for how in (of_added, in_short) for page in sides for title in how(additions, page)}
        there |= {each.block.title for each in additions if each.brief is None}
        wanted = additions[:3] if size == "poker" else additions
        assert there >= {each.block.title for each in wanted}, document["name"]


def test_large_meks_and_mercs_card_has_all_additions():
    text = "\n".join(page.text_content() for page in card(unit("draken")))
    for title in ("Enemies to hit", "Move", "Save", "Best volley, save 4+", "When it is fired at"):
        assert f"\n{title}\n" in text, title


def test_data_sheet_adds_additions_only_without_an_extra_page(tmp_path: Path):
    path = tmp_path / "sheet.pdf"
    path.write_bytes(items.page_pdf(items.datasheet(unit("draken")), items.settings()))
    text = pdf.text(path)
    assert len(pdf.page_sizes(path)) == 1
    for words in ("ENEMIES TO HIT", "BEST VOLLEY, SAVE 4+", "2 × Rail-Cannon, Hammer-Missile", "WHEN IT IS FIRED AT"):
        assert words in text, words
    path.write_bytes(items.page_pdf(items.datasheet(unit("draken")), items.settings(sheet="half")))
    assert "BEST VOLLEY" not in pdf.text(path)


# --- the foot ---


def test_foot_shows_catalogue_version_day_and_cost():
    pilot = {"name": "Ana", "experience": "regular"}
    _, back = card(unit("wasp", pilot=pilot), printed_on="26 November 2026")
    text = back.text_content()
    assert "Meks & Mercs, catalogue 1, printed 26 November 2026" in text
    assert "9 points: Light chassis 4, Cannon 1, CIWS (pair) 1, Jammer 3, a Regular hired for the game +5" in text
    green = card(unit("wasp", pilot={"name": "Tom", "experience": "green"}))[1].text_content()
    assert "catalogue 1\n" in f"{green}\n"
    assert "hired" not in green
    front, back = card(unit("wasp"), printed_on="26 November 2026", backs="none")
    assert "printed 26 November 2026" in front.text_content()


def test_cost_lines_add_up_to_the_points():
    for system in ROSTERS:
        for document in published_of(system):
            front, back = card(document)
            bill = re.search(r"^(\d+) points: (.+)$", back.text_content(), re.MULTILINE)
            if bill:
                parts = [int(number) for number in re.findall(r" ([+−]?\d+)(?=,|$)", bill[2])]
                assert int(bill[1]) == sum(parts), bill[0]
                assert f"\n{bill[1]} point" in front.text_content()


def test_units_from_documents_show_the_version_that_read_them(monkeypatch: pytest.MonkeyPatch):
    spec = unit("wasp")["spec"]
    document_fields: dict[str, Any] = {
        "key": "1",
        "name": "W",
        "design_name": "Wasp",
        "design": spec,
        "status": "ready",
    }
    held: dict[str, Any] = {"system": SYSTEM, "name": "Crows", "release": "7", "pilots": ()}
    company = CompanyDocument.model_construct(**held, units=(UnitEntry.model_construct(**document_fields),))
    assert [made.release for made in units_of_company(company)] == ["7"]
    monkeypatch.setattr(roster_rules(SYSTEM), "catalogue_release", "8")
    drawn: dict[str, Any] = {"system": SYSTEM, "name": "Wasp", "spec": spec}
    design = DesignDocument.model_construct(**drawn)
    assert [made.release for made in units_of_design(design)] == ["8"]


@pytest.mark.django_db
def test_printed_day_is_the_readers(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(print_run, "delay", lambda pk: None)
    days = []
    for zone in ("Pacific/Kiritimati", "Pacific/Pago_Pago"):  # never on the same day
        with timezone.override(ZoneInfo(zone)):
            job = print_ask(order=order([unit()]), visitor=zone)
            today = date_format(timezone.localdate(), "j F Y")
        assert PrintJob.objects.get(pk=job.pk).content["settings"]["printed_on"] == today
        days.append(today)
    assert days[0] != days[1]
    kept = print_ask(order=order([unit()], printed_on="1 May 2026"), visitor="x")
    assert kept.content["settings"]["printed_on"] == "1 May 2026"


def test_new_day_redraws_only_dated_items():
    days = [PrintSettings(printed_on=day) for day in ("1 May 2026", "2 May 2026")]
    for what, is_dated in (("unit-card", True), ("counter", False)):
        asked = items.item(what, unit=unit())
        assert (item_key(asked, days[0]) != item_key(asked, days[1])) is is_dated
