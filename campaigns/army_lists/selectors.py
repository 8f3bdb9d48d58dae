"""The page on which a side makes its list, and the public part of submitted lists."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.utils import timezone

from battles.choices import GroupedChoices, forces_for, published_forces
from campaigns.army_lists.handicaps import describe_handicap
from campaigns.army_lists.purchases import BuyingSide, assign_pilots, best_pilots, crew_document, remaining_support
from campaigns.models import Enrolment, Match, SavedList
from rosters.ledger.records import company_record
from rosters.models import Design, Player
from systems import battle_rules, roster_rules
from systems.battle_display import SideTerms
from systems.documents import DocumentError
from systems.ledger import ACTIVE, READY, WOUNDED
from systems.text import pluralize

PUBLISHED, SAVED = "published", "saved"  # prefixes of a list choice, before a colon


@dataclass(frozen=True, slots=True, kw_only=True)
class PilotRow:
    """A pilot who could come, or the reason why they can't."""

    id: int
    name: str
    about: str  # level, kills and games
    refusal: str
    is_best: bool  # comes if nobody chooses


@dataclass(frozen=True, slots=True, kw_only=True)
class RollRow:
    """A support roll, its result and what that does."""

    faces: tuple[int, ...]
    name: str
    effect: str
    rule: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PreparationPage:
    terms: SideTerms | None
    commitment: str  # of the dice of the support rolls; empty: none sealed yet
    has_rolled: bool
    pilots: tuple[PilotRow, ...]
    rolls: tuple[RollRow, ...]
    extra: tuple[tuple[int, ...], int]  # dice rolled before the purchase, and the points that they add
    limit: int | None  # points that the side may spend in all
    handicap: str  # what it gives up in the match's handicap, in words; empty: nothing


def preparation_page(buyer: BuyingSide) -> PreparationPage:
    """Return what the side sees of its own preparation. No query if the match's handicap was loaded with it."""
    system = battle_rules(buyer.match.round.campaign.system)
    terms, (made_rolls, rolled) = system.terms(buyer.scenario), _current_rolls(buyer)
    rolls = [(made["faces"], system.support_results[made["result"]]) for made in made_rolls]
    faces = tuple(face for each in rolled.values() for face in each)
    extra = system.points_before(rolled)
    preparation = buyer.preparation
    return PreparationPage(
        terms=terms.sides[buyer.side] if terms else None,
        commitment=preparation.dice.commitment if preparation else "",
        has_rolled=buyer.has_rolled,
        pilots=tuple(_pilots(buyer)),
        rolls=tuple(RollRow(faces=tuple(f), name=r.name, effect=r.effect, rule=r.rule) for f, r in rolls),
        extra=(faces, extra),
        limit=None if buyer.points is None else buyer.points + extra,
        handicap=_handicap(buyer),
    )


def _current_rolls(buyer: BuyingSide) -> tuple[Sequence[Mapping[str, Any]], Mapping[str, Sequence[int]]]:
    """Return the side's support rolls if all pilots of its preparation come, and its dice rolled before the "
    "purchase."""
    preparation = buyer.preparation
    if preparation is None or not buyer.has_rolled:
        return (), {}
    came = [{"pilot": crew_document(buyer.record.pilots[pk])} for pk in preparation.pilots if pk in buyer.record.pilots]
    support, rolled = remaining_support(buyer.match, buyer.side, preparation, came)
    return preparation.rolls[: len(support)], rolled


def _handicap(buyer: BuyingSide) -> str:
    """Return what the side gives up in this match, in words; empty if nothing."""
    handicap = getattr(buyer.match, "handicap", None)
    if handicap is None or not handicap.is_agreed or handicap.side != buyer.side:
        return ""
    return describe_handicap(buyer.match, handicap)


def _pilots(buyer: BuyingSide) -> list[PilotRow]:
    best = {pilot.id for pilot in best_pilots(buyer.match.round.campaign.system, buyer.record)}
    come = set(buyer.preparation.pilots) if buyer.preparation and buyer.has_rolled else best
    return [
        PilotRow(
            id=pilot.id,
            name=pilot.name,
            about=f"{buyer.rules.level_names[pilot.experience]}, {pluralize(pilot.kills, 'kills')}, {pluralize(pilot.games, 'games')}",
            refusal="wounded, misses this game" if pilot.status == WOUNDED else "",
            is_best=pilot.id in come,
        )
        for pilot in buyer.record.pilots.values()
        if pilot.status in (ACTIVE, WOUNDED) and not pilot.lent
    ]


def design_options(player: Player, buyer: BuyingSide) -> GroupedChoices:
    """Return what can be bought: published designs of the sizes that fit, then the player's own; one query."""
    rules = buyer.rules

    def label(name: str, spec: object) -> str:
        kind = rules.kind_name(spec)
        return f"{name} · {kind + ', ' if kind else ''}{rules.check_design(spec, buyer.options).points} pt"

    published = [(slug, label(design.name, design.spec)) for slug, design in rules.published.items()]
    options: GroupedChoices = [("", "nothing"), (f"Published {rules.unit_words[1]}", published)]
    own = []
    for design in own_designs(player, rules.slug).values():
        try:
            own.append((f"own:{design.pk}", label(design.name, rules.parse_spec(design.spec))))
        except DocumentError:  # of another catalogue version
            continue
    return [*options, ("Your designs", own)] if own else options


