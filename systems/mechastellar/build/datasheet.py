"""The datasheet and the pocket card of a unit: plain frozen data for page, print and text."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Annotated

import pydantic

from systems.documents import Document, object_of, parse_document
from systems.text import MINUS
from systems.text import format_decimal
from systems.text import format_signed
from systems.mechastellar.catalogue import CATALOGUE
from systems.mechastellar.catalogue.types import (
    FINISHING_DAMAGE,
    HP_BOX,
    SAVE_DAMAGE,
    SUCCESS,
    Bonus,
    Resource,
    Skill,
    Weapon,
)
from systems.mechastellar.options import BY_THE_BOOK, Options
from systems.roster import PilotCard, ServiceCard

from systems.mechastellar.build.datasheet_lines import Pool
from systems.mechastellar.build.datasheet_lines import mean
from systems.mechastellar.build.datasheet_lines import save_fails
from .drawing import machine_svg
from systems.mechastellar.options import bonuses_of
from systems.mechastellar.options import resources_of
from systems.mechastellar.options import skills_of
from systems.mechastellar.build.spec import crippled_points
from systems.mechastellar.build.spec import profile_points
from systems.mechastellar.build.spec import victory_points
from .spec import UnitSpec, half_inches_to_inches, mode_figures, profile_spec
from .words import ATTRIBUTION

NONE = "–"
FOCUS = 3  # ST-263
MAX_DRAWN = 30_000  # most HP drawn as boxes; a profile with more has a problem
PRINTED: Mapping[UnitSpec, tuple[str, ...]] = {
    profile_spec(each).at_level(0): each.printed for each in CATALOGUE.profiles.values()
}


class Condition(Document):
    """The condition of a unit before a battle; by default nothing is wrong. ST-401."""

    hits: Annotated[int, pydantic.Field(ge=0, le=100_000)] | None = None  # HP left; None: all
    unfit: bool = False  # less than half of its HP: it stays at home. ST-406


@dataclass(frozen=True, slots=True, kw_only=True)
class WeaponLine:
    """A weapon on the sheet, with numbers calculated from its figures."""

    slug: str
    name: str
    is_melee: bool
    dice: int
    hits: int
    range_in: int
    rf_in: int
    rf_change: str  # "+1 die"; empty: no Rapid Fire
    dmg: int
    pen: str  # "6S"; empty: none
    finisher: int
    tags: str
    mean_hits: Fraction
    mean_hits_rf: Fraction | None
    mean_hits_focus: Fraction
    save_fails: Fraction | None
    per_hit: Fraction  # mean damage of each of the first five unblocked Hits
    finishing: int

    @property
    def type(self) -> str:
        return "melee" if self.is_melee else "shooting"

    @property
    def pool(self) -> str:
        """Dice and bonus Hits: `5d10 +5`."""
        return f"{self.dice}d10 {format_signed(self.hits)}" if self.hits else f"{self.dice}d10"

    @property
    def reach(self) -> str:
        """Range and Rapid Fire: `24" | 16" (+1 die)`."""
        if self.is_melee:
            return NONE
        return f'{self.range_in}" | {self.rf_in}" ({self.rf_change})' if self.rf_in else f'{self.range_in}"'

    @property
    def mean_told(self) -> str:
        told = format_decimal(self.mean_hits, 1)
        return f"{told} | {format_decimal(self.mean_hits_rf, 1)}" if self.mean_hits_rf is not None else told

    @property
    def focus_label(self) -> str:
        return format_decimal(self.mean_hits_focus, 1)

    @property
    def per_hit_label(self) -> str:
        return f"{float(self.per_hit):.0f}"

    @property
    def fails_label(self) -> str:
        return NONE if self.save_fails is None else f"{float(100 * self.save_fails):.0f}%"

    @property
    def pen_label(self) -> str:
        return self.pen or NONE

    @property
    def finisher_label(self) -> str:
        return f"FINISHER+{self.finisher}" if self.finisher > 1 else ""

    @property
    def notes(self) -> str:
        """The tags, after FINISHER."""
        return " ".join(each for each in (self.finisher_label, self.tags) if each)


@dataclass(frozen=True, slots=True, kw_only=True)
class Defence:
    """One of the two defence pools against attacks."""

    name: str
    dice: int
    flat: int
    success: int
    rerolls_ones: bool
    mean: Fraction  # including the larger of Shield and Barrier

    @property
    def drawn(self) -> int:
        """The dice that are thrown."""
        return drawn_dice(self.dice)

    @property
    def pool(self) -> str:
        told = f"{self.dice}d10 {format_signed(self.flat)}" if self.flat else f"{self.dice}d10"
        return told if self.success == SUCCESS else f"{told} ({self.success}+)"

    @property
    def mean_told(self) -> str:
        return format_decimal(self.mean, 1)


@dataclass(frozen=True, slots=True, kw_only=True)
class Datasheet:
    # identity
    name: str
    design_name: str
    company: str
    kind_slug: str
    kind_name: str
    role: str
    points: int
    crew: str
    crew_name: str
    level: int
    pilot: PilotCard | None
    service: ServiceCard | None
    # frame
    frame_level: int
    performance: int
    size_number: int
    move: str
    sensors_in: int
    hits: int  # HP
    hits_left: int
    is_unfit: bool
    morale: int
    # defence
    evade: Defence
    melee: Defence
    shield: int
    barrier: int
    # resources
    boost: int
    power: int
    havoc: int
    catapult: int
    repair_hp: int
    resources: tuple[Resource, ...]
    # weapons and abilities
    weapons: tuple[WeaponLine, ...]
    skills: tuple[Skill, ...]
    bonuses: tuple[Bonus, ...]
    orders: tuple[str, ...]  # names
    traits: tuple[str, ...]  # slugs
    mode_b: tuple[tuple[str, str], ...]  # label and value; empty: none
    aboard: bool
    # derived
    engages_in: int
    reach: tuple[str, str]  # inches of two Moves, and of three
    vp: int
    vp_crippled: int
    momentum: int  # deduction from the pool at the start
    tier: str
    printed: tuple[str, ...]  # figures of a sample profile taken from the source
    attribution: str = ATTRIBUTION

    @property
    def size(self) -> str:
        """The slug of its silhouette: tanks and ships have their own, all others one for their Size."""
        if self.kind_slug in ("super-heavy", "warship"):
            return {"super-heavy": "tank", "warship": "warship"}[self.kind_slug]
        return f"size-{min(5, max(0, self.size_number))}"

    @property
    def size_name(self) -> str:
        return f"{self.kind_name}, Size {self.size_number}"

    @property
    def armor(self) -> None:
        """Always None; no unit has armor."""
        return None

    @property
    def kind(self) -> str:
        return f"{self.kind_name}, {self.role}"

    @property
    def boxes(self) -> int:
        """The number of boxes, one for each 500 HP."""
        return -(-min(self.hits, MAX_DRAWN) // HP_BOX)

    @property
    def boxes_left(self) -> int:
        return -(-min(self.hits_left, MAX_DRAWN) // HP_BOX)

    @property
    def crippled_below(self) -> int:
        """The HP below which it scores as crippled. ST-376."""
        return self.hits // 2

    @property
    def trait_names(self) -> str:
        return ", ".join(CATALOGUE.traits[slug].name for slug in self.traits)

    @property
    def flown_by(self) -> str:
        """Pilot or crew with the level, in words."""
        return f"{self.pilot.full_name}, {self.crew_name}" if self.pilot else self.crew_name

    @property
    def defences(self) -> tuple[Defence, Defence]:
        return self.evade, self.melee

    @property
    def describe_guard(self) -> str:
        """The part of the average DEF that isn't from the pool, in words."""
        guards = (("Shield", self.shield), ("Barrier", self.barrier))
        return max(guards, key=lambda each: each[1])[0] if self.shield or self.barrier else "no Shield"

    @property
    def held(self) -> tuple[tuple[str, int], ...]:
        """Those of Boost, Power and Havoc that it has."""
        every = (("Boost", self.boost), ("Power", self.power), ("Havoc", self.havoc))
        return tuple((name, count) for name, count in every if count)

    @property
    def bonus_names(self) -> str:
        return ", ".join(bonus.name for bonus in self.bonuses)

    @property
    def origin(self) -> str:
        """Which figures are from the source, and which are additions, in words."""
        return (
            f"{', '.join(self.printed)} as the source has them, all others and the points ours"
            if self.printed
            else "ours"
        )

    @property
    def skills_label(self) -> str:
        return ", ".join(describe_skill(skill, self.level) for skill in self.skills)

    @property
    def columns(self) -> tuple[tuple[str, str], ...]:
        """Return the columns of a table of designs."""
        return (
            ("Move", f'{self.move}"'),
            ("Evade", self.evade.pool),
            ("Melee", self.melee.pool),
            ("VP", str(self.vp)),
        )

    @property
    def state(self) -> tuple[tuple[str, str], ...]:
        """Return the unit's problems besides lost HP."""
        return (("Unfit", f"stays at home below {-(-self.hits // 2)} HP"),) if self.is_unfit else ()

    @property
    def drawing(self) -> str:
        """The unit from above with its engagement range, as an SVG element for the screen."""
        return machine_svg(self.kind_slug, self.size_number, self.sensors_in, [w.range_in for w in self.weapons])

    @property
    def card(self) -> str:
        """The pocket card as text, one line for each of its lines."""
        return card_text(self)


