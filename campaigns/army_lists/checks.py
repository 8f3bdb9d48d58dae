"""Checks of lists and of the handicap behind them, and the list of a side that submitted none."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from campaigns.activity_log import log_match_activity
from campaigns.army_lists.documents import ListDocument, _calculated, _calculated_pilots, autoplay_units, match_document
from campaigns.army_lists.handicaps import (
    HandicapBasis,
    calculated_units,
    concession_of,
    differences,
    make_basis,
    proposed_offer,
    unit_points,
)
from campaigns.army_lists.legality import company_value, limit_of
from campaigns.army_lists.purchases import (
    BuyingSide,
    Purchase,
    build_buying_side,
    build_setup_units,
    buys_units_per_match,
    check_purchases,
    count_rolls_allowed,
    default_purchases,
    parse_purchases,
)
from campaigns.autoplay_orders import orders_for_match
from campaigns.house_rules import round_house_rules
from campaigns.locks import side_enrolment
from campaigns.models import (
    Enrolment,
    Handicap,
    Match,
    RoundState,
    SubmittedList,
)
from campaigns.notifications import notify
from rosters.documents.snapshots import fielded, ready_units, unit_key
from rosters.ledger.records import company_record
from rosters.models import Unit
from rosters.services import RefusedError
from systems import battle_rules
from systems.documents import DocumentError, parse_document
from systems.legality import join_words
from systems.reading import read_setup
from systems.setups import SIDE_LETTERS, Setup
from systems.text import pluralize


def valid_lists(match: Match) -> dict[int, SubmittedList]:
    """Return the submitted lists of a locked match that can be fielded, by side, and void the others.

    While lists are hidden only a side's own player learns why: the reason may name what is in it.
    """
    handicap_recheck(match)
    standing = {}
    for force in match.sealed.filter(fell="").order_by("side"):
        try:
            check_list_allowed(match, force.side, force.document)
        except RefusedError as error:
            force.fell = error.reason[:300]
            force.save(update_fields=["fell"])
            name = side_enrolment(match, force.side).company.name
            is_public = not match.round.campaign.seals_forces and error.field not in ("orders", "standing")
            why = error.reason if is_public else "it is no longer legal"
            log_match_activity(match, f"The list of {name} for {match.round}, {match} no longer counts: {why}", None)
            notify.submitted_list_dropped(match, force.side, error.reason)
        else:
            standing[force.side] = force
    return standing


def check_list_allowed(match: Match, side: int, document: ListDocument) -> None:
    """Refuse a list that could not be fielded in this match, or whose company has more than its campaign allows."""
    if not buys_units_per_match(match.round.campaign):
        allowance_check(side_enrolment(match, side))
    check_list(match, side, document)


def check_list(match: Match, side: int, document: ListDocument) -> None:
    """Refuse a list that could not be fielded in this match, with the rule that forbids it."""
    enrolment = side_enrolment(match, side)
    doctrines = battle_rules(match.round.campaign.system).doctrines
    if document["doctrine"] not in doctrines:
        raise RefusedError("doctrine", "There is no such AI style.")
    _check_orders(match, side, document)
    _check_autoplay_orders(match, side, enrolment, document)
    if "buys" in document:
        _check_purchases(match, side, enrolment, document["buys"])
        return
    units = fielded(enrolment.company, document["units"])
    limit = concession_of(match, side).points
    if limit is not None:
        worth = sum(unit_points(match.round.campaign, [unit.spec for unit in units], round_house_rules(match.round)))
        if worth > limit:
            name = enrolment.company.name
            reason = f"{name} can field at most {pluralize(limit, 'points')} because of the handicap, but these units cost {worth}."
            raise RefusedError("units", reason)
    names = ("Attacker", "Defender")
    try:
        read_setup(match_document(match, [(names[at], enrolment, document) for at in (0, 1)], mirrored=True))
    except DocumentError as error:
        if error.path.startswith(f"sides[{1 - side}]"):
            return  # the other side is only a stand-in here
        raise RefusedError("units", error.reason) from None


def _check_autoplay_orders(match: Match, side: int, enrolment: Enrolment, document: ListDocument) -> None:
    """Refuse autoplay orders that these units can't follow together, with the rule that forbids them."""
    if not document.get("standing"):
        return
    names = ("Attacker", "Defender")
    unordered = document.copy()
    del unordered["standing"]  # orders for one side may not suit the other, whose refusal would come first
    sides = [(names[at], enrolment, document if at == side else unordered) for at in (0, 1)]
    try:
        setup = parse_document(Setup, match_document(match, sides, mirrored=True))
        battle_rules(match.round.campaign.system).check_standing(setup)
    except DocumentError as error:
        if error.path.startswith(f"sides[{side}]") and ".standing" in error.path:
            raise RefusedError("standing", error.reason) from None


