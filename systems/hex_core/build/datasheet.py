"""A machine's datasheet and pocket card, with the exact chances of its dice as fractions. Ledger 7.2 and 9."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction

from systems.documents import Document, object_of, parse_document
from systems.hex_core.build.drawing import Machine, machine_svg
from systems.hex_core.build.spec import MachineSpec, MountedWeapon
from systems.hex_core.catalogue import BOTH, CARRIED, CATALOGUE, LEFT, RIGHT, Range
from systems.hex_core.options import BY_THE_BOOK, Options
from systems.roster import PilotCard, ServiceCard

FACES = 8
EVASIONS = (4, 5, 6, 7, 8, None)  # the EVA values on sheets; None: it can't evade


def faces_that_hit(number: int) -> int:
    """Return how many faces of a D8 hit; an 8 always does. HX-005, HX-006."""
    return min(max(FACES + 1 - number, 1), FACES)


def faces_that_evade(number: int | None) -> int:
    return 0 if number is None else min(max(FACES + 1 - number, 0), FACES)


def hit_chance(number: int, evasion: int | None) -> Fraction:
    """Return the chance that an attack with that value hits a target with that EVA; an 8 can't be evaded."""
    return Fraction(_hits_of_64(number, evasion), FACES**2)


def mean_damage(number: int, evasion: int | None, damage: int, critical: int) -> Fraction:
    """Return an attack's expected damage; one hit in eight is critical. HX-089."""
    return Fraction(_hits_of_64(number, evasion) * ((FACES - 1) * damage + critical), FACES**3)


def _hits_of_64(number: int, evasion: int | None) -> int:
    return FACES + (faces_that_hit(number) - 1) * (FACES - faces_that_evade(evasion))


