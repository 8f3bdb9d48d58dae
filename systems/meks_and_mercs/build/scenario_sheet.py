"""The page of a scenario: the map zone by zone, sides and objective in words."""

from collections.abc import Sequence
from dataclasses import dataclass

from systems.legality import join_words
from systems.meks_and_mercs.catalogue import CATALOGUE, SIZES, Objective, Terrain
from systems.scenarios import MapPatch, SmallMap, map_box, map_diamond
from systems.text import format_signed

from .scenario import UNIT_DIE, VICTORY_RULES, WITH_EXITS, ZONES, ScenarioSpec, SideFields, key_zone_of
from .scenario_check import BREACH_TURNS, has_free_rest

OBJECTIVES: dict[Objective, tuple[str, str]] = {
    "occupy": (
        "Occupy a zone",
        "The attacker wins by occupying the key zone at a turn end, or if no defending Mek is left; the defender wins if no "
        "attacking Mek is left, or at the turn limit. It is a draw if neither has a Mek.",
    ),
    "break-out": (
        "Break out",
        "The attacker wins when at least half of their Meks, rounded up, have left the map by an exit zone; the defender "
        "once that's impossible, or at the turn limit.",
    ),
    "clear-and-leave": (
        "Clear the way and leave",
        "The attacker must destroy every defender and take a quarter of their Meks, rounded up, out by an exit zone; "
        "the defender must prevent both. Anything else is a draw.",
    ),
    "breach": (
        "Break through and hold",
        f"{{key zone}} The attacker wins by occupying it {BREACH_TURNS} turn ends in a row; the defender when no "
        "attacking Mek is left, or at the turn limit.",
    ),
    "last-standing": (
        "Last side standing",
        "The last side with a Mek wins; with none left on both, or at the turn limit, it is a draw.",
    ),
    "stronghold": (
        "Storm a stronghold",
        "The attacker wins at a turn end without a defending Mek in the key zone, but it's a draw if they have no Mek left "
        "either. The defender wins at the turn limit, or when no attacking Mek is left.",
    ),
}
OPEN_EFFECT = "Plain unless chosen or rolled"  # MM-D72
ZONE_SIDE = 20  # on a small map
GROUPS = {
    "all": "all Meks",
    "rest": "the rest",
    "at-least-1-mek": "at least one Mek",
    "half-of-points": "half of the points",
    "half-of-meks": "half of the Meks",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Mark:
    """Something in a zone: a side's set-up or arrival, the key zone, an exit, units from the scenario."""

    kind: str  # "attacker", "defender", "key", "exit"
    letters: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ZoneView:
    number: int
    terrain: str  # slug; "open" if players choose
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
        """Both sides' points, and the size limit."""
        return f"{'–'.join(str(side.points) for side in self.sides)} points, up to {self.max_size}"

    @property
    def rows(self) -> tuple[tuple[ZoneView, ...], ...]:
        """The zones row by row as on the map, top row first."""
        return tuple(self.zones[at : at + 3] for at in (0, 3, 6))


def scenario_sheet(spec: ScenarioSpec) -> ScenarioSheet:
    """Return the scenario for its page; problems leave gaps, never raise errors."""
    kind = spec.objective.kind
    title, victory = _objective(spec) if kind else ("None yet", "Nobody can win: the scenario has no objective.")
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


def small_map(sheet: ScenarioSheet) -> SmallMap:
    """Return a map of the nine zones with set-up zones, key zone and exits."""
    patches = []
    for at, zone in enumerate(sheet.zones):
        x, y = at % 3 * ZONE_SIDE, at // 3 * ZONE_SIDE
        patches.append(map_box(f"small-map__ground small-map__{zone.terrain}", x, y, ZONE_SIDE, ZONE_SIDE))
        kinds = dict.fromkeys(mark.kind for mark in zone.marks)
        if "attacker" in kinds:
            patches.append(map_box("small-map__start side-a", x + 2, y + 13, 5, 5))
        if "defender" in kinds:
            patches.append(map_box("small-map__start side-b", x + 13, y + 13, 5, 5))
        if "key" in kinds:
            patches.append(map_diamond("small-map__key", x + 10, y + 7, 5))
        if "exit" in kinds:
            patches.append(MapPatch("small-map__exit", f"M{x + 10},{y + 12}l4,6h-8z"))
    return SmallMap(3 * ZONE_SIDE, 3 * ZONE_SIDE, tuple(patches))


def _objective(spec: ScenarioSpec) -> tuple[str, str]:
    assert spec.objective.kind
    title, victory = OBJECTIVES[spec.objective.kind]
    zones = breach_zones(spec)
    key_zone = f"The key zone is zone {zones[0]}."
    if len(zones) > 1:
        choice = join_words([str(zone) for zone in zones]).replace(" and ", " or ")
        key_zone = f"The defender chooses the key zone, zone {choice}, and sets up the first group there."
    return title, victory.replace("{key zone}", key_zone)


def breach_zones(spec: ScenarioSpec) -> Sequence[int]:
    """Return the zones from which the defender may choose the key zone of the Breach. MM-095, MM-D78.

    They are the zones of a first group that starts in a single zone and may start in the key zone; otherwise only the
    key zone.
    """
    key, first = key_zone_of(spec), spec.defender.setup[:1]
    return next((sorted(step.zones) for step in first if step.is_one_zone and key in step.zones), (key,))


def _zone(spec: ScenarioSpec, zone: int) -> ZoneView:
    slug = spec.terrain[zone - 1] if spec.terrain else "open"
    terrain = CATALOGUE.terrain.get(slug)
    return ZoneView(
        number=zone,
        terrain=slug,
        terrain_name=terrain.name if terrain else "Open",
        terrain_effect=_effect(terrain) if terrain else OPEN_EFFECT,
        marks=tuple(_marks(spec, zone)),
    )


def _effect(terrain: Terrain) -> str:
    numbers = ((terrain.movement, "movement"), (terrain.to_hit, "to hit"), (terrain.heat_rating, "Heat Rating"))
    return ", ".join(f"{format_signed(number)} {what}" for number, what in numbers if number) or "no effect"


def _marks(spec: ScenarioSpec, zone: int) -> list[Mark]:
    marks: list[Mark] = []
    for side, terms in spec.sides():
        steps = terms.setup[:1] if has_free_rest(terms) else terms.setup
        groups = [GROUPS[step.who] for step in steps if zone in step.zones]
        parts = [f"{join_words(groups)} set up"] if groups else []
        is_rest = groups == [GROUPS["rest"]]
        if terms.arrival and zone in terms.arrival.zones:
            parts.append("Meks arrive")
        parts += [
            f"{extra.count} × {CATALOGUE.support_units[extra.unit].name}"
            for extra in terms.extra
            if extra.zone == zone and extra.count
        ]
        if parts:
            marks.append(
                Mark(
                    kind=side,
                    letters=side[0].upper() + ("r" if is_rest else ""),
                    text=f"{side.capitalize()}: {', '.join(parts)}",
                )
            )
    marks += _key_marks(spec, zone)
    if spec.objective.kind in WITH_EXITS and zone in spec.objective.exit_zones:
        edge = f" by the {spec.objective.exit_edge} edge" if spec.objective.exit_edge else ""
        marks.append(Mark(kind="exit", letters="⇥", text=f"Exit{edge}"))
    return marks


def _key_marks(spec: ScenarioSpec, zone: int) -> list[Mark]:
    kind = spec.objective.kind
    if kind == "breach" and len(breach_zones(spec)) > 1:
        chosen = [Mark(kind="key", letters="★", text="Key zone if the defender chooses it")]
        return chosen if zone in breach_zones(spec) else []
    has_key = kind is not None and kind not in (*WITH_EXITS, "last-standing")
    return [Mark(kind="key", letters="★", text="Key zone")] if has_key and zone == key_zone_of(spec) else []


def _side(side: str, terms: SideFields) -> SideView:
    return SideView(
        side=side.capitalize(),
        points=terms.points,
        support_rolls=terms.support_rolls,
        force=_counts([(CATALOGUE.chassis[size].name, terms.composition.get(size, 0)) for size in SIZES]),
        pilots=_counts([(CATALOGUE.levels[slug].name, count) for slug, count in terms.free_pilots.items()]),
        setup=tuple(_setup(terms)),
        extra=join_words(
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
        lines += _arrival(terms.arrival.zones)
    return lines


def _arrival(zones: Sequence[int]) -> list[str]:
    """Describe the arrival: one die for the zone, then a die for each unit. MM-098."""
    if not zones:
        return ["Arrives"]
    low, high = zones[0], zones[-1]
    where = f"zone {low}"
    if low != high:
        where = f"one die gives the zone of all who arrive: 1–3 zone {low}, 4–6 zone {high}"
    turns = [f"{face}+ on turn {turn}" for turn, face in enumerate(UNIT_DIE, start=1) if face > 1]
    return [
        f"Arrives in each own movement: {where}",
        f"Then a die for each unit still off the map: {', '.join(turns)}; from turn {len(turns) + 1} all without a die",
        "Arriving is the unit's move",
    ]


def _in_zones(zones: Sequence[int], *, is_one: bool) -> str:
    if not zones:
        return "nowhere yet"
    names = [str(zone) for zone in sorted(zones)]
    if is_one and len(names) > 1:
        return f"in one of zones {join_words(names)}"
    return f"in zone{'s' if len(names) > 1 else ''} {join_words(names)}"


def _counts(pairs: Sequence[tuple[str, int]]) -> str:
    return join_words([f"{count} {name}" for name, count in pairs if count])
