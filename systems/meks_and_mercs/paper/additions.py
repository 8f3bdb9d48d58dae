"""Extra blocks for a Mek's card, and short rule texts for cards and the quick reference."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from systems.meks_and_mercs.build.datasheet import best_volley_at
from systems.meks_and_mercs.build.datasheet_lines import Datasheet
from systems.meks_and_mercs.catalogue import BANDS, CATALOGUE, movement_text
from systems.paper.blocks import NO_BOXES, Addition, Cell, Entries, Entry, Row, Table, or_more, percent
from systems.text import MINUS, format_decimal, format_signed

WEAPON_RULES = {
    "vulcan-cannon": "MM-049",
    "howitzer-cannon": "MM-045",
    "twin-laser": "MM-048",
    "ppc": "MM-055",
    "swarm-missile": "MM-049",
    "hammer-missile": "MM-051",
    "six-pack-missile": "MM-048",
    "ciws": "MM-050",
    "grenade-launcher": "MM-045",
    "minigun": "MM-050",
}
PLAIN_WEAPON_RULE = "MM-043"
SYSTEM_RULES = {
    "targeting-array": "MM-044",
    "data-link": "MM-040",
    "jammer": "MM-044",
    "director": "MM-041",
    "point-defense": "MM-046",
    "phalanx": "MM-047",
    "servo-boosters": "MM-028",
    "spaul-liner": "MM-055",
    "jump-jets": "MM-029",
    "reactive-armor": "MM-052",
    "bpc-armor": "MM-052",
    "space-lam-armor": "MM-051",
    "sensor-improved": "MM-037",
    "sensor-advanced": "MM-037",
    "masking": "MM-036",
    "heat-sink": "MM-058",
}
SKILL_RULES = {
    "accuracy": "MM-066",
    "guidance": "MM-066",
    "steady-hand": "MM-066",
    "agility": "MM-067",
    "maneuver": "MM-028",
    "tactics": "MM-016",
    "chassis-familiarity": "MM-058",
    "pinpoint-attack": "MM-068",
    "gunnery": "MM-069",
    "damage-control": "MM-070",
    "ice-man": "MM-071",
    "spoof": "MM-072",
    "quick-draw": "MM-073",
    "sharpshooter": "MM-055",
    "hawkeye": "MM-074",
    "log-hero": "MM-075",
}
SUPPORT_TABLES = {"A": "1–2", "B": "3–4", "C": "5–6"}  # faces of the first die. MM-014
SUPPORT_WEAPONS = {
    "support-fire": "howitzer-cannon",
    "air-strike": "missile",
}  # MM-079, MM-080: fired from off the board


MISSILE_DEFENSES = {"point-defense": (0, -1, -1), "phalanx": (-1, -1, -2)}  # per band. MM-046, MM-047
JAMMED = -1  # MM-044
SPOOFED = -1  # MM-072
HAMMER = "hammer-missile"
VOLLEY = "Best volley, save 4+"
ANY_WEAPON, MISSILES, FIRST_MISSILE = "any weapon", "missiles", "first missile of a round, besides"
LEGS = 3  # boxes of leg damage, one column each
BAND_CELL_MM, LEG_CELL_MM, SAVE_CELL_MM, VOLLEY_CELL_MM = 7.0, 9.2, 9.2, 7.4

PerBand = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class EnemyLine:
    """The modifiers to an enemy's to-hit dice at Short, Medium and Long for one kind of attack, with the rules."""

    name: str
    bands: PerBand
    rules: str


def additions(sheet: Datasheet) -> tuple[Addition, ...]:
    """Return the extra blocks, the most useful first."""
    enemies = enemies_table(sheet)
    # A cell on the front has the rest.
    first = [Addition(block=enemies, brief=_hammers_brief(sheet))] if enemies else []
    return (
        *first,
        Addition(block=moves_table(sheet), brief=_moves_brief(sheet)),
        Addition(block=saves_table(sheet), brief=_saves_brief(sheet)),
        Addition(block=volley_table(sheet), brief=_volleys_brief(sheet)),
        Addition(block=fired_at_entries(sheet), brief=_fired_at_brief(sheet)),
    )


