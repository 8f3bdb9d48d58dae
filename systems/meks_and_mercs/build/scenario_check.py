"""The check whether a scenario can be played: all problems at once, each with its rule."""

from collections import Counter
from collections.abc import Iterator, Sequence

from systems.legality import Check, Problem, join_words, pluralize
from systems.meks_and_mercs.catalogue import CATALOGUE, SIZES, Edge

from .scenario import VICTORY_RULES, WITH_EXITS, WITH_KEY_ZONE, ZONES, ScenarioSpec, SideFields, key_zone_of

MAX_MEKS = 12  # per side
MIN_POINTS = min(chassis.points for chassis in CATALOGUE.chassis.values())
MAX_POINTS = 500
MAX_ROLLS = 6
MAX_TURNS = 30
MAX_EXTRA = 6  # support units that the scenario gives to a side
BREACH_TURNS = 3  # turns in a row at whose end the zone must be occupied, MM-095
LAST_ARRIVAL = 4  # the turn on which all remaining units arrive, MM-098
EDGES: dict[Edge, tuple[int, ...]] = {"top": (1, 2, 3), "bottom": (7, 8, 9), "left": (1, 4, 7), "right": (3, 6, 9)}


def check_scenario(spec: ScenarioSpec) -> Check:
    """Return all problems, and warnings of likely mistakes. MM-010 to MM-014, MM-091 to MM-098."""
    problems = [*_limit_problems(spec), *_setup_problems(spec), *_overlap_problems(spec), *_objective_problems(spec)]
    return Check(0, tuple(problems), tuple(_warnings(spec)))


def start_zones(terms: SideFields) -> tuple[int, ...]:
    """Return the zones in which a side may set up, ascending."""
    return tuple(sorted({zone for step in terms.setup for zone in step.zones}))


def has_free_rest(terms: SideFields) -> bool:
    """Return True if the rest of a side may set up on the whole map, or anywhere that its first group doesn't. MM-013.

    This is printed for Opening Shots and At the Hot Gates, so those zones belong to neither side.
    """
    return [step.who for step in terms.setup][1:] == ["rest"] and set(start_zones(terms)) >= set(ZONES)


def own_zones(terms: SideFields) -> tuple[int, ...]:
    """Return the set-up zones that the enemy can't also have, ascending."""
    return start_zones(terms) if not has_free_rest(terms) else tuple(sorted(set(terms.setup[0].zones)))


# --- limits -----------------------------------------------------------------------------------------------------------


def _limit_problems(spec: ScenarioSpec) -> Iterator[Problem]:
    if not 1 <= spec.turn_limit <= MAX_TURNS:
        yield Problem("MM-091", f"The turn limit must be 1 to {MAX_TURNS}, not {spec.turn_limit}.", "turn_limit")
    for side, terms in spec.sides():
        if not MIN_POINTS <= terms.points <= MAX_POINTS:
            yield Problem(
                "MM-010",
                f"The {side}'s points must be {MIN_POINTS} to {MAX_POINTS}, not {terms.points}.",
                f"{side}.points",
            )
        if terms.support_rolls > MAX_ROLLS:
            yield Problem(
                "MM-014",
                f"The {side} makes {terms.support_rolls} support rolls; the limit is {MAX_ROLLS}.",
                f"{side}.support_rolls",
            )
        yield from _composition_problems(spec, side, terms)
        yield from _pilot_problems(side, terms)
        yield from _extra_problems(spec, side, terms)


