"""Scenarios in words, the check of a force for a scenario, and the texts of shared pages and battle reports."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from systems.battle_display import (
    BattleWords,
    ScenarioTerms,
    SideTerms,
    SupportLine,
    SupportResult,
    SupportRoll,
    SupportUse,
    describe_ground,
)
from systems.catalogue import FIRST_RELEASE
from systems.engine.dice import Dice, roll
from systems.engine.events import Event
from systems.legality import Check, Problem, join_words
from systems.meks_and_mercs.battle.rules.support import support_result
from systems.meks_and_mercs.battle.scenario_setup import company_check
from systems.meks_and_mercs.battle.setup import (
    PRINTED,
    ROLL,
    field_units,
    read_pilot,
    read_scenario,
    scenario_of,
    support_rolls,
)
from systems.meks_and_mercs.build import SYSTEM as ROSTERS
from systems.meks_and_mercs.build.spec import MekSpec
from systems.meks_and_mercs.catalogue import CATALOGUE, Scenario, ScenarioSide
from systems.roster import CompanyMember
from systems.setups import Setup, SetupUnit

RESULTS: Mapping[str, SupportResult] = {
    result.slug: SupportResult(
        slug=result.slug,
        name=result.name,
        table=result.table,
        effect=result.effect,
        rule=result.rule,
        is_kept=result.slug == "rich-uncle",  # MM-087, MM-S07: it pays as soon as it is rolled
    )
    for result in sorted(CATALOGUE.support.values(), key=lambda result: (result.table, result.face))
}
RESULT_SLUGS = tuple(RESULTS)  # in the order of the numbers in `support-rolled`
GROUP_NAMES = {
    "all": "all",
    "rest": "the rest",
    "at-least-1-mek": "at least one Mek",
    "half-of-points": "half of the points",
    "half-of-meks": "half of the Meks",
}
OPENING_USES = {  # the first use of a result: kind of event -> slug
    "ambush-sprung": "ambush",
    "battle-damage-done": "battle-damage",
    "mines-laid": "minefield",
    "mek-hidden": "hidden-mek",
    "drone-sent": "recon-drone",
    "unit-repaired": "repair-truck",
    "unit-dug-in": "digging-in",
}
LATER_USES = {"mine-triggered": "minefield", "unit-revealed": "hidden-mek"}
UNIT_USES = {
    "unit-placed",
    "unit-arrived",
    "infantry-landed",
    "commandos-detected",
    "commandos-identified",
    "commandos-marked",
    "decoy-removed",
    "unit-destroyed",
}


def terms_of(scenario: Scenario) -> ScenarioTerms:
    """Return the scenario in words. MM-010, MM-013."""
    return ScenarioTerms(
        slug=scenario.slug,
        name=scenario.name,
        brief=scenario.brief,
        victory_rule=scenario.victory_rule,
        turns=scenario.turn_limit,
        is_terrain_free="terrain" in scenario.ours,
        ground=tuple(CATALOGUE.terrain[slug].name for slug in scenario.terrain),
        sides=(_side_terms(scenario, scenario.attacker), _side_terms(scenario, scenario.defender)),
    )


def _side_terms(scenario: Scenario, side: ScenarioSide) -> SideTerms:
    if side.composition:
        fields = join_words([f"{count} {CATALOGUE.chassis[size].name}" for size, count in side.composition.items()])
    else:
        fields = f"Meks up to {CATALOGUE.chassis[scenario.max_size].name}"
    if side.free_pilots:
        free = join_words([f"{count} {CATALOGUE.levels[slug].name}" for slug, count in side.free_pilots.items()])
        fields += f", pilots free of points: {free}"
    extra = [f"{group.count} {CATALOGUE.support_units[group.unit].name} in zone {group.zone}" for group in side.extra]
    starts = [f"{GROUP_NAMES[step.who]} in {_zones(step.zones)}" for step in side.setup]
    if side.arrival:
        starts.append(f"arrives piece by piece in {_zones(side.arrival.zones)}")
    return SideTerms(
        points=side.points, rolls=side.support_rolls, fields=fields, starts=", ".join(starts), extra=join_words(extra)
    )


def _zones(zones: Sequence[int]) -> str:
    if len(zones) == 1:
        return f"zone {zones[0]}"
    if len(zones) > 3 and list(zones) == list(range(zones[0], zones[-1] + 1)):
        return f"zones {zones[0]} to {zones[-1]}"
    return f"zone {', '.join(map(str, zones[:-1]))} or {zones[-1]}"


def place_title(setup: Setup) -> str:
    """Return what is played and where, in a few words."""
    terrain = CATALOGUE.terrain.get(setup.terrain)
    scenario = scenario_of(setup)
    if scenario is None:
        return terrain.name if terrain else setup.terrain
    return f"{scenario.name} on {terrain.name}" if terrain else scenario.name


def describe_terrain(setup: Setup) -> str:
    """Describe the terrain, in a scenario zone by zone."""
    scenario = scenario_of(setup)
    if scenario is None:
        return place_title(setup)
    slugs = scenario.terrain if setup.terrain == PRINTED else (setup.terrain,) * len(scenario.terrain)
    return describe_ground(tuple(CATALOGUE.terrain[slug].name for slug in slugs))


def allowed_rolls(scenario: Scenario, at: int, pilots: Iterable[Mapping[str, object] | None]) -> int:
    """Return the number of support rolls for a side with these pilots. MM-014, MM-075."""
    crews = [read_pilot(pilot, "pilot")[0] for pilot in pilots]
    return support_rolls((scenario.attacker, scenario.defender)[at].support_rolls, crews)


def roll_for_support(dice: Dice) -> SupportRoll:
    """Make one support roll, for a game at the table. MM-014."""
    table, entry = roll(dice, 6), roll(dice, 6)
    return SupportRoll(faces=(table, entry), slug=RESULT_SLUGS[support_result(table, entry)])


def check_side(
    given: str | Mapping[str, object],
    at: int,
    units: Sequence[SetupUnit],
    support: Sequence[str],
    options: Mapping[str, object],
    release: str = FIRST_RELEASE,
) -> Check:
    """Return points and all problems of one side's units. MM-010, MM-011.

    Raises DocumentError for unreadable input.
    """
    scenario, rosters = read_scenario(given), ROSTERS.of(release)
    members: list[CompanyMember[MekSpec]] = []
    others, alien = 0, []
    for place, unit in enumerate(units):
        slug = unit.design
        if isinstance(slug, str) and slug in CATALOGUE.support_units:
            kind = CATALOGUE.support_units[slug]
            others += kind.worth
            if scenario:
                message = f"{kind.name}: support units come by support results."
                alien.append(Problem("MM-088", message, f"members[{place}]"))
            continue
        published = rosters.published.get(slug) if isinstance(slug, str) else None
        spec = published.spec if published else rosters.parse_spec(slug, f"units[{place}].design")
        pilot, is_new = read_pilot(unit.pilot, f"units[{place}].pilot")
        name = unit.name or (published.name if published else f"{spec.frame.name} Mek")
        members.append(CompanyMember(name, spec, pilot, is_new))
    if scenario:
        check = company_check(given, at, members, options)
        return replace(check, problems=(*alien, *check.problems))
    points, problems = others, []
    for place, member in enumerate(members):
        design = ROSTERS.check_design(member.spec, options)
        points += design.points
        found = [*design.problems, *(ROSTERS.check_pilot(member.pilot, member.spec) if member.pilot else ())]
        problems += [Problem(one.rule, f"{member.name}: {one.message}", f"members[{place}]") for one in found]
    return Check(points, tuple(problems))


@dataclass(slots=True)
class _OpenLine:
    """A support line being put together."""

    side: int
    slug: str
    faces: tuple[int, ...]
    keys: tuple[str, ...]  # keys of the units it brought
    uses: list[SupportUse]


def describe_support(setup: Setup, events: Iterable[tuple[Event, str]]) -> tuple[SupportLine, ...]:
    """Return both sides' support results, chosen ones first, with their uses in these events."""
    units = field_units(setup)
    sides = {unit.unit.key: unit.side for unit in units}
    lines = [
        _OpenLine(at, slug, (), (), []) for at, side in enumerate(setup.sides) for slug in side.support if slug != ROLL
    ]
    for unit in units:  # units from chosen results, in the order of the results
        if unit.roll >= 0 or unit.role not in ("support", "decoy", "landing"):
            continue
        for line in lines:
            result = CATALOGUE.support[line.slug]
            brings = {"decoy": line.slug == "decoy", "landing": line.slug == "mech-infantry"}.get(
                unit.role, unit.support is not None and result.unit == unit.support.slug
            )
            if line.side == unit.side and brings and len(line.keys) < (2 if line.slug == "mech-infantry" else 1):
                line.keys = (*line.keys, unit.unit.key)
                break
    rolls = [0, 0]
    for number, (event, text) in enumerate(events, start=1):
        if event.kind == "support-rolled":
            side = event.number("side")
            held = tuple(unit.unit.key for unit in units if unit.side == side and unit.roll == rolls[side])
            rolls[side] += 1
            lines.append(_OpenLine(side, RESULT_SLUGS[event.number("support")], event.faces, held, []))
            continue
        for line in _used_in(event, lines, sides):
            line.uses.append(SupportUse(max(1, event.round), number, text))
    return tuple(
        SupportLine(
            side=line.side,
            result=RESULTS[line.slug],
            faces=line.faces,
            uses=tuple(line.uses),
            is_used=bool(line.uses) or RESULTS[line.slug].is_kept,
        )
        for line in sorted(lines, key=lambda line: line.side)
    )


