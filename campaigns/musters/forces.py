"""The list that each side brings to a match: submitted, or at the deadline made from autoplay orders.

Lists are revealed when both are in. One that has become impossible is voided; the other side's isn't affected.
"""

from __future__ import annotations

import hashlib
import secrets
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import NotRequired, TypedDict

from django.db import transaction
from django.utils import timezone

from battles.services.dice import dice_add_words, dice_use
from battles.services.setups import SideForce
from campaigns.diary import match_diary
from campaigns.house_rules import round_house_rules
from campaigns.locks import companies_lock, match_lock, require_running, require_undecided, side_enrolment
from campaigns.models import Enrolment, Match, SubmittedList, MatchPreparation, RoundState, SupportRoll
from campaigns.musters.allowance import company_value, limit_of
from campaigns.musters.fielding import best_force, member_of
from campaigns.musters.handicap_counting import unchanged_units
from campaigns.musters.handicap_terms import calculated_units, concession_of, unit_points
from campaigns.musters.holds import friendly_holds_of
from campaigns.musters.odds import odds_prepare, odds_publish, odds_remove
from campaigns.musters.purchase import (
    BuyingSide,
    Purchase,
    build_buying_side,
    build_setup_units,
    buys_units_per_match,
    check_purchases,
    default_purchases,
    hire_and_assign_pilots,
    parse_purchases,
)
from campaigns.musters.rolls import (
    count_rolls_allowed,
    crew_document,
    fit_pilots,
    publish_rolls,
    rank_pilots,
    remaining_support,
    roll_for_support,
)
from campaigns.occasions import raised
from campaigns.standing import Standing, add_orders_to_document, orders_for_match, parse_orders
from rosters.documents.snapshots import fielded, force_rows, ready_units, unit_key
from rosters.ledger.records import company_record
from rosters.models import Company, Player, Unit
from rosters.services import RefusedError
from systems import battle_rules, roster_rules
from systems.documents import DocumentError, parse_document
from systems.engine.dice import SeededDice
from systems.force_limits import SIDES
from systems.ledger import PilotRecord
from systems.legality import join_words
from systems.orders import SupportOrders
from systems.reading import read_setup
from systems.setups import SIDE_LETTERS, Setup, canonical, without_orders
from systems.standing import OrderValue


class ListDocument(TypedDict):
    """A side's list: IDs of units, or what it buys for the match, and the AI style."""

    units: list[int]
    doctrine: str
    buys: NotRequired[list[Purchase]]
    orders: NotRequired[dict[str, dict[str, object]]]  # for support, by result
    standing: NotRequired[dict[str, dict[str, OrderValue]]]  # by recipient, see `campaigns.standing`


def force_hash(salt: str, document: ListDocument) -> str:
    """Return what is shown of a submitted list: SHA-256 of its salt, a line break and the canonical document, in hex."""
    return hashlib.sha256(f"{salt}\n{canonical(document)}".encode()).hexdigest()


@transaction.atomic
def list_submit(
    *,
    match: Match,
    side: int,
    doctrine: str,
    by: Player,
    units: Sequence[int] = (),
    buys: Sequence[Mapping[str, object]] | None = None,
    orders: SupportOrders | None = None,
    standing: Standing | None = None,
    words: str = "",
) -> Match:
    """Submit one side's list: units of its company, or what it buys if units are bought for each match.

    When both sides have submitted, both lists are revealed and the match gets its set-up. `orders` say when and where
    the side wants support used; if support isn't rolled yet, orders for support that doesn't come do nothing.
    `standing` are the autoplay orders of the side and its units, as far as its AI style plays the match. Its units and
    their pilots can't change until the match is decided or the list is taken back.
    """
    locked = submitting_lock(match)
    bearer_changed = recheck_handicap(locked, submitting=side)
    document = _list_document(locked, side, units, buys, doctrine)
    if bearer_changed:
        _refuse_changed(locked, side, document)
    if orders:
        document["orders"] = {slug: dict(given) for slug, given in orders.items()}
    if standing:
        document["standing"] = _standing_read(locked, side, document, standing)
    _free_of_friendlies(side_enrolment(locked, side).company, units)
    check_list_allowed(locked, side, document)
    words = _words_sealed(locked, side, words)
    salt = secrets.token_hex(16)
    SubmittedList.objects.update_or_create(
        match=locked,
        side=side,
        defaults={
            "document": document,
            "sealed_as": None,
            "salt": salt,
            "hash": force_hash(salt, document),
            "words": words,
            "by": by,
            "at": timezone.now(),
            "fell": "",
        },
    )
    if locked.dice is not None:
        dice_add_words(dice=locked.dice, who=SIDES[side], text=words)
    if len(valid_lists(locked)) == 2:
        return _open_sealed(locked, by)
    raised.force_sealed(locked, side, by)
    return locked


