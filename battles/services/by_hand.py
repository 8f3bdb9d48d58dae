"""Battles fought at the table: what the players say came out, checked against itself, then kept like any other."""

import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db import transaction
from django.utils import timezone

from battles.models import Battle
from battles.services.afterwards import books_closed
from battles.services.battles import battle_row, battle_write_effects
from battles.services.dice import dice_open, dice_take
from battles.services.setups import SEALED_ROLL, SideForce, forces_checked
from rosters.models import Player, Visibility
from rosters.services import RefusedError
from rosters.site.jobs import JobStatus
from systems import battle_rules
from systems.engine.events import Outcome, UnitOutcome
from systems.hand import HAND_FIELDS, ROLLED, HandTerms
from systems.reading import read_setup
from systems.setups import Setup


def outcome_choices(names: Sequence[str]) -> list[tuple[str, str]]:
    """How a battle of these sides can end, as forms and slips offer it: value and label."""
    return [*((str(at), name) for at, name in enumerate(names)), ("draw", "Nobody: a draw")]


@dataclass(frozen=True, slots=True, kw_only=True)
class UnitHand:
    """What somebody says became of one unit."""

    hits_lost: int = 0  # since it began the battle, or since it was made as new in it
    mended: bool = False  # support made it as new
    destroyed: bool = False
    exploded: bool = False  # the reactor did
    withdrew: bool = False
    wounded: bool = False
    kills: int = 0
    specials: int = 0  # special actions that a scenario counts
    fate: str = ""  # of the pilot of a destroyed unit, as rolled at the table; empty: rolled here


@transaction.atomic
def battle_log_by_hand(
    *,
    setup: bytes | str | Mapping[str, object],
    units: Mapping[str, UnitHand],
    winner: str | None,
    actor: Player,
    forces: Sequence[SideForce | None] = (),
    rounds: int | None = None,
    visibility: str = Visibility.PUBLIC,
    key: uuid.UUID | None = None,
    support_used: Sequence[Sequence[str]] = ((), ()),
) -> Battle:
    """The battle with its result, written to the actor's companies in it whose books are open. `winner` None is a draw.

    `support_used` are the support results that each side used, of those that the set-up says it rolled.

    With a key, the same log sent twice is the same battle.
    """
    known = Battle.objects.filter(key=key).first() if key else None
    if known is not None:
        if known.asked_by_id != actor.pk or not known.fought_by_hand:
            raise RefusedError("key", "There is another battle of this key.")
        return known
    document = read_setup(setup)
    forces_checked(setup=document, forces=forces, actor=actor)
    support_checked(document, support_used)
    outcome: dict[str, Any] = outcome_by_hand(document, units, winner, rounds).to_json()
    for unit in outcome["units"]:
        if said := units.get(unit["key"], UnitHand()).fate:
            unit["fate"] = said
    outcome["support"] = [list(used) for used in support_used]
    battle = battle_row(
        setup=document, forces=forces, actor=actor, visibility=visibility, fought_by_hand=True,
        status=JobStatus.DONE, result=outcome, ended_at=timezone.now(), key=key or uuid.uuid4(),
        dice=dice_take(actor=actor, visitor=""),
    )  # fmt: skip
    own = [force.company for force in forces if force and force.company.owner_id == actor.pk]
    if not all(books_closed(company, battle) for company in own):
        battle_write_effects(battle=battle, actor=actor)
    assert battle.dice is not None
    dice_open(dice=battle.dice)
    return battle


def support_checked(setup: Setup, used: Sequence[Sequence[str]]) -> None:
    """Raises RefusedError unless each side used only what it rolled, and each result once."""
    if len(used) != len(setup.sides):
        raise RefusedError("support", "Say for each side what support it used.")
    system = battle_rules(setup.system)
    results, rule = system.support_results, system.hand.cite("support")
    for at, (side, slugs) in enumerate(zip(setup.sides, used, strict=True)):
        if SEALED_ROLL in side.support:
            raise RefusedError("support", f"Say what {side.name} rolled for support; dice at the table are not ours.")
        for slug in slugs:
            if slug not in results:
                raise RefusedError(f"support[{at}]", f"There is no support result {slug[:40]!r}.")
            name, rolled = results[slug].name, side.support.count(slug)
            if not rolled:
                raise RefusedError(f"support[{at}]", f"{side.name} used {name} without having rolled it{rule}.")
            if slugs.count(slug) > rolled:
                often = "once" if rolled == 1 else f"{rolled} times"
                raise RefusedError(
                    f"support[{at}]",
                    f"{side.name} used {name} more often than it rolled it ({often}); a result is used once{rule}.",
                )


