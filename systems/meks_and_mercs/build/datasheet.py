"""A Mek's datasheet and pocket card: plain frozen facts for pages, prints and texts.

All numbers are for the Mek in its present condition, with its pilot. Lost weapons and systems are left out; movement,
heat limit and to-hit numbers include leg damage, the pilot's level and permanent skills. Everything included is
labelled as such.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product

from systems.meks_and_mercs.build.datasheet_lines import (
    INCLUDED,
    REFERENCE_ARMOR,
    Condition,
    CriticalLine,
    Datasheet,
    PilotLine,
    PocketCard,
    SaveLine,
    SkillLine,
    SupportCard,
    SystemLine,
    Track,
    Usage,
    Volley,
    WeaponLine,
)
from systems.meks_and_mercs.build.lab import (
    ARRAY,
    array_to_hit,
    best_volley,
    critical_chance,
    expected_hits,
    hit_chance,
    mean_infantry_kills,
    movement_span,
    save_chance,
    save_number,
)
from systems.meks_and_mercs.build.spec import (
    PilotEffect,
    known_skills,
    mek_bill,
    mek_points,
    pilot_effect,
    published_as,
)
from systems.meks_and_mercs.catalogue import CATALOGUE, Family, Skill, System, Weapon, movement_text
from systems.meks_and_mercs.options import BY_THE_BOOK, Options
from systems.roster import PilotCard

from .legality import mounts_used, slots_used
from .spec import MekSpec

AIM_SKILLS: Mapping[str, Family] = {"accuracy": "cannon", "guidance": "missile", "steady-hand": "laser"}  # MM-066
INFANTRY_KILLS_TO_REMOVE = 6


@dataclass(frozen=True, slots=True)
class _PresentMek:
    """A Mek in its present condition, with its pilot: its working parts and their totals."""

    spec: MekSpec
    condition: Condition
    effect: PilotEffect

    @property
    def armed(self) -> list[Weapon]:
        lost = self.condition.weapons_lost
        return [weapon for slot, weapon in enumerate(self.spec.armament) if slot not in lost]

    @property
    def working(self) -> list[System]:
        lost = self.condition.systems_lost
        return [system for slot, system in enumerate(self.spec.fittings) if slot not in lost]

    @property
    def hits_left(self) -> int:
        return self.spec.frame.hits if self.condition.hits is None else self.condition.hits

    @property
    def heat_rating(self) -> int:
        return self.spec.frame.heat_rating + sum(system.heat_rating for system in self.working)

    @property
    def heat_limit(self) -> int:
        return self.heat_rating + self.effect.heat_rating

    @property
    def heat_all(self) -> int:
        """Heat from firing all working weapons at once."""
        return sum(weapon.heat for weapon in self.armed)

    @property
    def jump_heat(self) -> int:
        return max((system.jump_heat for system in self.working), default=0)

    @property
    def jump_dice(self) -> int:
        return max((system.jump_dice for system in self.working), default=0)

    @property
    def movement_modifier(self) -> int:
        return self.effect.movement + sum(system.movement_bonus for system in self.working) - self.condition.legs


def mek_datasheet(
    spec: MekSpec,
    *,
    name: str,
    design_name: str,
    company: str,
    pilot: PilotCard | None,
    condition: Condition,
    options: Options,
) -> Datasheet:
    """Return everything on sheet and card. A Mek without a pilot has a Regular's numbers."""
    frame, natural = spec.frame, options.natural_rolls
    points, published = mek_points(spec, options), published_as(spec)
    misprinted = published if published and published.printed_points != points else None
    mek = _PresentMek(
        spec, condition, pilot_effect(pilot.experience, pilot.skills, frame.slug) if pilot else PilotEffect()
    )
    movement = frame.movement_bonus + mek.movement_modifier
    span = movement_span(frame.movement_dice, movement)
    array = [system.name for system in mek.working if system.slug == ARRAY]
    skills = known_skills(pilot.skills) if pilot else ()
    aiming = [skill for skill in skills if AIM_SKILLS.get(skill.skill) in {weapon.family for weapon in mek.armed}]
    weapons = _weapon_lines(spec, condition, mek.effect.to_hit, natural, array_to_hit(mek.working), aiming)
    mounts = mounts_used(spec, options)
    pilot_line = _pilot_line(pilot, frame.slug)
    return Datasheet(
        name=name,
        design_name=design_name,
        design=published.slug if published else "",
        size=frame.slug,
        size_name=frame.name,
        company=company,
        points=points,
        printed_points=misprinted.printed_points if misprinted else None,
        notes=(misprinted.note,) if misprinted else (),
        house_rules=_house_rules(spec, options),
        hits=frame.hits,
        hits_left=mek.hits_left,
        armor=frame.armor,
        heat_rating=mek.heat_rating,
        heat_limit=mek.heat_limit,
        movement=frame.movement,
        massive_mounts=Usage(mounts["massive"], frame.massive_mounts),
        huge_mounts=Usage(mounts["huge"], frame.huge_mounts),
        small_mounts=Usage(mounts["small"], frame.small_mounts),
        slots=Usage(slots_used(spec), frame.system_slots),
        weapons=weapons,
        systems=_system_lines(spec, condition),
        sensor=CATALOGUE.sensors[_best_sensor([system.sensor for system in mek.working if system.sensor])],
        pilot=pilot_line,
        track=_track(condition),
        heat_all=mek.heat_all,
        heat_all_with_jets=mek.heat_all + mek.jump_heat if mek.jump_heat else None,
        is_overheating=mek.heat_all > mek.heat_limit,
        save_chance=save_chance(frame.armor),
        saves=tuple(_saves(mek)),
        criticals=_criticals(frame.hits),
        movement_dice=frame.movement_dice,
        movement_bonus=movement,
        movement_modifier=mek.movement_modifier,
        jump_dice=mek.jump_dice,
        jump_heat=mek.jump_heat,
        movement_min=span[0],
        movement_mean=span[1],
        movement_max=span[2],
        volleys=(
            best_volley_at(weapons, 0, mek.heat_limit),
            best_volley_at(weapons, 1, mek.heat_limit),
            best_volley_at(weapons, 2, mek.heat_limit),
        ),
        aids=(*array, *(skill.name for skill in aiming)) if mek.armed else (),
        infantry_kills=sum((mean_infantry_kills(weapon) for weapon in mek.armed), Fraction(0)),
        card=_pocket_card(mek, name, points, pilot_line),
    )