def own_designs(player: Player, system: str) -> dict[int, Design]:
    """Return the player's designs of that game, by id."""
    return {design.pk: design for design in Design.objects.filter(author=player, system=system)}


def saved_list_choices(player: Player, match: Match, side: int) -> GroupedChoices:
    """Return what a purchase can start from: the player's saved lists, then legal ready-made ones; one query."""
    system = match.round.campaign.system
    saved = [(f"{SAVED}:{force.pk}", force.name) for force in saved_forces(player, system)]
    made = [
        (f"{PUBLISHED}:{force.slug}", f"{force.name} · {force.points} pt")
        for force in forces_for(system, match.scenario, side)
    ]
    groups: GroupedChoices = [("Your saved lists", saved), ("Ready-made, legal here", made)]
    return [(title, group) for title, group in groups if group]


def saved_forces(player: Player, system: str) -> list[SavedList]:
    """Return the player's saved lists of that game, by name."""
    return list(SavedList.objects.filter(player=player, system=system))


def saved_lists_of(player: Player) -> list[SavedList]:
    """Return all saved lists of the player, by game."""
    return list(SavedList.objects.filter(player=player).order_by("system", "name", "pk"))


def start_purchase(player: Player, buyer: BuyingSide, chosen: str) -> Sequence[Mapping[str, object]] | None:
    """Return what that choice would buy, with pilots; None if there is no such list."""
    kind, _, ref = chosen.partition(":")
    designs: list[Mapping[str, object]] | None = None
    if kind == PUBLISHED and (force := published_forces(buyer.rules.slug).get(ref)):
        designs = [{"design": unit.design, "name": unit.name} for unit in force.units]
    elif kind == SAVED and ref.isdecimal() and len(ref) < 19:
        found = SavedList.objects.filter(player=player, system=buyer.rules.slug, pk=int(ref)).first()
        designs = list(found.designs) if found else None
    return assign_pilots(buyer, designs) if designs else None


@dataclass(frozen=True, slots=True, kw_only=True)
class UnitChoiceRow:
    """A unit of the company, and the reason if it can't play."""

    id: int
    name: str
    points: int
    pilot: str
    refusal: str
    note: str  # why it should be rested; empty: no reason


@dataclass(frozen=True, slots=True, kw_only=True)
class SubmittedListRow:
    """The public part of one side's list: whether it is submitted, and its hash."""

    side: int
    name: str
    company: str
    hash: str
    at: datetime | None
    fell: str  # why its submitted list doesn't count any more; empty: it still counts, or there is none


@dataclass(frozen=True, slots=True, kw_only=True)
class RevealState:
    """The sides that still have to submit a list before the lists of a match can be revealed."""

    missing: tuple[str, ...]  # companies without a valid submitted list
    own_is_missing: bool
    is_late: bool  # the deadline has passed
    may_open: bool


def unit_choices(enrolment: Enrolment) -> tuple[UnitChoiceRow, ...]:
    """Return the company's units in roster order; one query."""
    rules = roster_rules(enrolment.campaign.system, enrolment.campaign.catalogue_release)
    record = company_record(enrolment.company)
    rows = []
    for unit in record.units.values():
        if unit.status != READY:
            continue
        pilot = record.pilots.get(unit.pilot) if unit.pilot else None
        refusal = "" if pilot is None or pilot.status == ACTIVE else "its pilot is wounded"
        if pilot is None and rules.needs_pilot(unit.spec):
            refusal = "it has no pilot"
        is_barred = rules.is_barred(unit.condition)
        if is_barred:
            refusal = rules.describe_condition(unit.condition)
        rows.append(
            UnitChoiceRow(
                id=unit.id,
                name=unit.name,
                points=rules.check_design(rules.parse_spec(unit.spec), enrolment.campaign.options).points,
                pilot=f"{pilot.name}, {rules.level_names[pilot.experience]}" if pilot else "",
                refusal=refusal,
                note=rules.describe_condition(unit.condition)
                if rules.is_resting(unit.condition) and not is_barred
                else "",
            )
        )
    return tuple(rows)


def submitted_list_rows(match: Match) -> tuple[SubmittedListRow, ...]:
    """Return the public rows of both sides' lists; one query."""
    sealed = {force.side: force for force in match.sealed.all()}
    lines = []
    for side, name in enumerate(("Attacker", "Defender")):
        enrolment = (match.attacker, match.defender)[side]
        if enrolment is not None:
            force = sealed.get(side)
            lines.append(
                SubmittedListRow(
                    side=side,
                    name=name,
                    company=enrolment.company.name,
                    hash=force.hash if force and not force.fell else "",
                    at=force.submitted_at if force and not force.fell else None,
                    fell=force.fell if force else "",
                )
            )
    return tuple(lines)


def sealed_sides(match: Match) -> set[int]:
    """Return the sides that have a submitted list; one that is void or was taken back doesn't count."""
    return set(match.sealed.filter(fell="").values_list("side", flat=True))


def opening(match: Match, side: int | None) -> RevealState:
    """Return why the lists of a match aren't revealed yet, for one of its sides or an arbiter (None); one query."""
    lines = submitted_list_rows(match)
    missing = [line for line in lines if not line.hash]
    is_late = match.round.deadline is not None and match.round.deadline <= timezone.now()
    own = any(line.side == side for line in missing)
    return RevealState(
        missing=tuple(line.company for line in missing),
        own_is_missing=own,
        is_late=is_late,
        may_open=not missing or (is_late and not own),
    )
