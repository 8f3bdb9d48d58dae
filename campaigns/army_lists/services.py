"""Submit, withdraw and reveal the lists of a match, roll for support, and publish its odds.

Lists are revealed when both are in. One that has become impossible is voided; the other side's isn't affected.

The odds of a match, published before it is played; the site asks for them itself, past any visitor's limit.

Compare a handicap's basis with the current state. If they differ, the offer falls and both sides learn why.

What a side does before it buys: choose its pilots and roll for support. Also a player's saved lists.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from django.db.models import QuerySet
from battles.models import ASKED_BY_SITE
from battles.models import Forecast
from campaigns.models import AbsentRule
from campaigns.models import Match
from rosters.services import RefusedError
from systems.documents import DocumentError
import hashlib
import secrets
from collections import Counter
from collections.abc import Iterable
from collections.abc import Sequence
from dataclasses import replace
from typing import NotRequired
from typing import TypedDict
from django.db import transaction
from django.utils import timezone
from battles.services.dice import dice_add_words
from battles.services.dice import dice_use
from battles.services.setups import SideForce
from campaigns.house_rules import round_house_rules
from campaigns.locks import companies_lock
from campaigns.locks import match_lock
from campaigns.locks import require_running
from campaigns.locks import require_undecided
from campaigns.locks import side_enrolment
from campaigns.models import Enrolment
from campaigns.models import SubmittedList
from campaigns.models import MatchPreparation
from campaigns.models import RoundState
from campaigns.models import SupportRoll
from rosters.documents.snapshots import fielded
from rosters.documents.snapshots import force_rows
from rosters.documents.snapshots import ready_units
from rosters.documents.snapshots import unit_key
from rosters.ledger.records import company_record
from rosters.models import Company
from rosters.models import Player
from rosters.models import Unit
from systems import battle_rules
from systems import roster_rules
from systems.documents import parse_document
from systems.engine.dice import SeededDice
from systems.force_limits import SIDES
from systems.ledger import PilotRecord
from systems.legality import join_words
from systems.orders import SupportOrders
from systems.reading import read_setup
from systems.setups import SIDE_LETTERS
from systems.setups import Setup
from systems.setups import canonical
from systems.setups import without_orders
from typing import Any
from campaigns.models import Handicap
from campaigns.models import SavedList
from battles.selectors.battle import MIN_BATTLES_FOR_LUCK
from battles.odds.services import forecast_ask
from campaigns.activity_log import match_diary
from campaigns.army_lists.legality import company_value
from campaigns.army_lists.legality import limit_of
from campaigns.army_lists.legality import best_force
from campaigns.army_lists.legality import member_of
from campaigns.army_lists.handicaps import unchanged_units
from campaigns.army_lists.handicaps import calculated_units
from campaigns.army_lists.handicaps import concession_of
from campaigns.army_lists.handicaps import unit_points
from campaigns.army_lists.holds import friendly_holds_of
from campaigns.army_lists.purchases import BuyingSide
from campaigns.army_lists.purchases import Purchase
from campaigns.army_lists.purchases import build_buying_side
from campaigns.army_lists.purchases import build_setup_units
from campaigns.army_lists.purchases import buys_units_per_match
from campaigns.army_lists.purchases import check_purchases
from campaigns.army_lists.purchases import default_purchases
from campaigns.army_lists.purchases import hire_and_assign_pilots
from campaigns.army_lists.purchases import parse_purchases
from campaigns.army_lists.purchases import count_rolls_allowed
from campaigns.army_lists.purchases import crew_document
from campaigns.army_lists.purchases import fit_pilots
from campaigns.army_lists.purchases import publish_rolls
from campaigns.army_lists.purchases import rank_pilots
from campaigns.army_lists.purchases import remaining_support
from campaigns.army_lists.purchases import roll_for_support
from campaigns.notifications import notify
from campaigns.autoplay_orders import Standing
from campaigns.autoplay_orders import add_orders_to_document
from campaigns.autoplay_orders import orders_for_match
from campaigns.autoplay_orders import parse_orders
from systems.orders import OrderValue
from campaigns.army_lists.handicaps import HandicapBasis
from campaigns.army_lists.handicaps import differences
from campaigns.army_lists.handicaps import make_basis
from campaigns.army_lists.handicaps import proposed_offer
from rosters.services.base import clean_text
from rosters.services.base import read_spec
from rosters.services.base import system_of
from campaigns.army_lists.purchases import best_pilots
from campaigns.army_lists.purchases import get_or_create_muster


ODDS_RUNS = 20_000  # enough for a half width of 0.7 points


def publishes_odds(match: Match) -> bool:
    """Return whether its campaign has the odds of its matches calculated, whatever happens to unreported ones."""
    return match.round.campaign.counts_odds


def odds_publish(match: Match, setup: Mapping[str, object], *, by_named_styles: bool = False) -> None:
    """Ask for the odds of a match, or note why it has none. The set-up has no orders, since odds would give them away.

    Each side fights in the AI style that gives it its best chance: people play as they like, and naming a weaker style
    must not change the odds. `by_named_styles`: the AI has played the match, by the styles named.
    """
    if not publishes_odds(match):
        odds_remove(match)
        return
    try:
        match.forecast, _ = _request_odds(setup, by_named_styles=by_named_styles)
    except (RefusedError, DocumentError) as error:
        odds_remove(match, error.reason)
        return
    match.no_odds = ""
    match.save(update_fields=["forecast", "no_odds"])


def odds_prepare(match: Match, setup: Mapping[str, object]) -> None:
    """Ask for the odds that a match has if nobody reports it and the AI plays it by the styles named."""
    if publishes_odds(match) and match.round.campaign.absent_rule == AbsentRule.ORDERS:
        with suppress(RefusedError, DocumentError):
            _request_odds(setup, by_named_styles=True)


def _request_odds(setup: Mapping[str, object], *, by_named_styles: bool) -> tuple[Forecast, bool]:
    return forecast_ask(setup=setup, runs=ODDS_RUNS, visitor=ASKED_BY_SITE, best_styles=not by_named_styles)


def odds_store(matches: QuerySet[Match]) -> None:
    """Store the calculated odds with the matches: ratings are calculated from them for good."""
    rows = matches.filter(odds__isnull=True, setup__isnull=False, forecast__runs_done__gte=MIN_BATTLES_FOR_LUCK)
    for match in rows.select_related("forecast"):
        assert match.forecast is not None
        battle = match.forecast.counts["battle"]
        match.odds = {
            "runs": match.forecast.runs_done,
            "attacker_wins": battle["attacker_wins"],
            "defender_wins": battle["defender_wins"],
            "margins": match.forecast.counts.get("margins", {}),
        }
        match.save(update_fields=["odds"])


def odds_remove(match: Match, reason: str = "") -> None:
    """Remove the odds of a match: those calculated from what both sides could field aren't those of their lists.

    `reason`: what its page says instead, if its campaign has odds calculated.
    """
    said = reason[:300] if publishes_odds(match) else ""
    if match.forecast_id is not None or match.no_odds != said:
        match.forecast, match.no_odds = None, said
        match.save(update_fields=["forecast", "no_odds"])


class ListDocument(TypedDict):
    """A side's list: IDs of units, or what it buys for the match, and the AI style."""

    units: list[int]
    doctrine: str
    buys: NotRequired[list[Purchase]]
    orders: NotRequired[dict[str, dict[str, object]]]  # for support, by result
    standing: NotRequired[dict[str, dict[str, OrderValue]]]  # by recipient, see `campaigns.autoplay_orders`


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
    notify.force_sealed(locked, side, by)
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
            notify.seal_fell(match, force.side, error.reason)
        else:
            standing[force.side] = force
    return standing


def recheck_handicap(match: Match, *, submitting: int | None = None) -> bool:
    """Compare what the match's handicap was calculated from with its present state; see `musters.handicap_recheck`."""

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
            notify.forces_opened(opened, by)
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
        notify.seal_fell(match, force.side, force.fell)
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