def _list_document(
    match: Match, side: int, units: Sequence[int], buys: Sequence[Mapping[str, object]] | None, doctrine: str
) -> ListDocument:
    """Return the list to submit, in the form the campaign needs."""
    campaign = match.round.campaign
    if not buys_units_per_match(campaign):
        if buys is not None:
            raise RefusedError("buys", f"Companies of {campaign.name} keep their units; nothing is bought for a match.")
        return {"units": list(units), "doctrine": doctrine}
    if units or buys is None:
        raise RefusedError("buys", f"In {campaign.name} units are bought for each match; none comes out of a hangar.")
    buyer = build_buying_side(match, side, side_enrolment(match, side))
    if not buyer.has_rolled:
        raise RefusedError("buys", "Say who comes along and roll for support first; units are bought after that.")
    return {"units": [], "doctrine": doctrine, "buys": parse_purchases(buyer, buys)}


@transaction.atomic
def list_submit_by_orders(*, match: Match, side: int, by: Player) -> Match:
    """Submit the list that the side's autoplay orders would bring: the player agrees to go on without choosing."""
    locked = submitting_lock(match)
    if buys_units_per_match(locked.round.campaign):
        _muster_by_orders(locked, side, by)
    force = default_force(locked, side)
    return list_submit(
        match=locked, side=side, units=force["units"], buys=force.get("buys"), doctrine=force["doctrine"], by=by,
        standing=force.get("standing"),
    )  # fmt: skip


def _muster_by_orders(match: Match, side: int, by: Player | None) -> MatchPreparation:
    """Return the side's muster; if it hasn't rolled, with its best pilots of those its handicap was calculated with."""
    enrolment = side_enrolment(match, side)
    fit = _calculated_pilots(match, side, fit_pilots(company_record(enrolment.company)))
    come = rank_pilots(match.round.campaign.system, fit)
    return roll_for_support(match, side, enrolment, [pilot.id for pilot in come], by=by)


@transaction.atomic
def list_withdraw(*, match: Match, side: int, by: Player) -> Match:
    """Take a side's list back while the lists aren't revealed, so that it can be changed."""
    locked = submitting_lock(match)
    force = locked.sealed.filter(side=side, fell="").first()
    if force is None:
        raise RefusedError("match", "There is no seal of yours to take back.")
    force.fell = SubmittedList.TAKEN_BACK  # the row stays, because the words for the dice are those of a side's first list
    force.save(update_fields=["fell"])
    name = side_enrolment(locked, side).company.name
    match_diary(locked, f"{name} took back what it had sealed for {locked.round}, {locked}", by)
    return locked


def submitting_lock(match: Match) -> Match:
    """Return the locked match, with its companies locked, if a side can still submit a list or take one back."""
    locked = match_lock(match)
    require_undecided(locked)
    require_running(locked.round.campaign)
    if locked.round.state == RoundState.PLANNED:
        raise RefusedError("round", f"{locked.round} has not been opened yet.")
    if locked.setup is not None:
        raise RefusedError("match", "The forces of this match are open already; they can't be changed any more.")
    companies_lock(locked)
    return locked


def valid_lists(match: Match) -> dict[int, SubmittedList]:
    """Return the submitted lists of a locked match that can be fielded, by side; void the others now.

    While lists are hidden only a side's own player learns why: the reason may name what is in it.
    """
    recheck_handicap(match)
    standing = {}
    for force in match.sealed.filter(fell="").order_by("side"):
        try:
            check_list_allowed(match, force.side, force.document)
        except RefusedError as error:
            force.fell = error.reason[:300]
            force.save(update_fields=["fell"])
            name = side_enrolment(match, force.side).company.name
            is_told = not match.round.campaign.seals_forces and error.field not in ("orders", "standing")
            why = error.reason if is_told else "what it held can't come any more"
            match_diary(match, f"The seal of {name} for {match.round}, {match} fell: {why}", None)
            raised.seal_fell(match, force.side, error.reason)
        else:
            standing[force.side] = force
    return standing