def _used_in(event: Event, lines: Sequence[_OpenLine], sides: Mapping[str, int]) -> list[_OpenLine]:
    """Return the lines whose support this event uses."""
    if event.kind in UNIT_USES:
        return [line for line in lines if event.unit in line.keys and _brings_units(line.slug)]
    if event.kind == "initiative-rolled":
        names = {part.name for part in event.modifiers if part.value}
        first = [at for at, name in enumerate(("attacker's Surprise", "defender's Surprise")) if name in names]
        return [line for line in lines if line.slug == "surprise" and line.side in first]
    side = sides.get(event.unit or "", -1)
    if "side" in event.result:
        side = event.number("side")
    slug = OPENING_USES.get(event.kind) or LATER_USES.get(event.kind, "")
    if event.kind == "off-board-fired":
        slug = "air-strike" if event.result["slot"] else "support-fire"
    if event.kind == "mine-triggered":
        side = 1 - side
    own = [line for line in lines if line.side == side and line.slug == slug]
    if event.kind == "mines-laid":
        return own  # all of them at once
    fresh = [line for line in own if not line.uses]
    if event.kind in LATER_USES:
        own = [line for line in own if line.uses]
        return own[:1]
    return fresh[:1] or own[-1:]


def _brings_units(slug: str) -> bool:
    return slug == "decoy" or bool(CATALOGUE.support[slug].unit)


WORDS = BattleWords(
    lead="A fight in one zone, or a whole scenario on the map with support rolls.",
    plain="Up to twelve units a side fight it out in one zone until one side is wiped out or has left. No support and no points limit.",
    whole_game="Nine zones, support rolls, an objective",
    choices="one zone or a whole scenario, up to twelve units a side, pilots and skills, support, house rules",
    pilots=(
        "A Green or Regular without skills is hired for this game: a Regular costs 5 points where the scenario gives none."
    ),
    duel="one Mek a side, Regular pilots without skills",
    repair=(
        "Points after one battle, by rule MM-S09: one for each lost Hit, leg damage, destroyed weapon or system, and for"
        " each pair of CIWS that lost one or both. Destroyed units are gone and cost nothing to repair; damage a unit"
        " brought along is on its bill too."
    ),
    illustration="meks-and-mercs/_illustration.html",
)
