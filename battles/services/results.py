"""Battles played at a table: the players' results, checked for consistency and saved like any other battle."""

import uuid
from collections.abc import Mapping, Sequence
from typing import Any

from django.db import transaction
from django.utils import timezone

from battles.hooks import practice_reason
from battles.models import Battle, Body
from battles.services.battles import battle_row, battle_write_effects
from battles.services.dice import dice_open, dice_take
from battles.services.setups import SEALED_ROLL, SideForce, check_forces
from rosters.jobs import JobStatus
from rosters.models import Player, Visibility
from rosters.services import RefusedError
from systems import battle_rules
from systems.engine.events import Outcome, UnitOutcome
from systems.reading import read_setup
from systems.report_fields import FATE_IS_ROLLED, HandTerms, UnitFate
from systems.setups import Setup


def outcome_choices(names: Sequence[str]) -> list[tuple[str, str]]:
    """Return the possible outcomes of a battle for forms and slips: value and label."""
    return [*((str(at), name) for at, name in enumerate(names)), ("draw", "Draw")]


@transaction.atomic
def battle_log_result(
    *,
    setup: bytes | str | Mapping[str, object],
    units: Mapping[str, UnitFate],
    winner: str | None,
    actor: Player,
    forces: Sequence[SideForce | None] = (),
    rounds: int | None = None,
    visibility: str = Visibility.PUBLIC,
    key: uuid.UUID | None = None,
    support_used: Sequence[Sequence[str]] = ((), ()),
) -> Battle:
    """Log the battle with its result, also in the ledgers of the actor's companies if open; `winner` None is a draw.

    `support_used` are the support results that each side used, of those it rolled according to the set-up. With a key,
    the same log sent twice is one battle.
    """
    known = Battle.objects.filter(key=key).first() if key else None
    if known is not None:
        if known.asked_by_id != actor.pk or not known.fought_by_hand:
            raise RefusedError("key", "This key belongs to another battle.")
        return known
    document = read_setup(setup)
    check_forces(setup=document, forces=forces, actor=actor)
    check_support(document, support_used)
    result = build_result(document, units, winner, rounds, support_used)
    battle = battle_row(
        setup=document, forces=forces, actor=actor, visibility=visibility, fought_by_hand=True,
        status=JobStatus.DONE, result=result, ended_at=timezone.now(), key=key or uuid.uuid4(),
        dice=dice_take(actor=actor, visitor=""),
    )  # fmt: skip
    own = [force.company for force in forces if force and force.company.owner_id == actor.pk]
    if not all(practice_reason(company, battle) for company in own):
        battle_write_effects(battle=battle, actor=actor)
    assert battle.dice is not None
    dice_open(dice=battle.dice)
    return battle


def check_support(setup: Setup, used: Sequence[Sequence[str]]) -> None:
    """Raise RefusedError unless each side used only support that it rolled, and each result once."""
    if len(used) != len(setup.sides):
        raise RefusedError("support", "Enter the support that each side used.")
    system = battle_rules(setup.system)
    results, rule = system.support_results, system.hand.cite("support")
    for at, (side, slugs) in enumerate(zip(setup.sides, used, strict=True)):
        if SEALED_ROLL in side.support:
            raise RefusedError("support", f"Enter what {side.name} rolled for support.")
        for slug in slugs:
            if slug not in results:
                raise RefusedError(f"support[{at}]", f"There's no support result {slug[:40]!r}.")
            name, rolled = results[slug].name, side.support.count(slug)
            if not rolled:
                raise RefusedError(f"support[{at}]", f"{side.name} used {name} but didn't roll it{rule}.")
            if slugs.count(slug) > rolled:
                often = "once" if rolled == 1 else f"{rolled} times"
                raise RefusedError(
                    f"support[{at}]",
                    (
                        f"{side.name} used {name} more often than it was rolled ({often}). Each result can be "
                        f"used once{rule}."
                    ),
                )


