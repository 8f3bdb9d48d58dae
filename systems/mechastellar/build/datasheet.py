"""A unit's datasheet and pocket card: plain frozen data for pages, prints and texts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Annotated

import pydantic

from systems.documents import Document, object_of, parse_document
from systems.mechastellar.build.datasheet_lines import (
    Defence,
    WeaponLine,
    make_defence,
    weapon_line,
)
from systems.mechastellar.build.spec import crippled_points, profile_points, victory_points
from systems.mechastellar.catalogue import CATALOGUE, HP_BOX, Bonus, Resource, Skill
from systems.mechastellar.options import BY_THE_BOOK, Options, bonuses_of, resources_of, skills_of
from systems.roster import PilotCard, ServiceCard
from systems.text import MINUS

from .drawing import machine_svg
from .spec import UnitSpec, half_inches_to_inches, mode_figures, profile_spec

CREDIT = "Rules: MechaStellar v10 draft, mechastellar.com, CC BY-NC-SA; points ours"  # where there is little room
MARK = ("MechaStellar", "CC BY-NC-SA")  # where there is hardly any room
ATTRIBUTION = (
    "Rules: MechaStellar core combat rules v10 draft, mechastellar.com, CC BY-NC-SA; "
    "profiles and points marked 'ours' are additions"
)

MAX_DRAWN = 30_000  # HP above this aren't drawn as boxes; such a profile has a problem


PRINTED: Mapping[UnitSpec, tuple[str, ...]] = {
    profile_spec(each).at_level(0): each.printed for each in CATALOGUE.profiles.values()
}


class Condition(Document):
    """A unit's condition before a battle; by default it is in order. ST-401."""

    hits: Annotated[int, pydantic.Field(ge=0, le=100_000)] | None = None  # HP left; None: all
    unfit: bool = False  # it has less than half its HP, so it stays at home. ST-406


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
    reach: tuple[str, str]  # in inches, for two Moves and for three
    vp: int
    vp_crippled: int
    momentum: int  # subtracted from the pool at the start
    tier: str
    printed: tuple[str, ...]  # figures of a sample profile that come from the source
    attribution: str = ATTRIBUTION

    @property
    def size(self) -> str:
        """The slug of its silhouette: tanks and ships have their own, all others have one per Size."""
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
        """The number of boxes, one per 500 HP."""
        return -(-min(self.hits, MAX_DRAWN) // HP_BOX)

    @property
    def boxes_left(self) -> int:
        return -(-min(self.hits_left, MAX_DRAWN) // HP_BOX)

    @property
    def crippled_below(self) -> int:
        """The HP below which it counts as crippled. ST-376."""
        return self.hits // 2

    @property
    def trait_names(self) -> str:
        return ", ".join(CATALOGUE.traits[slug].name for slug in self.traits)

    @property
    def flown_by(self) -> str:
        """Pilot or crew, and their level."""
        return f"{self.pilot.full_name}, {self.crew_name}" if self.pilot else self.crew_name

    @property
    def defences(self) -> tuple[Defence, Defence]:
        return self.evade, self.melee

    @property
    def describe_guard(self) -> str:
        """The part of the average DEF that doesn't come from the pool."""
        guards = (("Shield", self.shield), ("Barrier", self.barrier))
        return max(guards, key=lambda each: each[1])[0] if self.shield or self.barrier else "no Shield"

    @property
    def held(self) -> tuple[tuple[str, int], ...]:
        """Its Boost, Power and Havoc, as far as it has them."""
        every = (("Boost", self.boost), ("Power", self.power), ("Havoc", self.havoc))
        return tuple((name, count) for name, count in every if count)

    @property
    def bonus_names(self) -> str:
        return ", ".join(bonus.name for bonus in self.bonuses)

    @property
    def origin(self) -> str:
        """Which figures come from the source, and which are additions."""
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
        """Return the unit's problems apart from lost HP."""
        return (("Unfit", f"stays at home below {-(-self.hits // 2)} HP"),) if self.is_unfit else ()

    @property
    def drawing(self) -> str:
        """The unit from above with its engagement range, as an SVG element for the screen."""
        return machine_svg(self.kind_slug, self.size_number, self.sensors_in, [w.range_in for w in self.weapons])

    @property
    def card(self) -> str:
        """The pocket card as text, with the card's lines."""
        return card_text(self)


def describe_skill(skill: Skill, level: int) -> str:
    """Describe a skill briefly: `Focus [M−1]`, `Zeal [M−1..3]`, with its addition at level 2."""
    spent = f"{MINUS}1..3" if skill.slug == "zeal" else f"{MINUS}{skill.momentum}"
    ace = skill.ace.partition(":")[0] if level >= 2 and skill.ace else ""
    return f"{skill.name} [M{spent}]{f' ({ace})' if ace else ''}"


def parse_condition(data: object, path: str = "condition") -> Condition:
    """Return a unit's condition; raises DocumentError."""
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
    """Return all data for sheet and card; `spec` has the crew's level, and may have problems."""
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


def _resources(spec: UnitSpec, options: Options) -> Iterator[Resource]:
    """Yield what its Boost, Power and Havoc buy with these house rules."""
    return (each for each in resources_of(options) if getattr(spec, each.stat))


def _skills(spec: UnitSpec, options: Options) -> Iterator[Skill]:
    """Yield the skills available to this kind at this level. ST-260 to ST-267."""
    for skill in skills_of(options):
        if skill.slug not in spec.unit_kind.barred and (skill.level == 0 or spec.is_elite):
            yield skill


def _bonuses(spec: UnitSpec, options: Options) -> Iterator[Bonus]:
    """Yield this kind's bonuses at this level. ST-160 to ST-167."""
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
    """Return the pocket card in the form of the rules' example."""
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
                f"mean DEF vs Shooting {sheet.evade.mean_label}",
                f"MELEE {sheet.melee.pool}",
                f"mean DEF vs Melee {sheet.melee.mean_label}",
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
    parts += [f"mean Hits {line.mean_label}"]
    if line.save_fails is not None:
        parts.append(f"save fails {line.fails_label}")
    return "  ".join(part for part in parts if part)


def describe_condition(data: Mapping[str, object]) -> str:
    """Describe a unit's damage and losses in a few words."""
    left = parse_condition(data).hits
    return "" if left is None else f"down to {left} HP"