def describe_skill(skill: Skill, level: int) -> str:
    """Describe a skill in brief: `Focus [M−1]`, `Zeal [M−1..3]`, with the addition of level 2."""
    spent = f"{MINUS}1..3" if skill.slug == "zeal" else f"{MINUS}{skill.momentum}"
    ace = skill.ace.partition(":")[0] if level >= 2 and skill.ace else ""
    return f"{skill.name} [M{spent}]{f' ({ace})' if ace else ''}"


def parse_condition(data: object, path: str = "condition") -> Condition:
    """Return the condition of a unit; raises DocumentError."""
    return parse_document(Condition, object_of(data, path), path)


def unit_datasheet(
    spec: UnitSpec,
    *,
    name: str,
    design_name: str,
    company: str = "",
    pilot: PilotCard | None = None,
    condition: Condition | None = None,
    service: ServiceCard | None = None,
    options: Options = BY_THE_BOOK,
) -> Datasheet:
    """Return all the data of the sheet and the card; `spec` has the level it is flown at, and may have problems."""
    kind, crew = spec.unit_kind, spec.crewed_by
    return Datasheet(
        name=name,
        design_name=design_name,
        company=company,
        kind_slug=spec.kind,
        kind_name=kind.name,
        role=spec.role,
        points=profile_points(spec),
        crew=spec.crew,
        crew_name=crew.name if crew else f"{spec.crew.capitalize()} level {spec.level}",
        level=spec.level,
        pilot=pilot,
        service=service,
        frame_level=spec.frame_level,
        performance=spec.performance,
        size_number=spec.size,
        move=str(half_inches_to_inches(spec.move_half)),
        sensors_in=spec.sensors_in,
        hits=spec.hp,
        hits_left=spec.hp if condition is None or condition.hits is None else min(spec.hp, condition.hits),
        is_unfit=condition is not None and condition.unfit,
        morale=spec.morale,
        evade=make_defence(spec, "Evade"),
        melee=make_defence(spec, "Melee"),
        shield=spec.shield,
        barrier=spec.barrier,
        boost=spec.boost,
        power=spec.power,
        havoc=spec.havoc,
        catapult=spec.catapult,
        repair_hp=spec.repair_hp,
        resources=tuple(_resources(spec, options)),
        weapons=tuple(weapon_line(weapon) for weapon in spec.weapons),
        skills=tuple(_skills(spec, options)),
        bonuses=tuple(_bonuses(spec, options)),
        orders=tuple(CATALOGUE.orders[slug].name for slug in spec.orders_given),
        traits=spec.traits,
        mode_b=tuple(_mode_b(spec)),
        aboard=spec.aboard,
        engages_in=spec.engages_in,
        reach=(str(half_inches_to_inches(2 * spec.move_half)), str(half_inches_to_inches(3 * spec.move_half))),
        vp=victory_points(spec),
        vp_crippled=crippled_points(spec),
        momentum=-crew.momentum if crew else 0,
        tier="advanced" if options.is_advanced else "core",
        printed=PRINTED.get(spec.at_level(0), ()),
    )


