"""The pilots who come to a match and the side's support rolls, made before it buys anything, on dice of their own."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from django.utils import timezone

from battles.services.dice import dice_add_words, dice_open, dice_seal, dice_use
from campaigns.house_rules import round_house_rules
from campaigns.models import Enrolment, Match, MatchPreparation, SupportRoll
from campaigns.musters.handicap_terms import concession_of
from rosters.ledger.records import company_record
from rosters.models import Player
from rosters.services import RefusedError
from systems import battle_rules, roster_rules
from systems.engine.dice import SeededDice
from systems.force_limits import SIDES
from systems.ledger import ACTIVE, WOUNDED, CompanyRecord, PilotRecord

SUPPORT_DICE_PURPOSE = "support"


def seal_support_dice(match: Match) -> None:
    """Seal the dice of both sides' support rolls, so that their hashes are known before anybody rolls."""
    for side in range(2):
        get_or_create_muster(match, side)


def get_or_create_muster(match: Match, side: int) -> MatchPreparation:
    """Return the muster of a side of a locked match; create it if nobody has begun one."""
    found = MatchPreparation.objects.select_related("dice").filter(match=match, side=side).first()
    return found or MatchPreparation.objects.create(match=match, side=side, dice=dice_seal())


def fit_pilots(record: CompanyRecord) -> list[PilotRecord]:
    """Return the pilots who could come, in roster order."""
    return [pilot for pilot in record.pilots.values() if pilot.status == ACTIVE and not pilot.lent]


def rank_pilots(system: str, pilots: Iterable[PilotRecord]) -> list[PilotRecord]:
    """Return the pilots who come if nobody chose, at most one per seat: the highest level first, then the most kills."""
    levels = list(roster_rules(system).level_names)
    ranked = sorted(pilots, key=lambda pilot: (-levels.index(pilot.experience), -pilot.kills, pilot.id))
    return ranked[: battle_rules(system).max_units]


def best_pilots(system: str, record: CompanyRecord) -> list[PilotRecord]:
    """Return the company's fit pilots who come if nobody chose."""
    return rank_pilots(system, fit_pilots(record))


def roll_for_support(
    match: Match, side: int, enrolment: Enrolment, pilots: Sequence[int], *, by: Player | None, words: str = ""
) -> MatchPreparation:
    """Return the muster of a side of a locked match after its rolls. Once made, rolls and pilots are final."""
    row = get_or_create_muster(match, side)
    if row.rolled_at is not None:
        return row
    system = battle_rules(match.round.campaign.system)
    crews = [crew_document(available_pilot(company_record(enrolment.company), pk)) for pk in pilots]
    if words:
        dice_add_words(dice=row.dice, who=SIDES[side], text=words)
    dice = SeededDice(dice_use(dice=row.dice, purpose=SUPPORT_DICE_PURPOSE))
    rolls = [system.roll_support(dice) for _ in range(count_rolls_allowed(match, side, crews))]
    rolled = system.roll_before([made.slug for made in rolls], round_house_rules(match.round), dice)
    row.pilots, row.by, row.rolled_at = list(pilots), by, timezone.now()
    row.rolls = [{"faces": list(made.faces), "result": made.slug} for made in rolls]
    row.rolled = {slug: list(faces) for slug, faces in rolled.items()}
    row.save(update_fields=["pilots", "by", "rolled_at", "rolls", "rolled"])
    return row


def publish_rolls(row: MatchPreparation) -> None:
    """Publish a muster's rolls, with the lists, and open its dice."""
    for number, made in enumerate(row.rolls, start=1):
        SupportRoll.objects.create(
            match=row.match, side=row.side, number=number, faces=made["faces"], result=made["result"]
        )
    dice_open(dice=row.dice)


def count_rolls_allowed(match: Match, side: int, crews: Sequence[dict[str, object] | None]) -> int:
    """Return how many support rolls a side with these pilots has, less those it gives up in a handicap."""
    system = battle_rules(match.round.campaign.system)
    if system.terms(match.scenario) is None:
        return 0
    return max(0, system.support_allowed(match.scenario, side, crews) - concession_of(match, side).fewer_rolls)


def remaining_support(
    match: Match, side: int, muster: MatchPreparation, units: Sequence[Mapping[str, object]]
) -> tuple[list[str], dict[str, list[int]]]:
    """Return the support that a side with these units of a set-up may have, and its dice rolled before the purchase.

    If a pilot who earned a roll stays at home, the side loses its last roll.
    """
    crews = [dict(unit["pilot"]) for unit in units if isinstance(unit["pilot"], Mapping)]
    support = muster.support[: count_rolls_allowed(match, side, crews)]
    return support, {slug: kept for slug, faces in muster.rolled.items() if (kept := faces[: support.count(slug)])}


def crew_document(pilot: PilotRecord) -> dict[str, object]:
    """Return the pilot as set-ups take them."""
    return {"experience": pilot.experience, "skills": list(pilot.skills), "is_new": False}


def available_pilot(record: CompanyRecord, pk: int) -> PilotRecord:
    """Return the pilot. Raise RefusedError if they can't come."""
    pilot = record.pilots.get(pk)
    if pilot is None or pilot.lent or pilot.status not in (ACTIVE, WOUNDED):
        raise RefusedError("pilots", f"The company has no pilot {pk} who could come.")
    if pilot.status == WOUNDED:
        raise RefusedError("pilots", f"{pilot.name} is wounded and misses the next game.")
    return pilot