def _composition_problems(spec: ScenarioSpec, side: str, terms: SideFields) -> Iterator[Problem]:
    """Yield problems with the sizes required of a side. MM-010."""
    wanted = {size: count for size, count in terms.composition.items() if count}
    place = f"{side}.composition"
    if sum(wanted.values()) > MAX_MEKS:
        yield Problem("MM-010", f"The {side} fields {MAX_MEKS} Meks at most, not {sum(wanted.values())}.", place)
    for size in wanted:
        if SIZES.index(size) > SIZES.index(spec.max_size):
            names = CATALOGUE.chassis[size].name, CATALOGUE.chassis[spec.max_size].name
            yield Problem("MM-010", f"The {side} must field {names[0]} Meks, but the size limit is {names[1]}.", place)
    least = sum(CATALOGUE.chassis[size].points * count for size, count in wanted.items())
    if least > terms.points >= MIN_POINTS:
        yield Problem(
            "MM-010",
            f"The Meks that the {side} must field cost {least} points even when bare, but they have {terms.points}.",
            place,
        )


def _pilot_problems(side: str, terms: SideFields) -> Iterator[Problem]:
    """Yield problems with free pilots. MM-011."""
    for slug, count in terms.free_pilots.items():
        level = CATALOGUE.levels[slug]
        if count and level.hire_points is None:
            yield Problem("MM-011", f"New pilots are Green or Regular, never {level.name}.", f"{side}.free_pilots")


def _extra_problems(spec: ScenarioSpec, side: str, terms: SideFields) -> Iterator[Problem]:
    """Yield problems with the scenario's support units. MM-013, MM-088, MM-089."""
    others = spec.defender if side == "attacker" else spec.attacker
    seen: set[tuple[str, int]] = set()
    for at, extra in enumerate(terms.extra):
        place = f"{side}.extra[{at}]"
        name = CATALOGUE.support_units[extra.unit].name
        if extra.count == 0:
            yield Problem("MM-088", f"The {side} gets no {name}. Remove the line or enter a number.", place)
        if extra.zone not in ZONES:
            yield Problem("MM-013", f"The {side}'s {name}: {_no_zone(extra.zone)}", place)
        elif extra.zone in own_zones(others):
            other = "defender" if side == "attacker" else "attacker"
            yield Problem(
                "MM-013", f"The {side}'s {name} can't start in zone {extra.zone}, where the {other} does.", place
            )
        if extra.unit == "apc":
            yield Problem("MM-089", "An APC only comes with infantry, from a support roll.", place)
        if (extra.unit, extra.zone) in seen:
            yield Problem(
                "MM-088",
                f"The {side}'s {name} in zone {extra.zone} is listed twice. List it once with the total.",
                place,
            )
        seen.add((extra.unit, extra.zone))
    total = sum(extra.count for extra in terms.extra)
    if total > MAX_EXTRA:
        yield Problem("MM-088", f"The {side} gets {total} support units; the limit is {MAX_EXTRA}.", f"{side}.extra")


# --- set-up -----------------------------------------------------------------------------------------------------------


def _setup_problems(spec: ScenarioSpec) -> Iterator[Problem]:
    """Yield problems with set-up zones and arrival. MM-013, MM-098."""
    for side, terms in spec.sides():
        if terms.arrival is not None:
            yield from _arrival_problems(spec, side, terms)
            continue
        if not terms.setup:
            yield Problem("MM-013", f"The {side} has no set-up zones. Choose where the Meks start.", f"{side}.setup")
        else:
            yield from _step_problems(side, terms)


def _arrival_problems(spec: ScenarioSpec, side: str, terms: SideFields) -> Iterator[Problem]:
    assert terms.arrival is not None
    place = f"{side}.arrival"
    if side == "defender":
        yield Problem("MM-098", "Only the attacker can arrive during the game; the defender sets up.", place)
        return
    if terms.setup:
        yield Problem("MM-098", "The attacker either sets up or arrives, not both. Remove the set-up zones.", place)
    zones = terms.arrival.zones
    yield from (Problem("MM-098", f"The attacker's arrival: {_no_zone(zone)}", place) for zone in _off_map(zones))
    if len(zones) != 2 or len(set(zones)) != 2:
        message = f"Arrival needs two different zones, one for 1-3 and one for 4-6, not {len(set(zones))}."
        yield Problem("MM-098", message, place)
    if spec.objective.kind == "clear-and-leave":
        message = "The attacker can't arrive later in this scenario: it ends when no attacking Mek is on the map."
        yield Problem("MM-094", message, place)