def recheck_handicap(match: Match, *, submitting: int | None = None) -> bool:
    """Compare what the match's handicap was calculated from with its present state; see `musters.handicap_recheck`."""
    from campaigns.musters.handicap_recheck import (
        handicap_recheck,  # imported here, because that module imports this one
    )

    return handicap_recheck(match, submitting=submitting)


def sides_present(match: Match) -> set[int]:
    """Return the sides of a match whose submitted list stands, or was voided with the match's handicap."""
    rows = match.sealed.filter(fell__in=["", SubmittedList.FELL_WITH_HANDICAP])
    return set(rows.values_list("side", flat=True))


def _open_sealed(match: Match, by: Player) -> Match:
    """Reveal both submitted lists. If they can't meet, both stand, and the organiser sees why."""
    try:
        with transaction.atomic():
            opened = lists_reveal(match=match)
            raised.forces_opened(opened, by)
            return opened
    except RefusedError as error:
        match.flag = f"The forces could not be opened: {error.reason}"[:300]
        match.save(update_fields=["flag"])
        return match


def check_list_allowed(match: Match, side: int, document: ListDocument) -> None:
    """Refuse a list that could not be fielded in this match, or whose company has more than its campaign allows."""
    if not buys_units_per_match(match.round.campaign):
        allowance_check(side_enrolment(match, side))
    check_list(match, side, document)


def _free_of_friendlies(company: Company, units: Sequence[int]) -> None:
    """Refuse to submit units that a friendly game may damage or destroy before the match."""
    for hold in friendly_holds_of(company):
        if taken := Unit.objects.filter(pk__in=hold.units & set(units)).order_by("pk").first():
            raise RefusedError("units", f"{taken.name} is {hold.reason}")


def _words_sealed(match: Match, side: int, words: str) -> str:
    """Return the side's words for the dice: those of its first list, whatever it submits afterwards."""
    first = match.sealed.filter(side=side).first()
    if first is None:
        return words
    if words.strip() not in ("", first.words.strip()):
        raise RefusedError(
            "words", "Your words for the dice were sealed with your first force; they can't be changed any more."
        )
    return first.words


def check_list(match: Match, side: int, document: ListDocument) -> None:
    """Refuse a list that could not be fielded in this match, with the rule that forbids it."""
    enrolment = side_enrolment(match, side)
    doctrines = battle_rules(match.round.campaign.system).doctrines
    if document["doctrine"] not in doctrines:
        raise RefusedError("doctrine", "There is no such doctrine.")
    _orders_checked(match, side, document)
    _standing_checked(match, side, enrolment, document)
    if "buys" in document:
        _buys_checked(match, side, enrolment, document["buys"])
        return
    units = fielded(enrolment.company, document["units"])
    limit = concession_of(match, side).points
    if limit is not None:
        worth = sum(unit_points(match.round.campaign, [unit.spec for unit in units], round_house_rules(match.round)))
        if worth > limit:
            name = enrolment.company.name
            reason = f"{name} fields {limit} points at most, by the handicap of this match; these are {worth}."
            raise RefusedError("units", reason)
    names = ("Attacker", "Defender")
    try:
        read_setup(match_document(match, [(names[at], enrolment, document) for at in (0, 1)], mirrored=True))
    except DocumentError as error:
        if error.path.startswith(f"sides[{1 - side}]"):
            return  # the other side stands in for an unknown one
        raise RefusedError("units", error.reason) from None


def _standing_read(match: Match, side: int, document: ListDocument, standing: Standing) -> dict[str, dict[str, OrderValue]]:
    """Return the autoplay orders of a list; refuse them if its side can't be given them."""
    system = match.round.campaign.system
    who = [str(number) for number, _ in enumerate(document["buys"], start=1)] if "buys" in document else None
    return parse_orders(
        system,
        standing,
        who=[str(pk) for pk in document["units"]] if who is None else who,
        opened=battle_rules(system).standing_open(match.scenario, side),
    )


def _standing_checked(match: Match, side: int, enrolment: Enrolment, document: ListDocument) -> None:
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


