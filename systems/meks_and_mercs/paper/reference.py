"""The quick reference of Meks & Mercs: common rules, and the rules for these units and this support only."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from systems.documents import unknown_slug
from systems.meks_and_mercs.build import SYSTEM
from systems.meks_and_mercs.build.datasheet_lines import Datasheet, SupportCard
from systems.meks_and_mercs.catalogue import CATALOGUE, Support, Weapon
from systems.meks_and_mercs.options import BY_THE_BOOK, Options
from systems.meks_and_mercs.paper.additions import (
    PLAIN_WEAPON_RULE,
    SKILL_RULES,
    SUPPORT_TABLES,
    SUPPORT_WEAPONS,
    SYSTEM_RULES,
    WEAPON_RULES,
)
from systems.paper.blocks import NO_BOXES, Reference, ReferenceLine, ReferenceSection, or_more
from systems.text import MINUS, format_signed

from .additions import MISSILE_DEFENSES

# Rules for every battle; they mention nothing that a roster might not have.
TURN = (
    (
        "MM-016",
        "Initiative",
        "Each side rolls a die, again on a tie. The higher roll wins and chooses who moves first.",
    ),
    ("MM-019", "First player moves", "Each unit that isn't held in contact can move one zone, to an adjacent one."),
    (
        "MM-020",
        "Held in contact",
        "An unbroken pair holds both its units in the zone. You can enter an enemy's zone, which starts contact.",
    ),
    ("MM-023", "A wounded pilot", "Roll 5+ before each move, or the unit stays."),
    ("MM-021", "Leaving the map", "From an exit zone, as the move of a unit that isn't held. It doesn't return."),
    (
        "MM-025",
        "Combat",
        "Zone by zone, lowest number first. Fight rounds while a pair of enemies is unbroken, at most 12 in a phase.",
    ),
    ("MM-015", "Second player moves", "The same, then combat again."),
    (
        "MM-018",
        "Second move",
        "The initiative winner's free units move one zone, but not into a zone with a visible enemy. A Mek that does has 2 heat used "
        "in its first round of combat next turn.",
    ),
    (
        "MM-091",
        "Victory",
        "Check at the end of the turn. You occupy a zone with a Mek of yours and no enemy Mek, vehicle or infantry in it.",
    ),
)
STEPS = ("MM-016", "MM-019", "MM-025", "MM-015", "MM-018", "MM-091")  # steps of a turn, in order
ROUND = (
    (
        "MM-028",
        "Movement roll",
        "Movement dice with terrain, never below 0. Cards already include the pilot and leg damage.",
    ),
    (
        "MM-030",
        "Range",
        "In each pair the higher total can change the range by one band. On a tie it stays the same. New pairs start at Long.",
    ),
    (
        "MM-031",
        "More than twice",
        "Change the range by two bands, or keep it and double terrain for that enemy's fire at you this round.",
    ),
    (
        "MM-032",
        "Breaking contact",
        "Needs to be at Long with every enemy when the step starts, and a total above all of theirs.",
    ),
    (
        "MM-033",
        "After breaking",
        "The pair neither fights nor holds, so the unit can move away. If both are still in the zone after its side's next zone "
        "moves, contact starts again at Long.",
    ),
    (
        "MM-035",
        "Detection",
        "A unit can fire at an enemy it has targeted. Unmasked Meks and vehicles in the zone don't need a roll.",
    ),
    ("MM-041", "Fire", "All at once. One target per unit, each weapon once."),
    ("MM-043", "To hit", "1d6 with modifiers must equal or beat the weapon's number for the range."),
    ("MM-051", "Save", "1d6 equal to or above the armor number stops a hit."),
    ("MM-053", "Hits", "A failed save costs 1 Hit. At 0 the unit is destroyed."),
    (
        "MM-054",
        "Critical check",
        "After each Hit except those from overheating, roll 1d6: more than the Hits left is a critical hit.",
    ),
)
HEAT = (
    (
        "MM-059",
        "Heat used",
        "Each round: the heat of the weapons fired. After a second move, 2 extra in the first round of the next turn.",
    ),
    (
        "MM-060",
        "Overheating",
        "If firing a weapon with heat takes the total above the limit, roll a die: equal to or below the excess destroys it "
        "and costs 1 Hit (2 for a missile weapon). The shot counts.",
    ),
    ("MM-061", "Overheat Hits", "After all other damage. No save and no critical check."),
)
UNIT_RULE = "MM-088"
MASKED = "MM-036"
INFANTRY = ("MM-022", "MM-034", "MM-038", "MM-039", "MM-063", "MM-064", "MM-065")
WITH_INFANTRY = ("mech-infantry",)  # support that puts a strongpoint on the table


@dataclass(slots=True)
class _RosterContents:
    """Slugs of everything in the roster, once each; sections follow the order of the catalogue."""

    weapons: set[str] = field(default_factory=set)
    systems: set[str] = field(default_factory=set)
    skills: set[str] = field(default_factory=set)
    levels: set[str] = field(default_factory=set)
    sensors: set[str] = field(default_factory=set)
    support: set[str] = field(default_factory=set)
    support_units: set[str] = field(default_factory=set)

    @property
    def has_infantry(self) -> bool:
        return "infantry" in self.support_units or any(slug in self.support for slug in WITH_INFANTRY)


def reference(
    sheets: Sequence[Datasheet | SupportCard], support: Sequence[str], path: str, options: Options = BY_THE_BOOK
) -> Reference:
    aboard = _roster_contents(sheets, support, path)
    count = f"{len(sheets)} unit{'' if len(sheets) == 1 else 's'}"
    results = f" and {len(aboard.support)} support result{'' if len(aboard.support) == 1 else 's'}"
    return Reference(
        title="Quick reference",
        kicker=f"Meks & Mercs: the rules of {count}{results if aboard.support else ''}",
        sections=tuple(section for section in _sections(aboard, options) if section.lines),
    )


def _roster_contents(sheets: Sequence[Datasheet | SupportCard], support: Sequence[str], path: str) -> _RosterContents:
    aboard = _RosterContents()
    by_name = {unit.name: slug for slug, unit in CATALOGUE.support_units.items()}
    for at, slug in enumerate(support):
        if slug not in CATALOGUE.support:
            raise unknown_slug(f"{path}[{at}]", "support", slug, CATALOGUE.support)
        aboard.support.add(slug)
        if unit := CATALOGUE.support[slug].unit:
            aboard.support_units.add(unit)
        if weapon := SUPPORT_WEAPONS.get(slug):
            aboard.weapons.add(weapon)
    for sheet in sheets:
        if isinstance(sheet, SupportCard):
            aboard.support_units.add(by_name[sheet.name])
            continue
        aboard.weapons |= {line.slug for line in sheet.weapons}
        aboard.systems |= {line.slug for line in sheet.systems}
        aboard.sensors.add(sheet.sensor.slug)
        aboard.levels.add(sheet.pilot.level if sheet.pilot else "regular")
        if sheet.pilot:
            aboard.skills |= {line.slug for line in sheet.pilot.skills}
    if any(slug in aboard.support for slug in WITH_INFANTRY):
        aboard.support_units.add("infantry")
    for slug in aboard.support_units:
        aboard.weapons |= set(CATALOGUE.support_units[slug].weapons)
        aboard.systems |= set(CATALOGUE.support_units[slug].systems)
        if CATALOGUE.support_units[slug].hits:
            aboard.sensors.add("basic")  # MM-088
    return aboard


def _sections(aboard: _RosterContents, options: Options) -> Iterator[ReferenceSection]:
    yield _weapons(aboard)
    yield _to_hit(aboard)
    yield ReferenceSection(
        title="Critical hit",
        note="roll 1d6",
        rule="MM-056",
        lines=tuple(
            ReferenceLine(lead=str(line.face), name=line.name, text=line.effect)
            for line in CATALOGUE.criticals.values()
        ),
    )
    yield ReferenceSection(
        title="Terrain",
        heads=("move", "to hit", "heat limit"),
        rule="MM-044",
        lines=tuple(
            ReferenceLine(
                name=line.name,
                cells=(
                    format_signed(line.movement),
                    format_signed(line.to_hit),
                    format_signed(line.heat_rating) if line.heat_rating else NO_BOXES,
                ),
            )
            for line in CATALOGUE.terrain.values()
        ),
    )
    yield ReferenceSection(
        title="Systems",
        lines=tuple(
            ReferenceLine(name=line.name, text=line.effect, rule=SYSTEM_RULES[slug])
            for slug, line in CATALOGUE.systems.items()
            if slug in aboard.systems
        ),
    )
    yield _skills(aboard)
    yield _pilots(aboard)
    yield _sensors(aboard)
    yield ReferenceSection(
        title="Support",
        note="each once in the game",
        lines=tuple(
            ReferenceLine(name=line.name, text=_support_text(line), rule=line.rule)
            for slug, line in CATALOGUE.support.items()
            if slug in aboard.support
        ),
    )
    yield from _support_table(aboard)
    yield _support_units(aboard)
    yield _infantry(aboard)
    yield ReferenceSection(
        title="A turn", rule="MM-015", lines=_rule_lines(_with_house_rules(TURN, options), steps=STEPS)
    )
    yield ReferenceSection(
        title="A round of combat",
        note="in every zone with an unbroken pair",
        rule="MM-026",
        lines=_rule_lines(_with_house_rules(ROUND, options)),
    )
    yield ReferenceSection(title="Heat", lines=_rule_lines(HEAT))


def _with_house_rules(rules: Sequence[tuple[str, str, str]], options: Options) -> list[tuple[str, str, str]]:
    """Return the rules as changed by these house rules. MM-D13, MM-D14, MM-D26."""
    rounds = options.tzc_rounds
    changes: dict[str, tuple[str, str]] = {}
    if rounds != BY_THE_BOOK.tzc_rounds:
        changes["MM-025"] = ("at most 12 in a phase", f"at most {rounds} in a phase")
    if options.diagonal_moves:
        changes["MM-019"] = ("an adjacent one", "an adjacent one, even across a corner")
        changes["MM-018"] = ("move one zone,", "move one zone, across a corner too,")
    if options.natural_rolls:
        changes["MM-043"] = ("for the range.", "for the range. A bare 6 always hits and a bare 1 always misses.")
    return [(rule, name, text.replace(*changes[rule]) if rule in changes else text) for rule, name, text in rules]


def _rule_lines(rules: Sequence[tuple[str, str, str]], *, steps: Sequence[str] = ()) -> tuple[ReferenceLine, ...]:
    """Return the lines for these rules; steps have their number."""
    return tuple(
        ReferenceLine(lead=str(steps.index(rule) + 1) if rule in steps else "", name=name, text=text, rule=rule)
        for rule, name, text in rules
    )


def _rules(ids: Sequence[str]) -> tuple[ReferenceLine, ...]:
    rules = (SYSTEM.rulebook[rule] for rule in ids)
    return tuple(ReferenceLine(name=rule.title, text=rule.text, rule=rule.id) for rule in rules)


def _weapons(aboard: _RosterContents) -> ReferenceSection:
    armed = [weapon for slug, weapon in CATALOGUE.weapons.items() if slug in aboard.weapons]
    return ReferenceSection(
        title="Weapons",
        note="without a pilot; cards count theirs in",
        heads=("S", "M", "L", "dice", "heat"),
        lines=tuple(
            ReferenceLine(
                name=weapon.name,
                cells=_weapon_cells(weapon),
                text=weapon.special,
                rule=WEAPON_RULES.get(weapon.slug, PLAIN_WEAPON_RULE),
            )
            for weapon in armed
        ),
    )


def _weapon_cells(weapon: Weapon) -> tuple[str, ...]:
    if weapon.kills:
        return (f"{weapon.kills}d6", NO_BOXES, NO_BOXES, "kills", str(weapon.heat))
    return (*(or_more(number) for number in weapon.numbers), str(weapon.dice), str(weapon.heat))


def _to_hit(aboard: _RosterContents) -> ReferenceSection:
    """Return every modifier that can apply, as added to the die."""
    lines = [
        ReferenceLine(
            name=f"{level.name} pilot, counted in on cards", cells=(format_signed(level.to_hit),), rule="MM-044"
        )
        for slug, level in CATALOGUE.levels.items()
        if slug in aboard.levels and level.to_hit
    ]
    lines.append(ReferenceLine(name="Terrain of the zone, doubled at most", cells=("table",), rule="MM-044"))
    lines.append(ReferenceLine(name="Computers damaged", cells=(f"{MINUS}1",), rule="MM-056"))
    named = (
        (aboard.systems, "targeting-array", "Targeting Array, at the primary target", "+1", "MM-044"),
        (aboard.systems, "jammer", "Target has a Jammer", f"{MINUS}1", "MM-044"),
        (aboard.skills, "accuracy", "Accuracy, one cannon attack", "+1", "MM-066"),
        (aboard.skills, "guidance", "Guidance, one missile attack", "+1", "MM-066"),
        (aboard.skills, "steady-hand", "Steady Hand, one laser attack", "+1", "MM-066"),
        (aboard.skills, "gunnery", "Gunnery, the second shot", f"{MINUS}2", "MM-069"),
        (aboard.skills, "spoof", "First missile attack at a Spoof pilot", f"{MINUS}1", "MM-072"),
        (aboard.support_units, "commandos", "Target marked by commandos", "+1", "MM-090"),
    )
    lines += [
        ReferenceLine(name=name, cells=(cell,), rule=rule) for found, slug, name, cell, rule in named if slug in found
    ]
    for slug, penalties in MISSILE_DEFENSES.items():
        if slug in aboard.systems:
            modifiers = "/".join(format_signed(part) for part in penalties)
            name = f"Missiles against {CATALOGUE.systems[slug].name}, S/M/L"
            lines.append(ReferenceLine(name=name, cells=(modifiers,), rule=SYSTEM_RULES[slug]))
    lines += _exceptions(aboard)
    return ReferenceSection(title="To hit", heads=("on the die",), lines=tuple(lines))


def _exceptions(aboard: _RosterContents) -> Iterator[ReferenceLine]:
    """Yield the exceptions to missile defense modifiers."""
    if "hammer-missile" in aboard.weapons and "point-defense" in aboard.systems:
        penalty = CATALOGUE.weapons["hammer-missile"].point_defense_penalty
        modifiers = "/".join(format_signed(part and -penalty) for part in MISSILE_DEFENSES["point-defense"])
        yield ReferenceLine(name="Hammer-Missile against Point Defense, S/M/L", cells=(modifiers,), rule="MM-046")
    if "phalanx" in aboard.systems:
        yield ReferenceLine(name="Several missile defenses", cells=("the worst",), rule="MM-047")


def _skills(aboard: _RosterContents) -> ReferenceSection:
    return ReferenceSection(
        title="Skills",
        lines=tuple(
            ReferenceLine(name=line.name, text=line.effect, rule=SKILL_RULES[line.skill])
            for slug, line in CATALOGUE.skills.items()
            if slug in aboard.skills
        ),
    )


def _pilots(aboard: _RosterContents) -> ReferenceSection:
    return ReferenceSection(
        title="Pilots",
        heads=("move", "to hit"),
        lines=tuple(
            ReferenceLine(name=level.name, cells=(format_signed(level.movement), format_signed(level.to_hit)))
            for slug, level in CATALOGUE.levels.items()
            if slug in aboard.levels
        ),
        rule="MM-028",
    )


def _sensors(aboard: _RosterContents) -> ReferenceSection:
    """Return each sensor class present; dice against masked Meks and infantry only if there are any."""
    has_masked = "masking" in aboard.systems
    lines = []
    for slug, sensor in CATALOGUE.sensors.items():
        if slug not in aboard.sensors:
            continue
        reach = f"{sensor.id_reach}, next zone" if sensor.id_adjacent_zones else sensor.id_reach
        next_zone = " and into the next zone" if sensor.id_adjacent_zones else ""
        text = f"targets to {sensor.targeting_reach}, ID to {reach}"
        if aboard.has_infantry:
            text += f"; infantry {or_more(sensor.infantry)}, {MINUS}1 at Medium, {MINUS}2 at Long{next_zone}"
        if has_masked:
            target, identify = sensor.masked_targeting, sensor.masked_id
            text += (
                f"; masked Meks: target to {target.reach} on {or_more(target.die)}, "
                f"ID to {identify.reach} on {or_more(identify.die)}"
            )
        lines.append(ReferenceLine(name=sensor.name, text=text, rule="MM-037"))
    if has_masked:
        lines += _rules((MASKED,))
    return ReferenceSection(title="Sensors", lines=tuple(lines))


def _support_text(support: Support) -> str:
    """Return a result's effect; if it only brings a unit, its short text."""
    return support.effect if support.rule == UNIT_RULE else SYSTEM.rulebook[support.rule].text