def _step_problems(side: str, terms: SideFields) -> Iterator[Problem]:
    for at, step in enumerate(terms.setup):
        place = f"{side}.setup[{at}].zones"
        if not step.zones:
            what = {"all": "Meks", "rest": "other Meks"}.get(step.who, "first group")
            yield Problem("MM-013", f"The {side}'s {what} have no set-up zone. Choose at least one.", place)
        yield from (Problem("MM-013", f"The {side}'s set-up: {_no_zone(zone)}", place) for zone in _off_map(step.zones))
        for zone in _repeated_zones(step.zones):
            yield Problem("MM-013", f"Zone {zone} is listed twice in the {side}'s set-up.", place)
    groups = [step.who for step in terms.setup]
    place = f"{side}.setup"
    if groups[0] == "rest":
        yield Problem("MM-013", f"The {side}'s set-up starts with the rest. Add a first group.", place)
    elif groups[0] == "all" and len(groups) > 1:
        yield Problem("MM-013", f"The first group already has all Meks of the {side}. Remove the rest.", place)
    elif groups[0] != "all" and groups[1:] != ["rest"]:
        yield Problem(
            "MM-013", f"The {side}'s set-up has one group and then the rest. Choose where the rest starts.", place
        )


def _overlap_problems(spec: ScenarioSpec) -> Iterator[Problem]:
    """Yield the problem of set-up zones shared by both sides. MM-013."""
    shared = _shared(spec)
    if not shared:
        return
    zones = _named(shared)
    are = "is a set-up zone" if len(shared) == 1 else "are set-up zones"
    message = f"{zones} {are} for both sides. Remove {'it' if len(shared) == 1 else 'them'} from one side."
    yield Problem("MM-013", message, "defender.setup")


def _shared(spec: ScenarioSpec) -> list[int]:
    """Return the set-up zones shared by both sides."""
    return sorted(set(own_zones(spec.attacker)) & set(own_zones(spec.defender)) & set(ZONES))


# --- objective --------------------------------------------------------------------------------------------------------


def _objective_problems(spec: ScenarioSpec) -> Iterator[Problem]:
    """Yield problems with the objective. MM-091 to MM-097."""
    objective = spec.objective
    kind, key = objective.kind, objective.key_zone
    if kind is None:
        message = "The scenario has no victory condition. Choose an objective."
        yield Problem("MM-091", message, "objective.kind")
        return
    rule = VICTORY_RULES[kind]
    if key is not None and key not in ZONES:
        yield Problem(rule, f"The key zone: {_no_zone(key)}", "objective.key_zone")
    elif key is None and kind in WITH_KEY_ZONE:
        yield Problem(rule, "This objective needs a key zone. Choose one.", "objective.key_zone")
    if kind in WITH_EXITS:
        yield from _exit_problems(spec, rule)
    if key in ZONES and kind in ("occupy", "breach") and key in start_zones(spec.attacker):
        message = f"The attacker must take zone {key} but starts there. Move the start or the key zone."
        yield Problem(rule, message, "objective.key_zone")
    steps = spec.defender.setup
    if key in ZONES and kind == "stronghold" and steps and key not in steps[0].zones:
        message = f"The defender must have a Mek in zone {key} from turn 1. Let the first group set up there."
        yield Problem(rule, message, "objective.key_zone")
    if kind == "breach" and 1 <= spec.turn_limit < BREACH_TURNS:
        message = f"The zone must be held {BREACH_TURNS} turn ends in a row, so {pluralize(spec.turn_limit, 'turn')} is too few."
        yield Problem(rule, message, "turn_limit")