def make_defence(spec: UnitSpec, name: str) -> Defence:
    is_evade = name == "Evade"
    dice, flat = (spec.evade_dice, spec.evade_def) if is_evade else (spec.melee_dice, spec.melee_def)
    success = spec.evade_success if is_evade else spec.melee_success
    rerolls = is_evade and spec.has("reroll-evade-1s")
    pool = Pool(dice=drawn_dice(dice), flat=flat + max(spec.shield, spec.barrier), success=success, rerolls_ones=rerolls)
    return Defence(name=name, dice=dice, flat=flat, success=success, rerolls_ones=rerolls, mean=mean(pool))


def drawn_dice(dice: int) -> int:
    """Return the dice that are thrown; a pool has at most ten. ST-112."""
    return max(0, min(10, dice))


def weapon_line(weapon: Weapon) -> WeaponLine:
    far = Pool(dice=drawn_dice(weapon.dice), flat=weapon.hits)
    near = Pool(dice=drawn_dice(weapon.dice + weapon.rf_dice), flat=weapon.hits + weapon.rf_hits)
    focus = Pool(dice=far.dice, flat=weapon.hits, success=FOCUS)
    fails = None if weapon.pen is None else save_fails(weapon.pen)
    hurts = Fraction(0) if fails is None or weapon.pen_tag else SAVE_DAMAGE * fails
    return WeaponLine(
        slug=weapon.slug,
        name=weapon.name,
        is_melee=weapon.is_melee,
        dice=weapon.dice,
        hits=weapon.hits,
        range_in=weapon.range_in,
        rf_in=weapon.rf_in,
        rf_change=_change(weapon) if weapon.rf_in else "",
        dmg=weapon.dmg,
        pen=f"{weapon.pen}{weapon.pen_tag}" if weapon.pen is not None else "",
        finisher=weapon.finisher,
        tags=describe_tags(weapon),
        mean_hits=mean(far),
        mean_hits_rf=mean(near) if weapon.rf_in else None,
        mean_hits_focus=mean(focus),
        save_fails=fails,
        per_hit=weapon.dmg + hurts,
        finishing=FINISHING_DAMAGE * weapon.finisher,
    )