def _orders_checked(match: Match, side: int, document: ListDocument) -> None:
    """Refuse orders that the side can't give, with the rule that forbids them."""
    muster = match.musters.filter(side=side).first() if "buys" in document and match.pk else None
    keys = [unit_key(pk) for pk in document["units"]]
    keys += [f"{SIDE_LETTERS[side]}{number}" for number, _ in enumerate(document.get("buys", ()), start=1)]
    try:
        battle_rules(match.round.campaign.system).check_orders(
            match.scenario,
            side,
            document.get("orders", {}),
            has=muster.support if muster is not None else None,
            units=keys,
            path="orders",
        )
    except DocumentError as error:
        raise RefusedError("orders", str(error)) from None


def _buys_checked(match: Match, side: int, enrolment: Enrolment, buys: Sequence[Purchase]) -> None:
    """Refuse a purchase that its game would not let into the match, with the rule that forbids it."""
    buyer = build_buying_side(match, side, enrolment)
    check = check_purchases(buyer, parse_purchases(buyer, buys))
    if check.problems:
        cited = [f"{each.message} ({each.rule})" if each.rule else each.message for each in check.problems]
        raise RefusedError("buys", " ".join(cited))


@transaction.atomic
def lists_reveal(*, match: Match, played: Mapping[int, Sequence[int]] | None = None) -> Match:
    """Reveal both lists and fix the match's set-up; a side without a valid list brings all it can field.

    `played` are the units of a side without a submitted list, as a judge saw them on the table. Once revealed, lists
    stay as they are: calling this again changes nothing.
    """
    locked = match_lock(match)
    if locked.setup is not None:
        return locked
    companies_lock(locked)
    sealed = valid_lists(locked)
    sides = []
    is_fresh = buys_units_per_match(locked.round.campaign)
    musters = [_muster_by_orders(locked, side, None) for side in (0, 1)] if is_fresh else []
    for side in (0, 1):
        enrolment = side_enrolment(locked, side)
        if side in sealed:
            document = sealed[side].document
        elif units := (played or {}).get(side):
            document = list_as_played(locked, side, units)
        else:
            document = autoplay_list(locked, side)
        sides.append((enrolment.company.name, enrolment, document))
    if sides[0][0] == sides[1][0]:
        sides[1] = (f"{sides[1][0][:57]} II", *sides[1][1:])
    forces = [(enrolment, document) for _, enrolment, document in sides]
    support = [] if is_fresh else support_roll(match=locked, forces=forces)
    try:
        setup = read_setup(match_document(locked, sides, support=support, musters=musters))
    except DocumentError as error:
        is_secret = ".orders" in error.path or ".standing" in error.path  # a side's orders are shown to nobody else
        reason = "what a side has ordered can't be done here." if is_secret else error.reason
        raise RefusedError("forces", f"These forces can't meet: {reason}") from None
    locked.setup = setup.model_dump(mode="json")
    locked.forces = [_seats_of_list(locked, side, enrolment, document) for side, (_, enrolment, document) in enumerate(sides)]
    for each in musters:
        publish_rolls(each)
    locked.flag = ""  # the reason for not revealing them is gone
    locked.save(update_fields=["setup", "forces", "flag"])
    locked.sealed.filter(fell="").update(opened_at=timezone.now())
    odds_publish(locked, without_orders(locked.setup))
    odds_prepare(locked, without_orders(locked.setup))
    return locked


def _seats_of_list(match: Match, side: int, enrolment: Enrolment, force: ListDocument) -> dict[str, dict[str, int | None]]:
    """Return the rows of units and pilots in the set-up; pilots hired for the match are hired now."""
    if "buys" not in force:
        return force_rows(enrolment.company, force["units"])
    return hire_and_assign_pilots(build_buying_side(match, side, enrolment), force["buys"])


def orders_publish(match: Match) -> None:
    """Publish the odds of a match if both sides played it now, with all they can field."""
    names = ("Attacker", "Defender")
    try:
        sides = [(names[side], side_enrolment(match, side), public_estimate_list(match, side)) for side in (0, 1)]
        setup = read_setup(match_document(match, sides))
    except (RefusedError, DocumentError) as error:  # a side can field nothing, or no list of its is legal here
        odds_remove(match, error.reason)
        return
    odds_publish(match, setup.model_dump(mode="json"))