def _check_orders(match: Match, side: int, document: ListDocument) -> None:
    """Refuse orders that the side can't give, with the rule that forbids them."""
    preparation = match.preparations.filter(side=side).first() if "buys" in document and match.pk else None
    keys = [unit_key(pk) for pk in document["units"]]
    keys += [f"{SIDE_LETTERS[side]}{number}" for number, _ in enumerate(document.get("buys", ()), start=1)]
    try:
        battle_rules(match.round.campaign.system).check_orders(
            match.scenario,
            side,
            document.get("orders", {}),
            has=preparation.support if preparation is not None else None,
            units=keys,
            path="orders",
        )
    except DocumentError as error:
        raise RefusedError("orders", str(error)) from None


def _check_purchases(match: Match, side: int, enrolment: Enrolment, buys: Sequence[Purchase]) -> None:
    """Refuse purchases that the game doesn't allow in this match, with the rule that forbids them."""
    buyer = build_buying_side(match, side, enrolment)
    check = check_purchases(buyer, parse_purchases(buyer, buys))
    if check.problems:
        cited = [f"{each.message} ({each.rule})" if each.rule else each.message for each in check.problems]
        raise RefusedError("buys", " ".join(cited))


def default_list(match: Match, side: int, buyer: BuyingSide | None = None) -> ListDocument:
    """Return what the company fields if nobody chose: the list its rule system picks from its ready and crewed units.

    Refused if no list is legal, with the problems of all its units together. It follows the autoplay orders; without
    them, the system's first AI style. `buyer` is the side as it buys, if not in its present state.
    """
    enrolment = side_enrolment(match, side)
    doctrine = enrolment.orders.get("doctrine") or next(iter(battle_rules(match.round.campaign.system).doctrines))
    kept = enrolment.orders.get("standing", {})
    if buys_units_per_match(match.round.campaign):
        document: ListDocument = {
            "units": [],
            "doctrine": doctrine,
            "buys": default_purchases(buyer or build_buying_side(match, side, enrolment)),
        }
        if standing := orders_for_match(match, side, kept, ()):
            document["standing"] = standing
        return document
    units = autoplay_units(match, side)
    if not units and calculated_units(match, side) is not None:
        name = enrolment.company.name
        raise RefusedError(
            "units", f"{name} has no legal list of units that are unchanged since its handicap was calculated."
        )
    units = units or ready_units(enrolment.company)[: battle_rules(enrolment.company.system).max_units]
    if not units:
        raise RefusedError("units", f"{enrolment.company.name} has no ready unit with a pilot.")
    document = {"units": units, "doctrine": doctrine}
    if standing := orders_for_match(match, side, kept, units):
        document["standing"] = standing
    check_list(match, side, document)
    return document


def public_estimate_list(match: Match, side: int) -> ListDocument:
    """Return `default_list` as others may know it before lists are revealed.

    Autoplay orders, support rolls and the AI style are the player's secret, so the first two are left out, and odds are
    calculated with the best style.
    """
    document = default_list(
        match, side, public_estimate_buyer(match, side) if buys_units_per_match(match.round.campaign) else None
    )
    document.pop("standing", None)
    document["doctrine"] = next(iter(battle_rules(match.round.campaign.system).doctrines))
    return document


def public_estimate_buyer(match: Match, side: int) -> BuyingSide:
    """Return the side as a buyer, as others may know it: without its support rolls."""
    return replace(build_buying_side(match, side, side_enrolment(match, side)), preparation=None)