def _change(weapon: Weapon) -> str:
    dice = f"{format_signed(weapon.rf_dice)} {'die' if abs(weapon.rf_dice) == 1 else 'dice'}" if weapon.rf_dice else ""
    hits = f"{format_signed(weapon.rf_hits)} {'Hit' if abs(weapon.rf_hits) == 1 else 'Hits'}" if weapon.rf_hits else ""
    return ", ".join(each for each in (dice, hits) if each) or "no change"


def describe_tags(weapon: Weapon) -> str:
    """Return the tags of a weapon as printed: `[E] [AA] Support DEF 8"`."""
    return " ".join(describe_tag(each) for each in weapon.tags)


def describe_tag(tag: str) -> str:
    """Return one tag as printed."""
    slug, _, number = tag.partition(":")
    entry = CATALOGUE.tags[slug]
    if not entry.takes_number:
        return entry.name
    return f"{number} {entry.name}" if slug == "multi" else f'{entry.name} {number}"'


def _resources(spec: UnitSpec, options: Options) -> Iterator[Resource]:
    """Yield the purchases of its Boost, Power and Havoc under these house rules."""
    return (each for each in resources_of(options) if getattr(spec, each.stat))


def _skills(spec: UnitSpec, options: Options) -> Iterator[Skill]:
    """Yield the skills that this kind may use at this level. ST-260 to ST-267."""
    for skill in skills_of(options):
        if skill.slug not in spec.unit_kind.barred and (skill.level == 0 or spec.is_elite):
            yield skill