# --- enemies' modifiers -----------------------------------------------------------------------------------------------


def enemy_lines(sheet: Datasheet) -> tuple[EnemyLine, ...]:
    """Return the modifiers from working systems and the pilot; empty if nothing modifies an enemy's dice."""
    return tuple(_enemy_lines(sheet))


def _enemy_lines(sheet: Datasheet) -> Iterator[EnemyLine]:
    working = {line.slug for line in sheet.systems if not line.is_lost}
    jammed = JAMMED if "jammer" in working else 0
    rules = [SYSTEM_RULES["jammer"]] if jammed else []
    if jammed:
        yield EnemyLine(ANY_WEAPON, (jammed,) * 3, rules[0])
    defenses = {slug: bands for slug, bands in MISSILE_DEFENSES.items() if slug in working}
    rules += [SYSTEM_RULES[slug] for slug in defenses]
    missiles = _worst_defense(jammed, *defenses.values())
    if defenses:
        yield EnemyLine(MISSILES, missiles, ", ".join(rules))
    if "point-defense" in defenses:
        penalty = CATALOGUE.weapons[HAMMER].point_defense_penalty
        own = tuple(part and -penalty for part in defenses["point-defense"])
        hammer = _worst_defense(jammed, *{**defenses, "point-defense": own}.values())
        if hammer != missiles:
            yield EnemyLine(CATALOGUE.weapons[HAMMER].name, hammer, ", ".join(rules))
    if sheet.pilot and any(skill.slug == "spoof" for skill in sheet.pilot.skills):
        yield EnemyLine(FIRST_MISSILE, (SPOOFED,) * 3, SKILL_RULES["spoof"])


def _worst_defense(jammed: int, *defenses: PerBand) -> PerBand:
    """Return each band's worst single defense, plus the jammer. MM-047."""
    return tuple(jammed + min(parts, default=0) for parts in (zip(*defenses, strict=True) if defenses else ((),) * 3))


def enemies_cell(sheet: Datasheet) -> Cell | None:
    """Return enemies' modifiers as a cell beside the Mek's own numbers; None if there are none."""
    lines = {line.name: line.bands for line in enemy_lines(sheet)}
    if not lines:
        return None
    parts = []
    if missiles := lines.get(MISSILES):
        parts.append(f"missiles {'/'.join(map(format_signed, missiles))}")
    if FIRST_MISSILE in lines:
        parts.append(f"first {'' if missiles else 'missile '}{format_signed(SPOOFED)} more")
    return Cell(label="ENEMIES TO HIT", value=format_signed(lines.get(ANY_WEAPON, (0,))[0]), note=", ".join(parts))


def enemies_table(sheet: Datasheet) -> Table | None:
    """Return enemies' modifiers by band, with the rules; None if there are none."""
    rows = tuple(
        Row(name=f"{line.name} ({line.rules})", cells=tuple(map(format_signed, line.bands)))
        for line in enemy_lines(sheet)
    )
    return Table(title="Enemies to hit", heads=("S", "M", "L"), rows=rows, cell_mm=BAND_CELL_MM) if rows else None


def _hammers_brief(sheet: Datasheet) -> Entry | None:
    """Return the modifiers for an enemy's Hammers, if they differ from those for other missiles."""
    name = CATALOGUE.weapons[HAMMER].name
    found = [line for line in enemy_lines(sheet) if line.name == name]
    return Entry(name=f"Enemies' {name}s", text="/".join(map(format_signed, found[0].bands))) if found else None