def _refuse_changed(match: Match, side: int, document: ListDocument) -> None:
    """Refuse a list of the handicap's bearer if its units or pilots have changed since the handicap was calculated."""
    company = side_enrolment(match, side).company
    if "buys" in document:
        pilots = company_record(company).pilots
        chosen = [pilots[buy["pilot"]] for buy in document["buys"] if buy["pilot"] is not None]
        same = {pilot.id for pilot in _calculated_pilots(match, side, chosen)}
        changed = [pilot.name for pilot in chosen if pilot.id not in same]
    else:
        unchanged = _calculated(match, side, document["units"])
        rows = Unit.objects.filter(company=company, pk__in=set(document["units"]) - set(unchanged))
        changed = list(rows.order_by("position", "pk").values_list("name", flat=True))
    if changed:
        bears = (
            "You agreed to a handicap, so you can only field units and pilots that are unchanged since it was "
            "calculated"
        )
        raise RefusedError("units", f"{bears}, not {join_words(changed)}.")


def autoplay_list(match: Match, side: int) -> ListDocument:
    """Return what the side fields by its autoplay orders; refuse if its company has more than its campaign allows."""
    if not buys_units_per_match(match.round.campaign):
        allowance_check(side_enrolment(match, side))
    return default_list(match, side)


def list_as_played(match: Match, side: int, units: Sequence[int]) -> ListDocument:
    """Return a list for a side that submitted none: the units that a judge saw it play, if they are legal."""
    orders = side_enrolment(match, side).orders
    doctrine = orders.get("doctrine") or next(iter(battle_rules(match.round.campaign.system).doctrines))
    document: ListDocument = {"units": list(units), "doctrine": doctrine}
    check_list_allowed(match, side, document)
    return document


def field_refusal(match: Match, side: int) -> str:
    """Return why the side can't play a locked match, with its submitted list or by autoplay orders; empty if it can."""
    if match.setup is not None and match.round.state == RoundState.CLOSED:
        return ""  # it waits for its watch party: both lists were fixed when the round was closed
    if not buys_units_per_match(match.round.campaign) and not ready_units(side_enrolment(match, side).company):
        return "had no unit to field"
    if match.setup is not None or side in valid_lists(match):
        return ""
    try:
        autoplay_list(match, side)
    except RefusedError as error:
        return f"had no legal list: {error.reason}"
    return ""


def allowance_check(enrolment: Enrolment) -> None:
    """Refuse a company that is worth more than its campaign allows, for whatever reason.

    Points in its bank can't be spent in that case, but don't count here. Units that the organiser excused may play as
    long as their worth only goes down.
    """
    campaign, company = enrolment.campaign, enrolment.company
    worth = company_value(company, company_record(company), campaign)
    has, limit = worth.fielded, limit_of(enrolment)
    if has > max(limit, enrolment.excused_points):
        raise RefusedError(
            "company",
            f"{company.name} has units and hired pilots worth {has} points, but {campaign.name} allows it "
            f"{limit}. Sell some, or ask the organiser for an exception.",
        )


BasisChange = tuple[int | None, str]  # the side that changed (None: the match), and what has changed


def handicap_recheck(match: Match, *, submitting: int | None = None) -> bool:
    """Cancel the agreed handicap of a locked match if its basis has changed. The match's companies are locked.

    `submitting` is the side that is submitting its list. If the handicap is cancelled, the list that the other side
    submitted under it is voided too, so that no lists are revealed before both sides know. If lists are revealed
    without a submission, at the deadline, only the list of the side that bore the handicap is voided.

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
        notify.submitted_list_dropped(match, force.side, force.fell)
    return False


def changes_of(match: Match, row: Handicap) -> list[BasisChange]:
    """Return what has changed since the handicap of a locked match was calculated; empty if nothing has."""
    if row.basis is None or not (row.is_agreed or row.basis.get("best_styles")):
        return [(None, METHOD_CHANGED)]  # cancels a proposal calculated by the old method; an agreed one stands
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
    log_match_activity(match, f"{match.round}, {match}: {why}", None)
    notify.handicap_fell(match, row.reason)


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
