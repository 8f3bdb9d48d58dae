"""Cards of units and pilots, blank cards, extra tables and counters. Ledger 7, 8.2.

Tracks can be hidden underground (MC-060, MC-063).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from systems.artwork import code_of, silhouette
from systems.legality import join_words
from systems.mech_campaign.build import SYSTEM
from systems.mech_campaign.build.datasheet import (
    COSTS,
    FACES,
    LOCK_BOXES,
    SUPPRESSION_BOXES,
    Datasheet,
    needed_number,
    retreat_chance,
)
from systems.mech_campaign.catalogue import (
    CATALOGUE,
    DAMAGE_THAT_STAYS,
    DAMAGE_TO_ELIMINATE,
    SHOOTING_RANGE_H,
    Action,
    Marker,
    UnitKind,
)
from systems.mech_campaign.options import BY_THE_BOOK, Options, actions_by_house_rules
from systems.paper.blocks import (
    NO_BOXES,
    Addition,
    Block,
    Box,
    CardContent,
    CardFace,
    Cell,
    CounterContent,
    Detail,
    Entries,
    Entry,
    Lines,
    Row,
    Strip,
    Table,
    Ticks,
    Track,
    beyond_boxes,
    count_boxes,
    identity_blocks,
    or_more,
    percent,
    pluralize,
)
from systems.paper.metrics import isolated
from systems.roster import PilotCard
from systems.text import format_decimal, format_signed

SYSTEM_NAME = "Mech Campaign"
NOTES = "Notes"
MARKER_WORDS = ("suppressed", "locked")
ACTIVATED = ("activated", (False,))
RULER_IN = (4, SHOOTING_RANGE_H // 100)  # a ground move and the distance that stops it, MC-047, MC-049; a shot, MC-070


def unit_front(sheet: Datasheet, detail: Detail = "brief") -> CardFace:
    blocks: list[Block] = [
        Strip(cells=cells(sheet)),
        Track(label="DAMAGE", boxes=damage_boxes(sheet.damage), is_large=True, says="hits_lost"),
        action_track(),
        Ticks(items=(ACTIVATED, *marker_ticks())),
        hit_table(sheet),
        Entries(title="Unit", entries=_entries(sheet)),
    ]
    if detail == "full":
        blocks.append(numbers_table(sheet))
    if sheet.is_piloted:
        pilot = sheet.pilot
        blocks.append(Entries(title="Pilot", note=f"{isolated(pilot.name)} · {pilot.rank_name}" if pilot else ""))
    return CardFace(
        title=sheet.name,
        kicker=_kicker(sheet),
        corner=str(sheet.points),
        corner_label="points",
        blocks=tuple(blocks),
        notes=NOTES,
        ruler_in=RULER_IN,
    )


def _kicker(sheet: Datasheet) -> str:
    kicker = [sheet.size_name]
    if is_named(sheet):
        kicker.append(isolated(sheet.design_name))
    if sheet.company:
        kicker.append(isolated(sheet.company))
    return " · ".join(kicker)


def is_named(sheet: Datasheet) -> bool:
    """Return whether the design's name adds anything to the unit's name and kind."""
    return sheet.design_name.casefold() not in (sheet.name.casefold(), sheet.size_name.casefold())


def _entries(sheet: Datasheet) -> tuple[Entry, ...]:
    entries = [Entry(name="Rules", text=sheet.line)]
    if can := abilities(sheet):
        entries.append(Entry(name="Can", text=can))
    if sheet.base_vehicle:
        entries.append(Entry(name="Base vehicle", text=isolated(sheet.base_vehicle)))
    if sheet.armament:
        entries.append(Entry(name="Armament", text=isolated(sheet.armament)))
    if sheet.in_workshop:
        entries.append(Entry(name="Workshop", text="starts with 1 damage"))
    return tuple(entries)


def abilities(sheet: Datasheet) -> str:
    """Return the unit's actions other than moving and firing."""
    able = (("lock", sheet.can_lock), ("repair", sheet.can_repair), ("take special actions", sheet.can_special))
    return ", ".join(name for name, can in able if can)


def cells(sheet: Datasheet) -> tuple[Cell, ...]:
    hit = sheet.to_hit[0]
    return (
        Cell(label="MOVE", value=sheet.move, note="a turn"),
        Cell(label="FIRE", value=sheet.fire, note="front 180°"),
        Cell(label="TO HIT", value=or_more(hit.number), note=percent(hit.chance)),
    )