def _track(condition: Condition) -> Track:
    return Track(
        legs=condition.legs,
        wounded=condition.wounded,
        computers=condition.computers,
        carried_heat=condition.carried_heat,
        dug_in=condition.dug_in,
        damage_control_used=condition.damage_control_used,
    )


def best_volley_at(weapons: Sequence[WeaponLine], band: int, limit: int) -> Volley:
    """Return the weapons to fire at one target at a band within the heat limit. MM-044, MM-066, MM-A24, MM-A25.

    Each skill is used on the attack that gains most from it.
    """
    working = [line for line in weapons if not line.is_lost]
    families: dict[Family, list[int]] = {}
    for at, line in enumerate(working):
        if line.aimed[band] > line.expected[band]:
            families.setdefault(line.family, []).append(at)
    found = []
    for aimed in product(*families.values()):
        worth = [line.aimed[band] if at in aimed else line.expected[band] for at, line in enumerate(working)]
        chosen = best_volley([(each, line.heat) for each, line in zip(worth, working, strict=True)], limit)
        volley = Volley(
            slots=tuple(working[at].slot for at in chosen),
            heat=sum(working[at].heat for at in chosen),
            hits=sum((worth[at] for at in chosen), Fraction(0)),
        )
        found.append(volley)
    return min(found, key=lambda volley: (-volley.hits, volley.heat, volley.slots))