def _bonuses(spec: UnitSpec, options: Options) -> Iterator[Bonus]:
    """Yield the bonuses of this kind at this level. ST-160 to ST-167."""
    for bonus in bonuses_of(options):
        if spec.is_elite and bonus.slug not in spec.unit_kind.barred and spec.kind in (bonus.kinds or (spec.kind,)):
            yield bonus


def _mode_b(spec: UnitSpec) -> Iterator[tuple[str, str]]:
    """Yield the figures of the other mode. ST-087."""
    if spec.alt_mode is None:
        return
    figures = mode_figures(spec.alt_mode)
    other = spec.in_mode_b
    if "move_half" in figures:
        yield "Move", f'{half_inches_to_inches(other.move_half)}"'
    if "sensors_in" in figures:
        yield "Sensors", f'{other.sensors_in}"'
    for name in ("evade", "melee"):
        if any(figure.startswith(name) for figure in figures):
            yield name.capitalize(), make_defence(other, name.capitalize()).pool


def card_text(sheet: Datasheet) -> str:
    """Return the pocket card in the form of the rules' filled-in example."""
    near, far = sheet.reach
    guards = [f"{name} +{value}" for name, value in (("SHIELD", sheet.shield), ("BARRIER", sheet.barrier)) if value]
    lines = [
        f"{sheet.name.upper()}  {sheet.kind}  {sheet.points} pts (ours)  {sheet.flown_by}",
        f'FRAME {sheet.frame_level}  PERF {sheet.performance}  SIZE {sheet.size_number} (engages {sheet.engages_in}")  '
        f'MOVE {sheet.move}" ({near}" / {far}")  SENSORS {sheet.sensors_in}"  MORALE {sheet.morale}+',
        f"HP {sheet.hits}  {'[ ]' * sheet.boxes}  crippled below {sheet.crippled_below}",
        "  ".join(
            [
                f"EVADE {sheet.evade.pool}",
                *guards,
                f"mean DEF vs Shooting {sheet.evade.mean_told}",
                f"MELEE {sheet.melee.pool}",
                f"mean DEF vs Melee {sheet.melee.mean_told}",
            ]
        ),
        *(_line_text(line) for line in sheet.weapons),
    ]
    held = [f"{name.upper()} {'[ ]' * count}" for name, count in sheet.held]
    if held:
        lines.append("  ".join(held))
    if sheet.catapult or sheet.repair_hp:
        lines.append(f"CATAPULT {sheet.catapult}  REPAIR {sheet.repair_hp} HP")
    if sheet.mode_b:
        lines.append("MODE B  " + "  ".join(f"{label} {value}" for label, value in sheet.mode_b))
    worth = f"Worth {sheet.vp} VP destroyed, {sheet.vp_crippled} VP crippled (Commander: + Round)"
    lines.append(f"Skills: {sheet.skills_label}  {worth}")
    lines.append(sheet.attribution)
    return "\n".join(lines)


def _line_text(line: WeaponLine) -> str:
    parts = [line.name, line.type, line.pool, "" if line.is_melee else line.reach]
    parts += [f"DMG {line.dmg}", f"PEN {line.pen}" if line.pen else "–", line.notes]
    parts += [f"mean Hits {line.mean_told}"]
    if line.save_fails is not None:
        parts.append(f"save fails {line.fails_label}")
    return "  ".join(part for part in parts if part)


def describe_condition(data: Mapping[str, object]) -> str:
    """Describe a unit's damage and losses in a few words."""
    left = parse_condition(data).hits
    return "" if left is None else f"down to {left} HP"