def damage_boxes(damage: int = 0) -> tuple[Box, ...]:
    """Return the damage boxes: the first can't be repaired, the last eliminates the unit."""
    notes = {DAMAGE_THAT_STAYS - 1: "stays", DAMAGE_TO_ELIMINATE - 1: "out"}
    return tuple(Box(is_marked=at < damage, below=notes.get(at, "")) for at in range(DAMAGE_TO_ELIMINATE))


def action_track() -> Track:
    """Return one box per action of an activation, with its cost. MC-037."""
    return Track(label="ACTIONS", boxes=tuple(Box(inside=str(cost)) for cost in COSTS))


def marker_ticks() -> tuple[tuple[str, tuple[bool, ...]], ...]:
    counts = (SUPPRESSION_BOXES, LOCK_BOXES)
    return tuple((word, (False,) * count) for word, count in zip(MARKER_WORDS, counts, strict=True))


def hit_table(sheet: Datasheet) -> Table:
    rows = tuple(Row(name=hit.name, cells=(or_more(hit.number), percent(hit.chance))) for hit in sheet.to_hit)
    return Table(title="To hit", heads=("D6", "chance"), rows=rows, cell_mm=9.0)


def numbers_table(sheet: Datasheet) -> Table:
    """Return a table of reach and expected damage by action points."""
    damage = dict(sheet.expected_damage)
    rows = tuple(
        Row(
            name=f"{points} point{'s' if points > 1 else ''}",
            cells=(reach, format_decimal(damage[points]) if points in damage else ""),
        )
        for points, reach in sheet.reach
    )
    return Table(title="For action points", heads=("reach", "damage"), rows=rows, cell_mm=17.0)


def unit_back(detail: Detail = "brief", options: Options = BY_THE_BOOK) -> CardFace:
    """Return the back, which is the same for all units with these house rules."""
    modifiers = (modifier_table(),) if detail == "full" else ()
    return CardFace(
        title="Turn",
        kicker=f"{SYSTEM_NAME} · action points: own units + D6",
        blocks=(actions(detail, options), markers(detail), *modifiers, resolve(options)),
        notes=NOTES,
    )


def actions(detail: Detail = "brief", options: Options = BY_THE_BOOK) -> Entries:
    """Return the actions; with full detail also which kinds of units can take them."""
    kinds = [*CATALOGUE.unit_kinds.values()]
    entries = tuple(
        Entry(name=action.name, text=describe_action(action, kinds) if detail == "full" else action.effect)
        for action in actions_by_house_rules(options)
    )
    return Entries(title="Actions", entries=entries)


def can_take(slug: str, kind: UnitKind) -> bool:
    """Return whether a unit of that kind can ever take the action."""
    able = {"move": kind.can_move, "lock": kind.can_lock, "repair": kind.can_repair, "special": kind.can_special}
    return able.get(slug, True)


def describe_action(action: Action, kinds: Sequence[UnitKind]) -> str:
    """Describe an action, with the kinds of units (of these) that can take it if not all can."""
    able = [f"{kind.name.lower()}s" for kind in kinds if can_take(action.slug, kind)]
    if len(able) == len(kinds):
        return action.effect
    who = join_words(able)
    return f"{action.effect} {who[:1].upper()}{who[1:]} only."


def markers(detail: Detail = "brief") -> Entries:
    entries = tuple(
        Entry(name=marker.name, text=describe_marker(marker) if detail == "full" else marker.effect)
        for marker in CATALOGUE.markers.values()
    )
    return Entries(title="Markers", entries=entries)


def describe_marker(marker: Marker) -> str:
    """Describe a marker's effect and removal."""
    return f"{marker.effect} Removed: {marker.removed[:1].lower()}{marker.removed[1:]}"


def modifier_table() -> Table:
    rows = tuple(Row(name=line.name, cells=(format_signed(line.to_hit),)) for line in CATALOGUE.modifiers.values())
    return Table(title="To hit: 4+ on a D6", heads=("die",), rows=rows, cell_mm=9.0)


def resolve(options: Options = BY_THE_BOOK) -> Entries:
    """Return the faces at which a force retreats after each loss."""
    bonus = options.resolve_bonus
    text = "; ".join(f"{lost}: {faces}" for lost, faces in retreats(DAMAGE_TO_ELIMINATE + 1, bonus) if faces)
    return Entries(title="Resolve", entries=(Entry(name="Retreats at loss", text=f"{text} on the D6."),))