def build_result(
    setup: Setup,
    units: Mapping[str, UnitFate],
    winner: str | None,
    rounds: int | None,
    support_used: Sequence[Sequence[str]],
) -> dict[str, Any]:
    """Return the players' results in the form of a battle's result; raises RefusedError if they are impossible."""
    names = [side.name for side in setup.sides]
    if winner is not None and winner not in names:
        raise RefusedError("winner", "The winner isn't one of the sides.")
    system = battle_rules(setup.system)
    views, called, terms = system.opening(setup).units, system.unit_names(setup), system.hand
    fielded = {view.key for view in views}
    for key in units:
        if key not in fielded:
            raise RefusedError("units", f"There's no unit {key[:20]!r} in this battle.")
    fates = {view.key: units.get(view.key, UnitFate()) for view in views}
    for at in range(len(names)):
        _check_repairs(setup, at, [view.key for view in views if view.side == at], fates)
    outcomes: list[UnitOutcome] = []
    for view in views:
        fate, is_new = fates[view.key], "mended" in fates[view.key]
        hits = view.max_hits if is_new else view.hits
        _check_fate(view.key, called[view.key], fate, hits, terms)
        outcomes.append(
            UnitOutcome(
                key=view.key,
                side=names[view.side],
                lost=fate.is_lost,
                lost_by=None,
                killed_by=None,
                withdrew=False,
                hits=0 if fate.is_lost else hits - fate.number("hits_lost"),
                kills=fate.kills,
                own=system.own_outcome(**({} if is_new else view.kept)),
            )
        )
    for name in names:
        kills = sum(unit.kills for unit in outcomes if unit.side == name)
        fallen = sum(unit.lost for unit in outcomes if unit.side != name)
        if kills > fallen:
            raise RefusedError("kills", f"{name} has {kills} kills, but the other side lost only {fallen}.")
    outcome = Outcome(
        winner=winner, draw=winner is None, reason="logged by a player", rounds=rounds or 0, units=tuple(outcomes)
    )
    result: dict[str, Any] = outcome.to_json()
    for unit in result["units"]:
        for each in terms.asks:
            unit.update(each.written(fates[unit["key"]].get(each.name, each.nothing)))
    return result | {"support": [list(used) for used in support_used]}


def fates_from_result(setup: Setup, result: Body) -> dict[str, UnitFate]:
    """Return the players' results, unit by unit, from such a result; the inverse of `build_result`."""
    system = battle_rules(setup.system)
    ends = {unit["key"]: unit for unit in result.get("units", ())}
    keys = {unit.key for side in setup.sides for unit in side.units}
    fates = {}
    for view in system.opening(setup).units:
        end = ends.get(view.key)
        if end is None or view.key not in keys:
            continue
        mended = "mended" in system.hand.fields and (
            end["hits"] > view.hits or any(_is_less(end, name, kept) for name, kept in view.kept.items())
        )
        hits = view.max_hits if mended else view.hits
        fates[view.key] = UnitFate(system.hand.fate_of(end), hits_lost=hits - end["hits"], mended=mended)
    return fates


def _check_repairs(setup: Setup, at: int, keys: Sequence[str], fates: Mapping[str, UnitFate]) -> None:
    """Refuse more complete repairs than the side has support for."""
    terms, side = battle_rules(setup.system).hand, setup.sides[at]
    mended = [key for key in keys if "mended" in fates[key]]
    if (
        len(mended) <= side.support.count(terms.mends) + side.support.count(FATE_IS_ROLLED)
        or "mended" not in terms.fields
    ):
        return
    name = battle_rules(setup.system).support_results[terms.mends].name
    had = {0: f"no {name}", 1: f"one {name}"}.get(side.support.count(terms.mends), f"too few of {name}")
    raise RefusedError(
        f"units.{mended[-1]}.mended", f"{side.name} had {had}, which fully repairs one unit{terms.cite('mended')}."
    )


def _is_less(end: Body, name: str, kept: int | tuple[int, ...]) -> bool:
    """Return whether some of a unit's earlier damage is gone."""
    now = end[name]
    return now < kept if isinstance(kept, int) else not set(kept) <= set(now)


def _check_fate(key: str, name: str, fate: UnitFate, hits: int, terms: HandTerms) -> None:
    """Refuse results that are impossible for the unit with that name, which began with that number of hits."""

    def refuse(field: str, reason: str) -> None:
        raise RefusedError(f"units.{key}.{field}", reason)

    for field_name in fate:
        if field_name not in terms.fields:
            refuse(field_name, "isn't known in this game.")
    for each in terms.asks:
        if reason := each.objection(fate.get(each.name, each.nothing)):
            refuse(each.name, reason)
    lost = fate.number("hits_lost")
    if lost > hits:
        refuse("hits_lost", terms.too_many.format(name=name, hits=hits, word=terms.hits))
    if lost == hits and not fate.is_lost and "hits_lost" in terms.fields:
        refuse("destroyed", terms.all_lost.format(name=name, hits=hits, one=terms.hits.removesuffix("s")))
    for each in (each for each in terms.asks if each.name in fate):
        if each.needs and each.needs[0] not in fate:
            refuse(each.name, each.needs[1].format(name=name, rule=terms.cite(each.name)))
        if each.bars and each.bars[0] in fate:
            refuse(each.name, each.bars[1].format(name=name, rule=terms.cite(each.name)))
