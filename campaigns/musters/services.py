"""What a side does before it buys: choose its pilots and roll for support. Also a player's saved lists."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from django.db import transaction

from campaigns.diary import match_diary
from campaigns.locks import side_enrolment
from campaigns.models import Match, MatchPreparation, SavedList
from campaigns.musters.forces import submitting_lock
from rosters.ledger.records import company_record
from rosters.models import Player
from rosters.services import RefusedError
from rosters.services._base import clean_text, read_spec, system_of
from systems import battle_rules

from .purchase import buys_units_per_match
from .rolls import best_pilots, get_or_create_muster, roll_for_support

MAX_SAVED = 40  # saved lists of a player in a game


@transaction.atomic
def muster_roll(
    *, match: Match, side: int, by: Player, pilots: Sequence[int] | None = None, words: str = ""
) -> MatchPreparation:
    """Set the pilots who come and roll for support; both are final. Without `pilots` the best ones come."""
    locked = submitting_lock(match)
    campaign, enrolment = locked.round.campaign, side_enrolment(locked, side)
    if not buys_units_per_match(campaign):
        raise RefusedError("match", f"Companies of {campaign.name} keep their units; nothing is rolled before a match.")
    if get_or_create_muster(locked, side).rolled_at is not None:
        raise RefusedError("match", "You have rolled for support already; the rolls stand.")
    if pilots is None:
        pilots = [pilot.id for pilot in best_pilots(campaign.system, company_record(enrolment.company))]
    most = battle_rules(campaign.system).max_units
    if len(pilots) > most:
        raise RefusedError("pilots", f"{most} pilots come along at most.")
    if len(set(pilots)) != len(pilots):
        raise RefusedError("pilots", "A pilot comes along once.")
    row = roll_for_support(locked, side, enrolment, pilots, by=by, words=words)
    match_diary(locked, f"{enrolment.company.name} rolled for support for {locked.round}, {locked}", by)
    return row


@transaction.atomic
def force_save(*, player: Player, system: str, name: str, designs: Sequence[Mapping[str, object]]) -> SavedList:
    """Save designs under a name, replacing what was saved under it."""
    rules = system_of(system)
    wanted = clean_text("keep_as", name, longest=60)
    most = battle_rules(system).max_units
    if not 0 < len(designs) <= most:
        raise RefusedError("keep_as", f"A force has 1 to {most} units.")
    kept = []
    for each in designs:
        design = each["design"]
        if isinstance(design, str):
            if design not in rules.published:
                raise RefusedError("keep_as", f"There is no published design {ascii(design[:60])}.")
        else:
            design = rules.spec_json(read_spec(rules, design))
        kept.append(
            {"design": design, "name": clean_text("keep_as", each.get("name") or "", longest=60, may_be_empty=True)}
        )
    others = player.saved_forces.filter(system=system).exclude(name=wanted)
    if others.count() >= MAX_SAVED:
        raise RefusedError("keep_as", f"You keep {MAX_SAVED} forces of {rules.name} at most; drop one first.")
    return SavedList.objects.update_or_create(player=player, system=system, name=wanted, defaults={"designs": kept})[0]


@transaction.atomic
def force_drop(*, force: SavedList) -> None:
    """Delete a saved list."""
    force.delete()