def fired_at_entries(sheet: Datasheet) -> Entries:
    """Return what else matters when the Mek is fired at, with the rules."""
    working = {line.slug for line in sheet.systems if not line.is_lost}
    entries = [
        Entry(name="Dug in", text="terrain counts double, never more (MM-044, MM-086)"),
        Entry(name="More than twice their movement", text="instead of a second band, terrain counts double (MM-031)"),
        Entry(name="Hidden", text="no enemy fires at it until it moves or fires (MM-082)"),
        Entry(name="Infantry at Short", text=f"hits on less than {sheet.armor}, no save (MM-063)"),
    ]
    if "masking" in working:
        reaches = (
            f"{sensor.name} to {sensor.masked_targeting.reach} on {or_more(sensor.masked_targeting.die)}"
            for sensor in CATALOGUE.sensors.values()
        )
        entries.insert(0, Entry(name="Masked", text=f"must be targeted first: {', '.join(reaches)} (MM-036)"))
    if sheet.pilot and any(skill.slug == "agility" for skill in sheet.pilot.skills):
        entries.insert(
            0, Entry(name="Agility", text="movement 8 or more: the first attack that hits is dodged (MM-067)")
        )
    return Entries(title="When it is fired at", entries=tuple(entries))


def _fired_at_brief(sheet: Datasheet) -> Entry:
    parts = [
        "terrain doubles if dug in, or if you rolled more than twice their movement and chose that over a second band",
        f"infantry at Short hits on less than {sheet.armor}, no save",
    ]
    if any(line.slug == "masking" for line in sheet.systems if not line.is_lost):
        reaches = (
            f"{sensor.name} to {sensor.masked_targeting.reach} {or_more(sensor.masked_targeting.die)}"
            for sensor in CATALOGUE.sensors.values()
        )
        parts.insert(0, f"masked: targeted by sensors {', '.join(reaches)}")
    if sheet.pilot and any(skill.slug == "agility" for skill in sheet.pilot.skills):
        parts.insert(0, "movement 8+ dodges the first hit")
    return Entry(name="When fired at", text="; ".join(parts))


# --- the Mek's own numbers --------------------------------------------------------------------------------------------


def _moves(sheet: Datasheet) -> Iterator[tuple[str, int, int]]:
    """Yield terrain name, dice and modifier; then the same with jets."""
    terrain: dict[int, list[str]] = {}
    for zone in CATALOGUE.terrain.values():
        terrain.setdefault(zone.movement, []).append(zone.name)
    for change, names in terrain.items():
        yield ", ".join(names), sheet.movement_dice, change
    if sheet.jump_dice:
        yield f"with jets, {sheet.jump_heat} heat", sheet.movement_dice + sheet.jump_dice, 0


def moves_table(sheet: Datasheet) -> Table:
    """Return the movement roll by terrain and leg damage, including the pilot; jets ignore terrain. MM-028, MM-029."""
    columns = range(max(LEGS, sheet.track.legs) + 1)
    whole = sheet.movement_bonus + sheet.track.legs
    rows = [
        Row(name=name, cells=tuple(movement_text(dice, whole + change - legs) for legs in columns))
        for name, dice, change in _moves(sheet)
    ]
    heads = tuple(f"{legs} legs" if legs > 1 else "1 leg" if legs else "whole" for legs in columns)
    return Table(title="Move", heads=heads, rows=tuple(rows), cell_mm=LEG_CELL_MM)


def _moves_brief(sheet: Datasheet) -> Entry:
    """Return the present movement rolls; each box of leg damage subtracts 1."""
    rolls = (f"{name} {movement_text(dice, sheet.movement_bonus + change)}" for name, dice, change in _moves(sheet))
    further = "further " if sheet.track.legs else ""
    return Entry(name="Move", text=f"{'; '.join(rolls)}; each {further}leg {MINUS}1")