def outcome_by_hand(setup: Setup, units: Mapping[str, UnitHand], winner: str | None, rounds: int | None) -> Outcome:
    """What the players say, as an outcome; raises RefusedError where it can't be so."""
    names = [side.name for side in setup.sides]
    if winner is not None and winner not in names:
        raise RefusedError("winner", "The winner is none of the sides.")
    system = battle_rules(setup.system)
    views, called = system.opening(setup).units, system.unit_names(setup)
    fielded = {view.key for view in views}
    for key in units:
        if key not in fielded:
            raise RefusedError("units", f"There is no unit {key[:20]!r} in this battle.")
    outcomes: list[UnitOutcome] = []
    for at in range(len(names)):
        _mended(setup, at, [view.key for view in views if view.side == at], units)
    for view in views:
        hand = units.get(view.key, UnitHand())
        hits = view.max_hits if hand.mended else view.hits
        _one_unit(view.key, called[view.key], hand, hits, system.hand)
        outcomes.append(
            UnitOutcome(
                key=view.key,
                side=names[view.side],
                lost=hand.destroyed,
                lost_by="explosion" if hand.exploded else None,
                killed_by=None,
                withdrew=hand.withdrew,
                hits=0 if hand.destroyed else hits - hand.hits_lost,
                wounded=hand.wounded,
                kills=hand.kills,
                specials=hand.specials if "specials" in system.hand.fields else None,
                **({} if hand.mended else view.kept),  # type: ignore[arg-type]
            )
        )
    for name in names:
        kills = sum(unit.kills for unit in outcomes if unit.side == name)
        fallen = sum(unit.lost for unit in outcomes if unit.side != name)
        if kills > fallen:
            raise RefusedError("kills", f"{name} has {kills} kills, but the other side lost only {fallen}.")
    return Outcome(
        winner=winner, draw=winner is None, reason="logged by hand", rounds=rounds or 0, units=tuple(outcomes)
    )


def hands_told(setup: Setup, outcome: Mapping[str, Any]) -> dict[str, UnitHand]:
    """What players would say of a battle that came out so, unit by unit; the other way round of `outcome_by_hand`."""
    system = battle_rules(setup.system)
    fates = {fate["key"]: fate for fate in outcome.get("units", ())}
    keys = {unit.key for side in setup.sides for unit in side.units}
    told = {}
    for view in system.opening(setup).units:
        fate = fates.get(view.key)
        if fate is None or view.key not in keys:
            continue
        mended = "mended" in system.hand.fields and (
            fate["hits"] > view.hits or any(_is_less(fate[name], kept) for name, kept in view.kept.items())
        )
        told[view.key] = UnitHand(
            hits_lost=(view.max_hits if mended else view.hits) - fate["hits"],
            mended=mended,
            destroyed=fate["lost"],
            exploded=fate["lost_by"] == "explosion",
            withdrew=fate["withdrew"],
            wounded=fate["wounded"],
            kills=fate["kills"],
            specials=fate.get("specials") or 0,
            fate=fate.get("fate", ""),
        )
    return told


def _mended(setup: Setup, at: int, keys: Sequence[str], units: Mapping[str, UnitHand]) -> None:
    """Refuses more units made as new than the side has support for it."""
    terms, side = battle_rules(setup.system).hand, setup.sides[at]
    mended = [key for key in keys if key in units and units[key].mended]
    if len(mended) <= side.support.count(terms.mends) + side.support.count(ROLLED) or "mended" not in terms.fields:
        return
    name = battle_rules(setup.system).support_results[terms.mends].name
    had = {0: f"no {name}", 1: f"one {name}"}.get(side.support.count(terms.mends), f"too few of {name}")
    raise RefusedError(
        f"units.{mended[-1]}.mended", f"{side.name} had {had}, which makes one unit as new{terms.cite('mended')}."
    )


def _is_less(now: Any, kept: int | tuple[int, ...]) -> bool:
    """Whether some of the damage is gone that a unit came with."""
    return now < kept if isinstance(kept, int) else not set(kept) <= set(now)


def _one_unit(key: str, name: str, hand: UnitHand, hits: int, terms: HandTerms) -> None:
    for field in HAND_FIELDS:
        if getattr(hand, field) and field not in terms.fields:
            raise RefusedError(f"units.{key}.{field}", "is nothing that this rule system knows.")
    for field in ("hits_lost", "kills", "specials"):
        value = getattr(hand, field)
        if isinstance(value, bool) or not isinstance(value, int) or value < 0:
            raise RefusedError(f"units.{key}.{field}", "must be a whole number, 0 or more.")
    if hand.hits_lost > hits:
        raise RefusedError(f"units.{key}.hits_lost", terms.too_many.format(name=name, hits=hits, word=terms.hits))
    if hand.hits_lost == hits and not hand.destroyed and "hits_lost" in terms.fields:
        raise RefusedError(
            f"units.{key}.destroyed", terms.all_lost.format(name=name, hits=hits, one=terms.hits.removesuffix("s"))
        )
    if hand.exploded and not hand.destroyed:
        raise RefusedError(f"units.{key}.exploded", f"{name} can't explode and not be destroyed.")
    if hand.fate and hand.fate not in terms.fates:
        raise RefusedError(f"units.{key}.fate", f"must be one of {', '.join(terms.fates)}, or nothing.")
    if hand.fate and not hand.destroyed:
        raise RefusedError(
            f"units.{key}.fate",
            f"Only pilots of destroyed units roll for their fate{terms.cite('fate')}: {name} was not.",
        )
    if hand.destroyed and hand.withdrew:
        raise RefusedError(f"units.{key}.withdrew", f"{name} can't be destroyed and have withdrawn.")