def retreats(losses: int, bonus: int) -> tuple[tuple[int, str], ...]:
    """Return each loss up to `losses`, with the faces at which the force then retreats; empty: none. MC-101, MC-102."""
    worst = {lost: int(retreat_chance(lost, bonus) * len(FACES)) for lost in range(1, losses + 1)}
    return tuple((lost, "" if not face else "1" if face == 1 else f"1–{face}") for lost, face in worst.items())


MAX_EXPERIENCE = max(rank.experience for rank in CATALOGUE.ranks.values())
EXPERIENCE_ROW = 6  # boxes per row; they don't all fit in one
HURT_BOXES = 3
BEHIND = ("MC-209", "MC-205", "MC-202")


def pilot_card(pilot: PilotCard, sheet: Datasheet | None, company: str, detail: Detail) -> CardContent:
    return CardContent(front=_front(pilot, sheet, company), back=pilot_back(pilot, detail))


def _front(pilot: PilotCard, sheet: Datasheet | None, company: str) -> CardFace:
    rank = CATALOGUE.ranks[pilot.experience]
    blocks = identity_blocks(pilot)
    blocks.append(Strip(cells=rank_cells(rank.name, pilot.points)))
    blocks += tracks(pilot.points or 0, pilot.games, pilot.kills)
    blocks.append(Ticks(items=wound_ticks()))
    if sheet:
        flown = dict.fromkeys((isolated(sheet.name), isolated(sheet.design_name)))
        blocks.append(Entries(title="Flies", note=" · ".join([*filter(None, flown), sheet.size_name])))
    else:
        blocks.append(Entries(title="Flies"))
    kicker = " · ".join(filter(None, ("Pilot", rank.name, isolated(company))))
    return CardFace(title=pilot.name, kicker=kicker, blocks=tuple(blocks), notes=NOTES)


def rank_cells(rank: str, points: int | None) -> tuple[Cell, ...]:
    experience = (Cell(label="EXPERIENCE", value=str(points)),) if points is not None else ()
    return (Cell(label="RANK", value=rank), *experience)


def tracks(points: int, games: int, kills: int) -> tuple[Block, ...]:
    record = f"{pluralize(games, 'battle')}, {pluralize(kills, 'elimination')}"
    experience = experience_boxes(points)
    return (
        Track(label="EXP", boxes=experience[:EXPERIENCE_ROW]),
        Track(label=f"EXP {EXPERIENCE_ROW + 1}+", boxes=experience[EXPERIENCE_ROW:]),
        Track(label="BATTLES", boxes=count_boxes(games)),
        Track(label="KILLS", boxes=count_boxes(kills)),
        *((Entries(title="Record", note=record),) if beyond_boxes(games) or beyond_boxes(kills) else ()),
    )


def experience_boxes(points: int) -> tuple[Box, ...]:
    """Return the boxes up to the last rank; below a box is the rank that it reaches."""
    ranks = {rank.experience: rank.name.lower() for rank in CATALOGUE.ranks.values()}
    return tuple(
        Box(inside=str(number), below=ranks.get(number, "")[:3], is_marked=number <= points)
        for number in range(1, MAX_EXPERIENCE + 1)
    )


def wound_ticks() -> tuple[tuple[str, tuple[bool, ...]], ...]:
    """Return the wounds that a pilot can take after a game. MC-205."""
    return (("hurt, misses a battle", (False,) * HURT_BOXES), ("killed", (False,)))


def pilot_back(pilot: PilotCard | None, detail: Detail = "brief") -> CardFace:
    now = pilot.experience if pilot else ""
    rows = tuple(
        Row(name=f"{rank.name} (now)" if rank.slug == now else rank.name, cells=(str(rank.experience),))
        for rank in CATALOGUE.ranks.values()
    )
    rules = [SYSTEM.rulebook[rule] for rule in (BEHIND if detail == "full" else BEHIND[:2])]
    return CardFace(
        title="Experience",
        kicker=SYSTEM_NAME,
        blocks=(
            Table(title="Ranks", heads=("from",), rows=rows, cell_mm=8.5),
            Entries(title="In a campaign", entries=tuple(Entry(name=rule.title, text=rule.text) for rule in rules)),
        ),
        notes=NOTES,
    )