def _exit_problems(spec: ScenarioSpec, rule: str) -> Iterator[Problem]:
    """Yield problems with the exit zones. MM-021, MM-093, MM-094."""
    objective = spec.objective
    place = "objective.exit_zones"
    if not objective.exit_zones:
        yield Problem(rule, "This objective needs exit zones. Choose where the attacker may leave the map.", place)
        return
    yield from (Problem("MM-021", f"The exits: {_no_zone(zone)}", place) for zone in _off_map(objective.exit_zones))
    for zone in _repeated_zones(objective.exit_zones):
        yield Problem("MM-021", f"Zone {zone} is listed twice among the exits.", place)
    if objective.exit_edge is None:
        yield Problem("MM-021", "Choose the map edge of the exit zones.", "objective.exit_edge")
    else:
        inner = [zone for zone in objective.exit_zones if zone in ZONES and zone not in EDGES[objective.exit_edge]]
        if inner:
            verb = "does" if len(inner) == 1 else "do"
            message = f"{_named(inner)} {verb} not touch the {objective.exit_edge} edge of the map."
            yield Problem("MM-021", message, place)
    both = sorted(set(objective.exit_zones) & set(start_zones(spec.attacker)))
    if both and objective.kind == "break-out":
        message = f"The attacker starts in {_named(both).lower()}, an exit, and would leave before any fight."
        yield Problem(rule, message, place)


# --- what the author may not have meant -------------------------------------------------------------------------------


def _warnings(spec: ScenarioSpec) -> Iterator[Problem]:
    objective = spec.objective
    kind, key = objective.kind, objective.key_zone
    for side, terms in spec.sides():
        if has_free_rest(terms):
            message = f"The {side}'s rest may set up anywhere, even in the enemy's set-up zones."
            yield Problem("MM-013", message, f"{side}.setup")
    arrival = spec.attacker.arrival
    if arrival is not None:
        met = sorted(set(arrival.zones) & set(start_zones(spec.defender)))
        if met:
            yield Problem(
                "MM-098", f"Attackers arrive in {_named(met).lower()}, among the defenders.", "attacker.arrival"
            )
        if spec.turn_limit < LAST_ARRIVAL:
            message = f"Some attackers may never arrive: the last arrive on turn {LAST_ARRIVAL}."
            yield Problem("MM-098", message, "turn_limit")
    if kind is not None and kind not in WITH_EXITS and (objective.exit_zones or objective.exit_edge):
        yield Problem(
            "MM-021", "Nobody leaves the map in this objective, so the exit zones do nothing.", "objective.exit_zones"
        )
    if kind == "breach" and key in ZONES and key not in start_zones(spec.defender):
        message = f"No defender can set up in zone {key}, so the attacker may find it empty."
        yield Problem("MM-095", message, "objective.key_zone")
    if kind == "clear-and-leave":
        both = sorted(set(objective.exit_zones) & set(start_zones(spec.attacker)))
        if both:
            yield Problem("MM-094", f"The attacker starts in {_named(both).lower()}, an exit.", "objective.exit_zones")
    if kind in ("break-out", "clear-and-leave", "last-standing") and key is None:
        message = f"No key zone is chosen, so defenders on hold guard zone {key_zone_of(spec)}."
        yield Problem("MM-013", message, "objective.key_zone")
    for side, terms in spec.sides():
        meks, pilots = sum(terms.composition.values()), sum(terms.free_pilots.values())
        if meks and pilots > meks:
            yield Problem(
                "MM-011",
                f"The {side} has {pluralize(pilots, 'free pilot')} for {pluralize(meks, 'Mek')}.",
                f"{side}.free_pilots",
            )


def _off_map(zones: Sequence[int]) -> list[int]:
    return sorted({zone for zone in zones if zone not in ZONES})


def _repeated_zones(zones: Sequence[int]) -> list[int]:
    return sorted(zone for zone, count in Counter(zones).items() if count > 1 and zone in ZONES)


def _no_zone(zone: int) -> str:
    return f"there is no zone {zone}; the map has zones 1 to 9."


def _named(zones: Sequence[int]) -> str:
    """Return the zones with their noun: `Zone 3`, `Zones 3 and 4`."""
    return f"Zone{'s' if len(zones) > 1 else ''} {join_words([str(zone) for zone in zones])}"