def _saves(mek: _PresentMek) -> Iterator[SaveLine]:
    """Yield the save against each family, then against weapons that weaken saves. MM-051, MM-052."""
    weakening = {(weapon.family, weapon.save_penalty) for weapon in mek.spec.catalogue.weapons.values()}
    families: tuple[Family, ...] = ("cannon", "laser", "missile")
    plain = [(family, 0) for family in families]
    for family, penalty in (*plain, *sorted(weakening - {*plain, ("small", 0)})):
        armor = mek.spec.frame.armor
        yield SaveLine(
            family=family,
            penalty=penalty,
            number=save_number(armor, family, mek.working, penalty),
            rerolls=any(system.rerolls_save_against == family for system in mek.working),
            chance=save_chance(armor, family, mek.working, penalty),
        )


def _criticals(hits: int) -> tuple[CriticalLine, ...]:
    return tuple(
        CriticalLine(hits_left=left, face=left + 1, chance=critical_chance(left)) for left in range(hits - 1, 0, -1)
    )


def _pocket_card(mek: _PresentMek, name: str, points: int, pilot: PilotLine | None) -> PocketCard:
    frame = mek.spec.frame
    return PocketCard(
        name=name,
        size=frame.name,
        points=points,
        hits=frame.hits,
        hits_left=mek.hits_left,
        armor=frame.armor,
        heat_boxes=mek.heat_limit,
        movement=movement_text(frame.movement_dice, frame.movement_bonus + mek.movement_modifier),
        weapons=_grouped([weapon_brief(weapon, mek.effect.to_hit) for weapon in mek.armed]),
        systems=_grouped([system.name for system in mek.working]),
        pilot=f"{pilot.name}, {pilot.level_name}" if pilot else "",
        skills=tuple(skill.name for skill in pilot.skills) if pilot else (),
        criticals=tuple(CATALOGUE.criticals.values()),
        terrain=tuple(CATALOGUE.terrain.values()),
        pilot_track=("wounded", "leg damage", "computers", "damage control used"),
    )


def support_card(slug: str, company: str = "") -> SupportCard:
    """Return the card of a support unit or infantry strongpoint; `company` is its company or side."""
    unit = CATALOGUE.support_units[slug]
    is_infantry = slug == "infantry"
    notes = [unit.special] if unit.special else []
    if is_infantry:
        notes.append("morale: breaks on a die not over its kills")
    if slug == "commandos":  # MM-090
        notes += [
            "one zone a turn, unseen",
            "a round: identify one enemy unit, or friends +1 to hit one Mek or vehicle",
        ]
    return SupportCard(
        slug=unit.slug,
        name=unit.name,
        company=company,
        hits=unit.hits or 0,
        armor=unit.armor,
        kill_boxes=INFANTRY_KILLS_TO_REMOVE if is_infantry else 0,
        movement=movement_text(unit.movement_dice, unit.movement_bonus) if unit.movement_dice else "",
        weapons=_grouped([weapon_brief(CATALOGUE.weapons[weapon]) for weapon in unit.weapons]),
        systems=tuple(CATALOGUE.systems[system].name for system in unit.systems),
        notes=tuple(notes),
    )


def weapon_brief(weapon: Weapon, to_hit: int = 0) -> str:
    """Describe a weapon for a card, with the pilot's to-hit modifier: `Rail-Cannon 4/5/- h1`, `CIWS 1d6 kills h0`."""
    if weapon.kills:
        return f"{weapon.name} {weapon.kills}d6 kills h{weapon.heat}"
    dice = f" x{weapon.dice}" if weapon.dice > 1 else ""
    numbers = "/".join("-" if number is None else str(number - to_hit) for number in weapon.numbers)
    return f"{weapon.name}{dice} {numbers} h{weapon.heat}"