def saves_table(sheet: Datasheet) -> Table:
    """Return the save against each family and its chance. MM-051, MM-052."""
    again = [save.family for save in sheet.saves if save.rerolls and not save.penalty]
    notes = [f"{family}s: re-roll a failed save ({SYSTEM_RULES[_armor(sheet, family)]})" for family in again]
    row = Row(
        name="on the die",
        cells=tuple(or_more(save.number) for save in sheet.saves),
        under=tuple(percent(save.chance) for save in sheet.saves),
        detail="; ".join(notes),
    )
    heads = tuple("Hammer" if save.penalty else save.family for save in sheet.saves)
    return Table(title="Save", heads=heads, rows=(row,), cell_mm=SAVE_CELL_MM)


def _saves_brief(sheet: Datasheet) -> Entry:
    """Return the saves, grouping families with equal ones."""
    names: dict[tuple[str, str, str], list[str]] = {}
    for save in sheet.saves:
        again = " with its re-roll" if save.rerolls else ""
        name = "Hammer" if save.penalty else save.family
        names.setdefault((or_more(save.number), percent(save.chance), again), []).append(name)
    parts = (f"{', '.join(equal)} {number} ({chance}{again})" for (number, chance, again), equal in names.items())
    return Entry(name="Save", text="; ".join(parts))


def _armor(sheet: Datasheet, family: str) -> str:
    """Return the Mek's armor system that re-rolls failed saves against a family."""
    return next(line.slug for line in sheet.systems if CATALOGUE.systems[line.slug].rerolls_save_against == family)


def volley_table(sheet: Datasheet) -> Table:
    """Return the weapons to fire at each band within the heat limit for the most Hits. MM-A24, MM-A25."""
    rows = []
    for at, volley in enumerate(sheet.volleys):
        detail = ""
        if sheet.jump_heat:
            jumping = best_volley_at(sheet.weapons, at, sheet.heat_limit - sheet.jump_heat)
            if jumping.slots != volley.slots:
                detail = f"with jets: {_weapon_names(sheet, jumping.slots)}, heat {jumping.heat}, {_hits(jumping.hits)}"
        rows.append(
            Row(
                lead=BANDS[at][0],
                name=_weapon_names(sheet, volley.slots),
                cells=(str(volley.heat), format_decimal(volley.hits)) if volley.slots else (NO_BOXES, NO_BOXES),
                detail=detail,
            )
        )
    if sheet.aids:
        rows.append(Row(name="", cells=("", ""), detail=with_aids(sheet)))
    return Table(title=VOLLEY, heads=("heat", "Hits"), rows=tuple(rows), cell_mm=VOLLEY_CELL_MM)


def _volleys_brief(sheet: Datasheet) -> Entry:
    """Return the best volleys, grouping bands with equal ones."""
    bands: dict[str, list[str]] = {}
    for at, text in enumerate(_volleys(sheet)):
        bands.setdefault(text, []).append(BANDS[at][0])
    parts = [f"{', '.join(equal)} {text}" for text, equal in bands.items()]
    return Entry(name=VOLLEY, text="; ".join([*parts, *([with_aids(sheet)] if sheet.aids else [])]))


def with_aids(sheet: Datasheet) -> str:
    """Return the system and skills included in the best volleys: "with Targeting Array, Accuracy"."""
    return f"with {', '.join(sheet.aids)}"


def _volleys(sheet: Datasheet) -> Iterator[str]:
    """Yield each band's volley with heat and Hits, and the one with jets if it differs."""
    for row, volley in zip(volley_table(sheet).rows, sheet.volleys, strict=False):
        text = f"{row.name}: {volley.heat} heat, {_hits(volley.hits)}" if volley.slots else row.name
        yield f"{text} ({row.detail})" if row.detail else text


def _hits(hits: Fraction) -> str:
    return f"{format_decimal(hits)} {'Hit' if hits == 1 else 'Hits'}"


def _weapon_names(sheet: Datasheet, slots: tuple[int, ...]) -> str:
    """Return the weapons' names, with a number if there are several equal ones."""
    names = {line.slot: line.name for line in sheet.weapons}
    counts = Counter(names[slot] for slot in slots)
    return (
        ", ".join(f"{count} × {name}" if count > 1 else name for name, count in counts.items()) or "no weapon reaches"
    )
