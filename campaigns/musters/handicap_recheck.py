"""Compare a handicap's basis with the current state. If they differ, the offer falls and both sides learn why."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from campaigns.diary import match_diary
from campaigns.locks import side_enrolment
from campaigns.models import Handicap, Match, SubmittedList
from campaigns.musters.forces import ListDocument, match_document, public_estimate_buyer, public_estimate_list
from campaigns.musters.handicap_counting import HandicapBasis, differences, make_basis
from campaigns.musters.handicap_terms import proposed_offer
from campaigns.musters.purchase import build_setup_units
from campaigns.musters.rolls import count_rolls_allowed
from campaigns.occasions import raised
from rosters.documents.snapshots import fielded
from rosters.services import RefusedError
from systems.documents import DocumentError

BasisChange = tuple[int | None, str]  # the side that changed (None: the match), and what has changed


def handicap_recheck(match: Match, *, submitting: int | None = None) -> bool:
    """Cancel the agreed handicap of a locked match if its basis has changed. The match's companies are locked.

    `submitting` is the side that is submitting its list. If the handicap falls, the list that the other side submitted
    under it falls too, so that no lists are revealed before both sides know. If lists are revealed without a
    submission, at the deadline, only the list of the side that bore the handicap falls.

    Nobody gets rid of a handicap by changing their own company: if only the bearer has changed, it stands and this
    returns True; then they may bring only what it was calculated from.
    """
    row: Handicap | None = getattr(match, "handicap", None)
    if row is None or not row.is_agreed or row.basis is None or match.setup is not None:
        return False
    changes = changes_of(match, row)
    if all(side == row.side for side, _ in changes):
        return bool(changes)
    side = (row.side or 0) if submitting is None else 1 - submitting
    handicap_cancel(match, row, changes)
    for force in match.sealed.filter(side=side, fell=""):
        force.fell = SubmittedList.FELL_WITH_HANDICAP
        force.save(update_fields=["fell"])
        raised.seal_fell(match, force.side, force.fell)
    return False


def changes_of(match: Match, row: Handicap) -> list[BasisChange]:
    """Return what has changed since the handicap of a locked match was calculated; empty if nothing has."""
    if row.basis is None or not (row.is_agreed or row.basis.get("best_styles")):
        return [(None, METHOD_CHANGED)]  # a proposal of the old method falls; an agreed one stands
    plain = Match.objects.select_related(
        "round__campaign__club", "attacker__company__owner", "defender__company__owner", "handicap"
    ).get(pk=match.pk)
    if row.is_agreed and proposed_offer(row).get("scenario") == plain.scenario:
        plain.scenario = row.basis["setup"]["scenario"]
    plain.handicap.agreed = []  # in memory only: both sides' lists without the handicap
    forces = []
    for side in (0, 1):
        try:
            forces.append(public_estimate_list(plain, side))
        except (RefusedError, DocumentError):
            return [(side, "units")]  # its units no longer make a legal list
    return differences(row.basis, basis_of_match(plain, (forces[0], forces[1])))


def handicap_cancel(match: Match, row: Handicap, changes: Sequence[BasisChange]) -> None:
    """Cancel a handicap, agreed or not, and notify both sides with the reason."""
    if row.is_agreed and row.basis is not None and proposed_offer(row).get("scenario"):
        match.scenario = row.basis["setup"]["scenario"]
        match.save(update_fields=["scenario"])
    why = f"The handicap no longer counts: {_describe_changes(match, changes)}."
    row.kind, row.value, row.side, row.agreed = "", 0, None, []
    row.chance, row.chance_with, row.tried, row.basis = None, None, [], None
    row.reason = why[:300]
    row.save(update_fields=["kind", "value", "side", "agreed", "chance", "chance_with", "tried", "basis", "reason"])
    match_diary(match, f"{match.round}, {match}: {why}", None)
    raised.handicap_fell(match, row.reason)


METHOD_CHANGED = "how it is calculated"
PLURAL_NOUNS = ("units", "pilots", "support rolls", "scenario, terrain or house rules")


def _describe_changes(match: Match, changes: Sequence[BasisChange]) -> str:
    if changes == [(None, METHOD_CHANGED)]:
        return f"since it was calculated, {METHOD_CHANGED} has changed"
    nouns = [f"the {noun} of {_side_name(match, side)}" for side, noun in changes]
    verb = "have" if len(changes) > 1 or changes[0][1] in PLURAL_NOUNS else "has"
    return f"since it was calculated, {' and '.join(nouns)} {verb} changed"


def _side_name(match: Match, side: int | None) -> str:
    return "the match" if side is None else side_enrolment(match, side).company.name


def basis_of_match(match: Match, forces: tuple[ListDocument, ListDocument]) -> HandicapBasis:
    """Return the basis of the match as both sides would bring it, without a handicap."""
    rolls = [count_rolls_allowed(match, side, _crews(match, side, forces[side])) for side in (0, 1)]
    names = ("Attacker", "Defender")
    sides = [(names[side], side_enrolment(match, side), forces[side]) for side in (0, 1)]
    return make_basis(match_document(match, sides), rolls)


def _crews(match: Match, side: int, force: ListDocument) -> list[dict[str, object] | None]:
    """Return the crews of the side's units, in the format of setups."""
    if "buys" not in force:
        return [unit.crew for unit in fielded(side_enrolment(match, side).company, force["units"])]
    units: list[dict[str, Any]] = build_setup_units(public_estimate_buyer(match, side), force["buys"])
    return [unit["pilot"] for unit in units]