def _weapon_lines(
    spec: MekSpec, condition: Condition, to_hit: int, natural: bool, array: int, aiming: Sequence[Skill]
) -> tuple[WeaponLine, ...]:
    """Return the lines for all weapons.

    `array` is a targeting array's modifier against the primary target; `aiming` are skills for one attack each.
    """
    aimed = {AIM_SKILLS[skill.skill] for skill in aiming}

    def expected(weapon: Weapon, more: int) -> tuple[Fraction, Fraction, Fraction]:
        short, medium, long = (
            expected_hits(weapon, band, to_hit + array + more, REFERENCE_ARMOR, natural) for band in range(3)
        )
        return short, medium, long

    return tuple(
        WeaponLine(
            slot=slot,
            slug=weapon.slug,
            name=weapon.name,
            family=weapon.family,
            numbers=_numbers_with_pilot(weapon, to_hit),
            reach=weapon.reach,
            dice=weapon.dice,
            heat=weapon.heat,
            kills=f"{weapon.kills}d6" if weapon.kills else "",
            special=weapon.special,
            hit_chances=(
                hit_chance(weapon, 0, to_hit, natural),
                hit_chance(weapon, 1, to_hit, natural),
                hit_chance(weapon, 2, to_hit, natural),
            ),
            expected=expected(weapon, 0),
            aimed=expected(weapon, int(weapon.family in aimed)),
            is_lost=slot in condition.weapons_lost,
        )
        for slot, weapon in enumerate(spec.armament)
    )


def _numbers_with_pilot(weapon: Weapon, to_hit: int) -> tuple[int | None, int | None, int | None]:
    """Return the die numbers needed in the open, at Short, Medium and Long. MM-044."""
    short, medium, long = (None if number is None else number - to_hit for number in weapon.numbers)
    return short, medium, long


def _system_lines(spec: MekSpec, condition: Condition) -> tuple[SystemLine, ...]:
    return tuple(
        SystemLine(
            slot=slot,
            slug=system.slug,
            name=system.name,
            slots=system.slots,
            effect=f"{system.effect} {INCLUDED.capitalize()}." if is_included else system.effect,
            brief=f"{system.brief}, {INCLUDED}" if is_included else system.brief,
            can_be_lost=not system.is_armor,
            is_lost=slot in condition.systems_lost,
        )
        for slot, system in enumerate(spec.fittings)
        for is_included in (_is_included(system, is_lost=slot in condition.systems_lost),)
    )


def _is_included(system: System, *, is_lost: bool) -> bool:
    """Return whether movement or heat limit already includes the system."""
    return bool(system.movement_bonus or system.heat_rating) and not is_lost


def _pilot_line(pilot: PilotCard | None, chassis: str) -> PilotLine | None:
    if pilot is None:
        return None
    level = CATALOGUE.levels[pilot.experience]
    return PilotLine(
        name=pilot.full_name,
        level=level.slug,
        level_name=level.name,
        movement=level.movement,
        to_hit=level.to_hit,
        kills=pilot.kills,
        games=pilot.games,
        skills=tuple(
            SkillLine(
                slug=skill.slug,
                name=skill.name,
                effect=f"{skill.effect} {INCLUDED.capitalize()}." if _includes_skill(skill, chassis) else skill.effect,
                brief=f"{skill.brief}, {INCLUDED}" if _includes_skill(skill, chassis) else skill.brief,
            )
            for skill in known_skills(pilot.skills)
        ),
    )


def _includes_skill(skill: Skill, chassis: str) -> bool:
    """Return whether the numbers of a Mek of that size already include the skill. MM-028, MM-058."""
    return bool(skill.movement_bonus or skill.heat_rating) and skill.chassis in (None, chassis)


def _best_sensor(classes: list[str]) -> str:
    """Return the best sensor class aboard; every Mek has Basic. MM-035."""
    return max(["basic", *classes], key=list(CATALOGUE.sensors).index)


def _house_rules(spec: MekSpec, options: Options) -> tuple[str, ...]:
    if mek_bill(spec, options) == mek_bill(spec, BY_THE_BOOK):
        return ()
    published = published_as(spec)
    slug = published.printed_points_option if published else None
    return (CATALOGUE.options[slug].name,) if slug else ()


def _grouped(briefs: list[str]) -> tuple[str, ...]:
    return tuple(brief if count == 1 else f"{count} × {brief}" for brief, count in Counter(briefs).items())