def _support_table(aboard: _RosterContents) -> Iterator[ReferenceSection]:
    """Yield the results of support rolls: one die for the table, one for the entry. MM-014."""
    for table, faces in SUPPORT_TABLES.items():
        results = sorted(
            (each for each in CATALOGUE.support.values() if each.table == table), key=lambda each: each.face
        )
        yield ReferenceSection(
            title=f"Support rolls: first die {faces}",
            note="then a die for the line; use each once in the game",
            rule="MM-014",
            lines=tuple(
                ReferenceLine(
                    lead=str(each.face),
                    name=each.name,
                    text="above" if each.slug in aboard.support else each.effect,
                    rule=each.rule,
                )
                for each in results
            ),
        )


def _support_units(aboard: _RosterContents) -> ReferenceSection:
    units = [unit for slug, unit in CATALOGUE.support_units.items() if slug in aboard.support_units]
    lines = []
    for unit in units:
        carried = [CATALOGUE.weapons[slug].name for slug in unit.weapons]
        carried += [CATALOGUE.systems[slug].name for slug in unit.systems]
        dice = f"{unit.movement_dice}d6" if unit.movement_dice else NO_BOXES
        bonus = format_signed(unit.movement_bonus) if unit.movement_bonus else ""
        cells = (str(unit.hits or NO_BOXES), or_more(unit.armor), dice + bonus)
        text = "; ".join([*carried, *([unit.special] if unit.special else [])])
        lines.append(ReferenceLine(name=unit.name, cells=cells, text=text))
    return ReferenceSection(
        title="Support units",
        note="Regulars, no skills, no heat",
        heads=("Hits", "save", "move"),
        lines=tuple(lines),
        rule=UNIT_RULE,
    )


def _infantry(aboard: _RosterContents) -> ReferenceSection:
    if not aboard.has_infantry:
        return ReferenceSection(title="Infantry", lines=())
    families = {CATALOGUE.weapons[slug].family for slug in aboard.weapons}
    kills = []
    for family, table in CATALOGUE.infantry_kills.items():
        if family not in families:
            continue
        if table.is_total:
            text = "the total of their dice, not below 0"
        elif table.one_from is None:
            text = "none"
        else:
            text = f"1 on {or_more(table.one_from)}" + (f", 2 on {or_more(table.two_from)}" if table.two_from else "")
        kills.append(ReferenceLine(name=f"Kills by {table.name}", text=text, rule="MM-064"))
    return ReferenceSection(title="Infantry", lines=(*_rules(INFANTRY), *kills))