def support_roll(*, match: Match, forces: Sequence[tuple[Enrolment, ListDocument]]) -> list[list[str]]:
    """Roll support for both sides on the match's provably fair dice; return the results, the attacker's first."""
    system = battle_rules(match.round.campaign.system)
    if match.dice is None or system.terms(match.scenario) is None:
        return [[], []]
    dice = SeededDice(dice_use(dice=match.dice, purpose="support"))
    rolled: list[list[str]] = []
    for side, (enrolment, force) in enumerate(forces):
        pilots = [unit.crew for unit in fielded(enrolment.company, force["units"])]
        rolls = [system.roll_support(dice) for _ in range(count_rolls_allowed(match, side, pilots))]
        for number, made in enumerate(rolls, start=1):
            SupportRoll.objects.create(match=match, side=side, number=number, faces=list(made.faces), result=made.slug)
        rolled.append([made.slug for made in rolls])
    return rolled


def default_force(match: Match, side: int, buyer: BuyingSide | None = None) -> ListDocument:
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
            "units", f"{name} has no legal list of units that are as they were when its handicap was calculated."
        )
    units = units or ready_units(enrolment.company)[: battle_rules(enrolment.company.system).max_units]
    if not units:
        raise RefusedError("units", f"{enrolment.company.name} has no unit that is ready and has a pilot.")
    document = {"units": units, "doctrine": doctrine}
    if standing := orders_for_match(match, side, kept, units):
        document["standing"] = standing
    check_list(match, side, document)
    return document


def public_estimate_list(match: Match, side: int) -> ListDocument:
    """Return `default_force` as others may know it before lists are revealed.

    Autoplay orders, support rolls and the AI style are the player's alone to know, so the first two are left out, and
    odds are calculated with the best style.
    """
    document = default_force(
        match, side, public_estimate_buyer(match, side) if buys_units_per_match(match.round.campaign) else None
    )
    document.pop("standing", None)
    document["doctrine"] = next(iter(battle_rules(match.round.campaign.system).doctrines))
    return document


def public_estimate_buyer(match: Match, side: int) -> BuyingSide:
    """Return a side that buys for the match as others may know it: without its support rolls, which only it may know."""
    return replace(build_buying_side(match, side, side_enrolment(match, side)), muster=None)


def list_within_limit(match: Match, side: int, force: ListDocument, limit: int) -> ListDocument | None:
    """Return this list's most expensive legal part within the limit; None if there is none."""
    units = autoplay_units(match, side, limit=limit)
    if not units:
        return None
    document: ListDocument = {"units": units, "doctrine": force["doctrine"]}
    if standing := orders_for_match(match, side, force.get("standing", {}), units):
        document["standing"] = standing
    return document


def autoplay_units(match: Match, side: int, *, limit: int | None = None) -> list[int]:
    """Return the units the rule system picks for a side that chose nothing, in roster order; empty if none are legal.

    Resting units are used only if no list is legal without them. With a limit or a handicap, the list costs no more.
    The side that bears the handicap brings only units that are as they were when it was calculated.
    """
    enrolment, campaign = side_enrolment(match, side), match.round.campaign
    rosters = roster_rules(campaign.system, campaign.catalogue_release)
    rows = {unit.pk: unit for unit in enrolment.company.units.all()}
    record = company_record(enrolment.company)
    ready = _calculated(match, side, ready_units(enrolment.company))
    limit = concession_of(match, side).points if limit is None else limit
    rested = [pk for pk in ready if not rosters.is_resting(rows[pk].condition)]
    for units in (rested, ready) if rested != ready else (ready,):
        members = [member_of(rosters, record, record.units[pk]) for pk in units]
        if places := best_force(campaign.system, match.scenario, members, round_house_rules(match.round), side, limit):
            return [units[place] for place in places]
    return []


def _calculated(match: Match, side: int, units: Sequence[int]) -> list[int]:
    """Return the units that are as they were when the handicap that the side bears was calculated.

    All of them if it bears none.
    """
    calculated = calculated_units(match, side)
    if calculated is None:
        return list(units)
    keys = {unit["key"] for unit in calculated}
    kept = [pk for pk in units if unit_key(pk) in keys]
    if kept:
        now = _setup_units(match, side, side_enrolment(match, side), {"units": kept, "doctrine": ""})
        unchanged = unchanged_units(calculated, now)
        kept = [pk for pk in kept if unit_key(pk) in unchanged]
    return kept