def attack_count(base_ap: int, ap: int) -> tuple[int, Fraction, int]:
    """Return the fewest, average and most attacks per turn that the pool pays for. HX-061, HX-082."""
    numbers = [(base_ap + face) // ap for face in range(1, FACES + 1)]
    return numbers[0], Fraction(sum(numbers), FACES), numbers[-1]


NONE = "–"
HANDS = {RIGHT: ("R", "right hand"), LEFT: ("L", "left hand"), BOTH: ("RL", "both hands"), CARRIED: ("C", "carried")}
KINDS: dict[Range, str] = {"ranged": "R", "melee": "M"}
TICKS = ("kneel", "prone", "down", "held", "off. stance", "def. stance", "frozen", "target", "object")
UNARMED = ("Unarmed strike", 2, 3, 3)  # name, damage, critical, AP. HX-053
AVERAGE_EVASION = 6  # EVA for the expected damage in lines
FLANK = 2  # HX-077


@dataclass(frozen=True, slots=True, kw_only=True)
class AreaLine:
    """One of the six areas and its boxes."""

    slug: str
    name: str
    short: str
    base: int
    armour: int
    penalty: str

    @property
    def dp(self) -> int:
        return self.base + self.armour

    @property
    def dp_label(self) -> str:
        """The DP in full: `14 + 4 = 18`."""
        return f"{self.base} + {self.armour} = {self.dp}" if self.armour else str(self.dp)


@dataclass(frozen=True, slots=True, kw_only=True)
class WeaponLine:
    """A weapon in its place, with its effects."""

    name: str  # with its tag
    place: str  # slug
    short: str  # R, L, RL, C, or the area's code
    where: str
    kind: Range
    type: str
    damage: int
    critical: int
    range: int
    ap: int
    dp: int | None  # None: not a real weapon
    is_primary: bool = False
    is_carried: bool = False
    attacks: tuple[int, Fraction, int] = (0, Fraction(0), 0)
    front: Fraction = Fraction(0)  # expected damage against EVA 6+
    flank: Fraction = Fraction(0)

    @property
    def code(self) -> str:
        """Range and type, one letter each: `R/K`."""
        return f"{KINDS[self.kind]}/{self.type[0].upper()}"

    @property
    def damage_label(self) -> str:
        return f"{self.damage} ({self.critical})"


@dataclass(frozen=True, slots=True, kw_only=True)
class DroneLine:
    name: str
    royroy: bool
    to_hit: int
    evasion: int
    dp: int
    move: int
    kind: Range
    type: str
    damage: int
    critical: int
    range: int
    ap: int

    @property
    def summary(self) -> str:
        head = "thinks" if self.royroy else "plain"
        stat = "ACC" if self.kind == "ranged" else "ASL"
        return (
            f"{head}, {stat} {self.to_hit}+, EVA {self.evasion}+, DP {self.dp}, moves {self.move}; "
            f"{KINDS[self.kind]}/{self.type[0].upper()} {self.damage} ({self.critical}), range {self.range}, AP {self.ap}"
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Option:
    """A system, mod or trait with its effects."""

    name: str
    effect: str


class Condition(Document):
    """A machine's condition before a battle; by default it is in order."""

    repair: bool = False  # it misses the battle. HX-179


@dataclass(frozen=True, slots=True, kw_only=True)
class Datasheet:
    # identity
    name: str
    design_name: str
    company: str
    size: str  # slug of the core type
    size_name: str
    type_name: str
    is_vehicle: bool
    unit_class: int
    points: int
    points_limit: int  # for the squad's size
    cost_parts: Mapping[str, int]
    in_repair: bool
    pilot: PilotCard | None
    service: ServiceCard | None
    # numbers
    accuracy: int
    assault: int
    evasion: int
    counter: int
    base_stats: tuple[int, int, int, int]
    srm: tuple[int, int, int]
    base_ap: int
    movement: int
    thrust: int
    # equipment
    areas: tuple[AreaLine, ...]
    weapons: tuple[WeaponLine, ...]
    unarmed: WeaponLine | None
    shields: tuple[tuple[str, str, int], ...]  # name, hand, DP
    drones: tuple[DroneLine, ...]
    systems: tuple[Option, ...]
    mods: tuple[Option, ...]
    traits: tuple[Option, ...]
    ironside: bool
    armor: None = None

    @property
    def hits(self) -> int:
        """The total DP of all areas."""
        return sum(area.dp for area in self.areas)

    @property
    def hits_left(self) -> int:
        """Its full DP, because no damage remains between battles. HX-178."""
        return self.hits

    @property
    def kind(self) -> str:
        return f"{self.type_name}, {self.size_name}"

    @property
    def pilot_label(self) -> str:
        """The pilot's name and rank; empty if there is no pilot."""
        return f"{self.pilot.full_name}, {CATALOGUE.ranks[self.pilot.experience].name}" if self.pilot else ""

    @property
    def state(self) -> tuple[tuple[str, str], ...]:
        """Return the unit's problems apart from lost DP. HX-179."""
        return (("In repair", "misses the next battle"),) if self.in_repair else ()

    @property
    def stats(self) -> tuple[tuple[str, int, int, int | None], ...]:
        """Name, value, base and S.R.M. steps of the four values used in rolls."""
        values = (self.accuracy, self.assault, self.evasion, self.counter)
        return tuple(zip(("ACC", "ASL", "EVA", "CTR"), values, self.base_stats, (*self.srm, None), strict=True))

    @property
    def srm_label(self) -> str:
        return "/".join(map(str, self.srm))

    @property
    def ap_label(self) -> str:
        return f"{self.base_ap}+D8"

    @property
    def ap_range(self) -> tuple[int, Fraction, int]:
        """The fewest, average and most AP of a turn. HX-061."""
        return self.base_ap + 1, self.base_ap + Fraction(9, 2), self.base_ap + 8

    @property
    def reach(self) -> tuple[int, int, int]:
        """The hexes per turn: with SM only, and with Press On for the fewest and most AP. HX-100."""
        few, _, many = self.ap_range
        return self.movement, self.movement + few // 2, self.movement + many // 2

    @property
    def throw_reach(self) -> tuple[int, int] | None:
        """Return the distance of a throw in hexes; None for a unit that can't grapple. HX-126."""
        return None if self.is_vehicle else (self.unit_class + 1, self.unit_class + 4)

    @property
    def share(self) -> Fraction:
        """Its share of the squad's points limit."""
        return Fraction(self.points, self.points_limit)

    @property
    def losses(self) -> tuple[tuple[str, str], ...]:
        """Return the values that remain after losing areas. HX-110, HX-113, HX-114."""
        leg, legs = ("Outer wing", "Both outer wings") if self.is_vehicle else ("Leg", "Both legs")
        head = "Tail" if self.is_vehicle else "Head"
        worse = f"ASL {self.assault + 2}+, EVA {self.evasion + 2}+"
        accuracy = self.accuracy if self.ironside else self.accuracy + 2
        return (
            (f"{head} lost", f"ACC {accuracy}+"),
            (f"{leg} lost", f"SM {max(1, self.movement - 1)}, {worse}"),
            (f"{legs} lost", f"SM 1, {worse}"),
        )

    @property
    def hit_chances(self) -> tuple[tuple[int | None, Fraction], ...]:
        """The chance that a shot hits, by its target's EVA."""
        return tuple((evasion, hit_chance(self.accuracy, evasion)) for evasion in EVASIONS)

    @property
    def columns(self) -> tuple[tuple[str, str], ...]:
        """Return the columns of a table of designs."""
        return (
            ("Class", str(self.unit_class)),
            *((name, f"{value}+") for name, value, _, _ in self.stats[:3]),
            ("AP", str(self.base_ap)),
            ("SM", str(self.movement)),
        )

    @property
    def lines(self) -> tuple[WeaponLine, ...]:
        """Its weapons; the unarmed strike comes last."""
        return (*self.weapons, *([self.unarmed] if self.unarmed else []))

    @property
    def options(self) -> tuple[Option, ...]:
        return (*self.systems, *self.mods, *self.traits)

    @property
    def machine(self) -> Machine:
        """The data for the drawing of the machine."""
        held: dict[str, list[str]] = {}
        for line in self.weapons:
            held.setdefault(line.place, []).append(line.name)
        for name, hand, dp in self.shields:
            held.setdefault(hand, []).append(f"{name} {dp} DP")
        return Machine(
            is_vehicle=self.is_vehicle,
            dp={area.slug: area.dp for area in self.areas},
            held={place: tuple(names) for place, names in held.items()},
            drones=tuple(drone.name for drone in self.drones),
        )

    @property
    def drawing(self) -> str:
        """The machine with its six areas, as an SVG element for the screen."""
        return machine_svg(self.machine)

    @property
    def card(self) -> str:
        """The pocket card as text, with the card's lines."""
        return card_text(self)


def parse_condition(data: object, path: str = "condition") -> Condition:
    """Return a machine's condition; raises DocumentError."""
    return parse_document(Condition, object_of(data, path), path)


def describe_condition(data: Mapping[str, object]) -> str:
    """Describe a machine's damage and losses in a few words."""
    return "in repair" if parse_condition(data).repair else ""


def machine_datasheet(
    spec: MachineSpec,
    *,
    name: str,
    design_name: str,
    company: str = "",
    pilot: PilotCard | None = None,
    condition: Condition | None = None,
    service: ServiceCard | None = None,
    options: Options = BY_THE_BOOK,
) -> Datasheet:
    """Return all data for sheet and card; the build may have problems."""
    frame = spec.frame
    learned = pilot.skills if pilot else ()  # HX-177
    traits = tuple(dict.fromkeys((*spec.traits, *learned)))
    cost_parts = spec.cost_parts
    cost_parts["traits"] += sum(CATALOGUE.traits[slug].cost for slug in learned)
    return Datasheet(
        name=name,
        design_name=design_name,
        company=company,
        size=frame.slug,
        size_name=frame.name,
        type_name=CATALOGUE.unit_types[frame.of].name,
        is_vehicle=spec.is_vehicle,
        unit_class=spec.unit_class.number,
        points=sum(cost_parts.values()),
        points_limit=options.size.points,
        cost_parts=cost_parts,
        in_repair=condition is not None and condition.repair,
        pilot=pilot,
        service=service,
        accuracy=spec.accuracy,
        assault=spec.assault,
        evasion=spec.evasion,
        counter=spec.counter - ("quick-draw" in learned),
        base_stats=(frame.accuracy, frame.assault, frame.evasion, frame.counter),
        srm=spec.srm,
        base_ap=spec.base_ap,
        movement=spec.movement,
        thrust=spec.thrust,
        areas=tuple(_areas(spec)),
        weapons=tuple(_weapon(spec, at, armed) for at, armed in enumerate(spec.weapons)),
        unarmed=None if spec.is_vehicle else _unarmed(spec),
        shields=tuple((held.kind.name, held.place, held.kind.dp) for held in spec.shields),
        drones=tuple(_drones(spec)),
        systems=tuple(
            Option(name=each.name, effect=each.effect) for each in map(CATALOGUE.systems.get, spec.systems) if each
        ),
        mods=tuple(Option(name=each.name, effect=each.effect) for each in map(CATALOGUE.mods.get, spec.mods) if each),
        traits=tuple(Option(name=each.name, effect=each.effect) for each in map(CATALOGUE.traits.get, traits) if each),
        ironside="ironside" in traits,
    )


def _areas(spec: MachineSpec) -> Iterator[AreaLine]:
    for area in spec.areas:
        yield AreaLine(
            slug=area.slug,
            name=area.name,
            short=area.short,
            base=spec.frame.dp[area.index],
            armour=spec.armour[area.index],
            penalty=area.penalty,
        )


def describe_place(place: str) -> str:
    """Return a weapon's place in the sheet's letters: a hand, carried, or the area."""
    return HANDS[place][0] if place in HANDS else CATALOGUE.areas[place].code


def _weapon(spec: MachineSpec, at: int, armed: MountedWeapon) -> WeaponLine:
    weapon = armed.kind
    short, where = HANDS.get(armed.place) or (
        CATALOGUE.areas[armed.place].code,
        CATALOGUE.areas[armed.place].name.lower(),
    )
    damage = (weapon.damage + 1) // 2 if armed.is_halved else weapon.damage  # HX-047
    critical = damage + (damage + 1) // 2
    number = spec.accuracy if weapon.is_ranged else spec.assault
    reach = weapon.range + ("range-finder" in spec.mods and weapon.is_ranged)
    return WeaponLine(
        name=weapon.tagged,
        place=armed.place,
        short=short,
        where=where,
        kind=weapon.kind,
        type=weapon.type,
        damage=damage,
        critical=critical,
        range=reach,
        ap=weapon.ap,
        dp=weapon.dp,
        is_primary=at == spec.primary_at,
        is_carried=armed.is_carried,
        attacks=attack_count(spec.base_ap, weapon.ap),
        front=mean_damage(number, AVERAGE_EVASION, damage, critical),
        flank=mean_damage(number, AVERAGE_EVASION, damage + FLANK, critical + FLANK),
    )


def _unarmed(spec: MachineSpec) -> WeaponLine:
    """Return the line of the unarmed strike. HX-053."""
    name, damage, critical, ap = UNARMED
    return WeaponLine(
        name=name,
        place="",
        short=NONE,
        where="arm or leg",
        kind="melee",
        type="kinetic",
        damage=damage,
        critical=critical,
        range=1,
        ap=ap,
        dp=None,
        attacks=attack_count(spec.base_ap, ap),
        front=mean_damage(spec.assault, AVERAGE_EVASION, damage, critical),
        flank=mean_damage(spec.assault, AVERAGE_EVASION, damage + FLANK, critical + FLANK),
    )


def _drones(spec: MachineSpec) -> Iterator[DroneLine]:
    for drone, royroy in spec.drone_kinds:
        to_hit = drone.accuracy if drone.kind == "ranged" else drone.assault
        assert to_hit is not None
        yield DroneLine(
            name=drone.name,
            royroy=royroy,
            to_hit=to_hit,
            evasion=drone.evasion,
            dp=drone.dp,
            move=drone.move,
            kind=drone.kind,
            type=drone.type,
            damage=drone.damage,
            critical=drone.critical,
            range=drone.range,
            ap=drone.ap,
        )


def card_text(sheet: Datasheet) -> str:
    """Return the pocket card as in chapter 7 of the ledger."""
    stats = " ".join(f"{name} {value}+" for name, value, _, _ in sheet.stats)
    lines = [
        f"{sheet.name.upper()}  Class {sheet.unit_class}  {sheet.points} pts      [ ] acted",
        f"{stats} | AP {sheet.ap_label} | SM {sheet.movement} TM {sheet.thrust}",
        "  ".join(f"{area.short} {area.dp}" for area in sheet.areas),
        *(
            f"{line.name}  {line.short}  {line.code}  {line.damage}({line.critical})  rng {line.range}  AP {line.ap}  "
            f"DP {line.dp}{'  *primary' if line.is_primary else ''}"
            for line in sheet.weapons
        ),
        *(f"{name}  {hand[0].upper()}  DP {dp}" for name, hand, dp in sheet.shields),
        *(f"{drone.name}  {drone.summary}" for drone in sheet.drones),
        *(f"{trait.name}: {trait.effect}" for trait in sheet.traits),
        " ".join(f"{name}[ ]" for name in TICKS),
    ]
    return "\n".join(lines)