SITUATIONS = ("In the open", "Target in cover", "From higher ground", "With a friend's lock")
RULE_LINES = 2


def blank_unit_card(options: Options = BY_THE_BOOK) -> CardContent:
    blocks: tuple[Block, ...] = (
        _empty_cells("KIND", "MOVE", "FIRE", "TO HIT"),
        Track(label="DAMAGE", boxes=damage_boxes(), is_large=True),
        action_track(),
        Ticks(items=(ACTIVATED, *marker_ticks())),
        Ticks(items=tuple((word, (False,)) for word in ("can lock", "can repair", "can take special actions"))),
        Lines(
            title="To hit", heads=("D6",), cell_mm=9.0, count=len(SITUATIONS), leads=("open", "cover", "hill", "lock")
        ),
        Lines(title="Rules", count=RULE_LINES),
        Entries(title="Pilot"),
        Entries(title="Base vehicle"),
    )
    front = CardFace(
        title="",
        kicker="Name of the unit",
        corner_label="points",
        blocks=blocks,
        notes="Armament and notes",
        ruler_in=RULER_IN,
    )
    return CardContent(front=front, back=unit_back(options=options))


def blank_pilot_card() -> CardContent:
    blocks: tuple[Block, ...] = (
        Entries(title="Callsign"),
        _empty_cells("RANK", "EXPERIENCE"),
        *tracks(0, 0, 0),
        Ticks(items=wound_ticks()),
        Entries(title="Flies"),
        Entries(title="Company"),
    )
    return CardContent(
        front=CardFace(title="", kicker="Name of the pilot", blocks=blocks, notes="Notes"), back=pilot_back(None)
    )


def _empty_cells(*labels: str) -> Strip:
    return Strip(cells=tuple(Cell(label=label, value="") for label in labels))


def build_counter(sheet: Datasheet) -> CounterContent:
    return CounterContent(
        name=sheet.name,
        shape=silhouette(sheet.size),
        code=code_of(sheet.size),
        figure=str(sheet.hits),
        figure_label="Damage that eliminates it",
        unknown="Underground" if CATALOGUE.unit_kinds[sheet.size].is_tunneller else "",
    )


SHOOTERS = ("heavy-mech", "drone", "gun-sentry")  # one kind per number: mechs and tracks hit alike
HEADS = ("mech, track", "drone", "sentry")
CELL_MM = 11.0


def additions(sheet: Datasheet) -> tuple[Addition, ...]:
    return (Addition(block=enemies_table(sheet), brief=_enemies_brief(sheet)),)


def enemies_table(sheet: Datasheet) -> Table:
    """Return the numbers that enemies need, by kind and situation. MC-073 to MC-079."""
    return Table(
        title="Enemies to hit", heads=HEADS, rows=tuple(_rows(CATALOGUE.unit_kinds[sheet.size])), cell_mm=CELL_MM
    )


def _enemies_brief(sheet: Datasheet) -> Entry:
    """Return the same in one entry: per situation, one figure for each kind of enemy, or for all if equal."""
    parts = []
    for row in _rows(CATALOGUE.unit_kinds[sheet.size]):
        different = dict.fromkeys(row.cells)
        name, _, _ = row.name.partition(" (")
        parts.append(f"{name} {' / '.join(row.cells if len(different) > 1 else different)}")
    return Entry(name="Enemies to hit", text=f"{', '.join(parts)} (mech and track / drone / sentry)")


def _rows(target: UnitKind) -> Iterator[Row]:
    shooters = [CATALOGUE.unit_kinds[slug] for slug in SHOOTERS]
    yield Row(name="in the open", cells=tuple(or_more(needed_number(each)) for each in shooters))
    if not target.is_air:  # air units are never in cover, and no enemy is above them: MC-078, MC-079
        yield Row(
            name="in cover (MC-078)", cells=tuple(or_more(needed_number(each, in_cover=True)) for each in shooters)
        )
        heights = (NO_BOXES if each.is_air else or_more(needed_number(each, from_height=True)) for each in shooters)
        yield Row(name="from higher ground (MC-079)", cells=tuple(heights))
    yield Row(
        name="locked by another (MC-075)",
        cells=tuple(or_more(needed_number(each, is_locked=True)) for each in shooters),
    )
