"""What the page of a scenario shows: the map zone by zone, the sides and the objective in words."""

from collections.abc import Sequence
from dataclasses import dataclass

from rosters.figures import signed
from rosters.legality import listed

from .catalogue import CATALOGUE
from .catalogue.types import SIZES, Objective, Terrain
from .scenario import UNIT_DIE, VICTORY_RULES, WITH_EXITS, ZONES, ScenarioSpec, SideFields, key_zone_of
from .scenario_check import BREACH_TURNS, has_free_rest

OBJECTIVES: dict[Objective, tuple[str, str]] = {
    "occupy": (
        "Occupy a zone",
        "The attacker wins when he occupies the key zone at a turn end, or no defending Mek is left.",
    ),
    "break-out": (
        "Break out",
        "The attacker wins when at least half of his Meks, rounded up, have left the map through an exit zone.",
    ),
    "clear-and-leave": (
        "Clear the way and leave",
        "The attacker must destroy every defender and take a quarter of his Meks, rounded up, out through an exit zone; "
        "the defender must prevent both; anything between is a draw.",
    ),
    "breach": (
        "Break through and hold",
        f"The attacker wins when he occupies the key zone at {BREACH_TURNS} turn ends in a row.",
    ),
    "last-standing": ("Last side standing", "The last side with a Mek wins; at the turn limit it is a draw."),
    "stronghold": (
        "Storm a stronghold",
        "The defender must have a Mek in the key zone at every turn end; if he has none, the attacker has won.",
    ),
}
GROUPS = {
    "all": "all Meks",
    "rest": "the rest",
    "at-least-1-mek": "at least one Mek",
    "half-of-points": "half of the points",
    "half-of-meks": "half of the Meks",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Mark:
    """Something in a zone: a side that sets up or arrives there, the key zone, an exit, units of the scenario."""

    kind: str  # "attacker", "defender", "key", "exit"
    letters: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ZoneView:
    number: int
    terrain: str  # slug; "open" when the players choose
    terrain_name: str
    terrain_effect: str
    marks: tuple[Mark, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class SideView:
    side: str
    points: int
    support_rolls: int
    force: str  # which Meks
    pilots: str
    setup: tuple[str, ...]
    extra: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ScenarioSheet:
    brief: str
    objective: str
    victory: str
    victory_rule: str
    max_size: str
    turn_limit: int
    has_open_terrain: bool
    zones: tuple[ZoneView, ...]
    sides: tuple[SideView, SideView]

    @property
    def forces(self) -> str:
        """Points of both sides and the size limit."""
        return f"{' : '.join(str(side.points) for side in self.sides)} points, up to {self.max_size}"

    @property
    def rows(self) -> tuple[tuple[ZoneView, ...], ...]:
        """The zones as the map has them, top row first."""
        return tuple(self.zones[at : at + 3] for at in (0, 3, 6))


def scenario_sheet(spec: ScenarioSpec) -> ScenarioSheet:
    """The scenario as a page shows it; problems leave gaps, never errors."""
    kind = spec.objective.kind
    title, victory = OBJECTIVES[kind] if kind else ("None yet", "Nobody can win: the scenario has no objective.")
    return ScenarioSheet(
        brief=spec.brief,
        objective=title,
        victory=victory,
        victory_rule=VICTORY_RULES[kind] if kind else "MM-091",
        max_size=CATALOGUE.chassis[spec.max_size].name,
        turn_limit=spec.turn_limit,
        has_open_terrain=spec.terrain is None,
        zones=tuple(_zone(spec, zone) for zone in ZONES),
        sides=(_side("attacker", spec.attacker), _side("defender", spec.defender)),
    )


def _zone(spec: ScenarioSpec, zone: int) -> ZoneView:
    slug = spec.terrain[zone - 1] if spec.terrain else "open"
    terrain = CATALOGUE.terrain.get(slug)
    return ZoneView(
        number=zone,
        terrain=slug,
        terrain_name=terrain.name if terrain else "Open",
        terrain_effect=_effect(terrain) if terrain else "chosen or rolled when it is played",
        marks=tuple(_marks(spec, zone)),
    )


def _effect(terrain: Terrain) -> str:
    numbers = ((terrain.movement, "movement"), (terrain.to_hit, "to hit"), (terrain.heat_rating, "Heat Rating"))
    return ", ".join(f"{signed(number)} {what}" for number, what in numbers if number) or "no effect"


def _marks(spec: ScenarioSpec, zone: int) -> list[Mark]:
    marks: list[Mark] = []
    for side, terms in spec.sides():
        steps = terms.setup[:1] if has_free_rest(terms) else terms.setup
        groups = [GROUPS[step.who] for step in steps if zone in step.zones]
        said = [f"{listed(groups)} set up"] if groups else []
        is_rest = groups == [GROUPS["rest"]]
        if terms.arrival and zone in terms.arrival.zones:
            said.append("Meks arrive")
        said += [
            f"{extra.count} × {CATALOGUE.support_units[extra.unit].name}"
            for extra in terms.extra
            if extra.zone == zone and extra.count
        ]
        if said:
            marks.append(
                Mark(
                    kind=side,
                    letters=side[0].upper() + ("r" if is_rest else ""),
                    text=f"{side.capitalize()}: {', '.join(said)}",
                )
            )
    if spec.objective.kind not in (*WITH_EXITS, "last-standing") and spec.objective.kind and zone == key_zone_of(spec):
        marks.append(Mark(kind="key", letters="★", text="Key zone"))
    if spec.objective.kind in WITH_EXITS and zone in spec.objective.exit_zones:
        edge = f" by the {spec.objective.exit_edge} edge" if spec.objective.exit_edge else ""
        marks.append(Mark(kind="exit", letters="⇥", text=f"Exit{edge}"))
    return marks


def _side(side: str, terms: SideFields) -> SideView:
    return SideView(
        side=side.capitalize(),
        points=terms.points,
        support_rolls=terms.support_rolls,
        force=_counts([(CATALOGUE.chassis[size].name, terms.composition.get(size, 0)) for size in SIZES]),
        pilots=_counts([(CATALOGUE.levels[slug].name, count) for slug, count in terms.free_pilots.items()]),
        setup=tuple(_setup(terms)),
        extra=listed(
            [
                f"{extra.count} × {CATALOGUE.support_units[extra.unit].name} in zone {extra.zone}"
                for extra in terms.extra
                if extra.count
            ]
        ),
    )


def _setup(terms: SideFields) -> list[str]:
    lines = []
    for step in terms.setup:
        where = _in_zones(step.zones, is_one=step.is_one_zone)
        if step.who == "rest" and has_free_rest(terms):
            where = "anywhere" if len(set(step.zones)) == len(ZONES) else "anywhere else"
        name = GROUPS[step.who]
        lines.append(f"{name[:1].upper()}{name[1:]} {where}")
    if terms.arrival:
        dice = [f"{face}+" for face in UNIT_DIE if face > 1]
        zones = " or ".join(str(zone) for zone in terms.arrival.zones)
        lines.append(
            f"Arrives in zone {zones}, by a die each turn: {', '.join(dice)}, then all" if zones else "Arrives"
        )
    return lines


def _in_zones(zones: Sequence[int], *, is_one: bool) -> str:
    if not zones:
        return "nowhere yet"
    names = [str(zone) for zone in sorted(zones)]
    if is_one and len(names) > 1:
        return f"in one of zones {listed(names)}"
    return f"in zone{'s' if len(names) > 1 else ''} {listed(names)}"


def _counts(pairs: Sequence[tuple[str, int]]) -> str:
    return listed([f"{count} {name}" for name, count in pairs if count])