def _calculated_pilots(match: Match, side: int, pilots: Iterable[PilotRecord]) -> list[PilotRecord]:
    """Return the pilots with whom the handicap that the side bears was calculated; all if it bears none."""
    calculated = calculated_units(match, side)
    if calculated is None:
        return list(pilots)
    seats = Counter(canonical({"is_new": False, **unit["pilot"]}) for unit in calculated)
    found = []
    for pilot in pilots:
        crew = canonical(crew_document(pilot))
        if seats[crew]:
            seats[crew] -= 1
            found.append(pilot)
    return found


def _refuse_changed(match: Match, side: int, document: ListDocument) -> None:
    """Refuse a bearer's list with units or pilots that are not as they were when the handicap was calculated."""
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
            "You agreed to bear a handicap, so bring only units and pilots that are as they were when it was calculated"
        )
        raise RefusedError("units", f"{bears}, not {join_words(changed)}.")


def autoplay_list(match: Match, side: int) -> ListDocument:
    """Return what the side fields by its autoplay orders; refuse if its company has more than its campaign allows."""
    if not buys_units_per_match(match.round.campaign):
        allowance_check(side_enrolment(match, side))
    return default_force(match, side)


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
        return "had nothing to field"
    if match.setup is not None or side in valid_lists(match):
        return ""
    try:
        autoplay_list(match, side)
    except RefusedError as error:
        return f"could field nothing: {error.reason}"
    return ""


def side_forces(match: Match) -> tuple[SideForce, SideForce]:
    """Return the revealed lists in the form battles take."""
    assert match.defender is not None
    attacker, defender = match.forces
    return (
        SideForce(company=match.attacker.company, units=attacker),
        SideForce(company=match.defender.company, units=defender),
    )


def match_document(
    match: Match,
    sides: Sequence[tuple[str, Enrolment, ListDocument]],
    *,
    mirrored: bool = False,
    support: Sequence[Sequence[str]] = ((), ()),
    musters: Sequence[MatchPreparation] = (),
) -> dict[str, object]:
    """Return the set-up of these sides.

    `mirrored`: both are the same company, with different keys. `musters`: what both rolled before they bought anything,
    instead of `support`.
    """
    documents = []
    for at, (name, enrolment, force) in enumerate(sides):
        units = _setup_units(match, at, enrolment, force)
        side: dict[str, object] = {"name": name, "doctrine": force["doctrine"], "units": units}
        add_orders_to_document(at, side, units, force.get("standing", {}))
        if mirrored:
            side["units"] = units = [{**unit, "key": f"{'ab'[at]}-{unit['key']}"} for unit in units]
        has = list(support[at]) if not musters else []
        if musters:
            has, side["rolled"] = remaining_support(match, at, musters[at], units)
        side["support"] = has
        if kept := {slug: each for slug, each in force.get("orders", {}).items() if slug in has}:
            side["orders"] = kept
        documents.append(side)
    return {
        "muster": "setup/1",
        "release": match.round.campaign.catalogue_release,
        "system": match.round.campaign.system,
        "scenario": match.scenario,
        "terrain": match.terrain,
        "options": round_house_rules(match.round),
        "sides": documents,
    }


def _setup_units(match: Match, side: int, enrolment: Enrolment, force: ListDocument) -> list[dict[str, object]]:
    """Return a side's units for the set-up, with pilots marked as not new unless they are hired for it."""
    if "buys" in force:
        return build_setup_units(build_buying_side(match, side, enrolment), force["buys"])
    counts_hiring = battle_rules(match.round.campaign.system).counts_hiring(match.scenario)
    return [
        unit.document() | ({"pilot": unit.crew | {"is_new": False}} if counts_hiring and unit.crew else {})
        for unit in fielded(enrolment.company, force["units"])
    ]


def allowance_check(enrolment: Enrolment) -> None:
    """Refuse a company that has more than its campaign allows, however it got it.

    Points in its bank can't be spent in that case, but don't count here. Units that the organiser excused may play as
    long as their worth only goes down.
    """
    campaign, company = enrolment.campaign, enrolment.company
    worth = company_value(company, company_record(company), campaign)
    has, limit = worth.fielded, limit_of(enrolment)
    if has > max(limit, enrolment.excused_points):
        raise RefusedError(
            "company",
            f"{company.name} has units and hired pilots worth {has} points; {campaign.name} allows it {limit}. "
            "Sell what is too much, or ask the organiser to excuse it.",
        )
