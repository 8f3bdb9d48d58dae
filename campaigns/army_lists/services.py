"""Submit, withdraw and reveal the lists of a match, roll for support, and publish its odds.

Lists are revealed when both are in. One that has become impossible is voided; the other side's isn't affected.
"""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Mapping, Sequence
from contextlib import suppress

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from battles.models import ASKED_BY_SITE, Forecast
from battles.odds.services import forecast_ask
from battles.selectors.battle import MIN_BATTLES_FOR_LUCK
from battles.services.dice import dice_add_words, dice_use
from campaigns.activity_log import log_match_activity
from campaigns.army_lists.checks import (
    _refuse_changed,
    autoplay_list,
    check_list_allowed,
    default_list,
    handicap_recheck,
    list_as_played,
    public_estimate_list,
    valid_lists,
)
from campaigns.army_lists.documents import ListDocument, _calculated_pilots, match_document
from campaigns.army_lists.holds import friendly_holds_of
from campaigns.army_lists.purchases import (
    best_pilots,
    build_buying_side,
    buys_units_per_match,
    count_rolls_allowed,
    fit_pilots,
    get_or_create_preparation,
    hire_and_assign_pilots,
    parse_purchases,
    publish_rolls,
    rank_pilots,
    roll_for_support,
)
from campaigns.autoplay_orders import Standing, parse_orders
from campaigns.locks import companies_lock, match_lock, require_running, require_undecided, side_enrolment
from campaigns.models import (
    AbsentRule,
    Enrolment,
    Match,
    MatchPreparation,
    RoundState,
    SavedList,
    SubmittedList,
    SupportRoll,
)
from campaigns.notifications import notify
from rosters.documents.snapshots import fielded, force_rows
from rosters.ledger.records import company_record
from rosters.models import Company, Player, Unit
from rosters.services import RefusedError
from rosters.services.base import clean_text, read_spec, system_of
from systems import battle_rules
from systems.documents import DocumentError
from systems.engine.dice import SeededDice
from systems.orders import OrderValue, SupportOrders
from systems.reading import read_setup
from systems.scenarios import SIDES
from systems.setups import canonical, without_orders
from systems.text import pluralize

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
    """Store the calculated odds with the matches, because ratings depend on them permanently."""
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
    shortened = reason[:300] if publishes_odds(match) else ""
    if match.forecast_id is not None or match.no_odds != shortened:
        match.forecast, match.no_odds = None, shortened
        match.save(update_fields=["forecast", "no_odds"])


def list_hash(salt: str, document: ListDocument) -> str:
    """Return the published hash of a list: SHA-256 of its salt, a line break and the canonical document, in hex."""
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
    bearer_changed = handicap_recheck(locked, submitting=side)
    document = _list_document(locked, side, units, buys, doctrine)
    if bearer_changed:
        _refuse_changed(locked, side, document)
    if orders:
        document["orders"] = {slug: dict(given) for slug, given in orders.items()}
    if standing:
        document["standing"] = _parse_autoplay_orders(locked, side, document, standing)
    _check_no_friendlies(side_enrolment(locked, side).company, units)
    check_list_allowed(locked, side, document)
    words = _words_for_dice(locked, side, words)
    salt = secrets.token_hex(16)
    SubmittedList.objects.update_or_create(
        match=locked,
        side=side,
        defaults={
            "document": document,
            "sealed_as": None,
            "salt": salt,
            "hash": list_hash(salt, document),
            "words": words,
            "submitted_by": by,
            "submitted_at": timezone.now(),
            "fell": "",
        },
    )
    if locked.dice is not None:
        dice_add_words(dice=locked.dice, who=SIDES[side], text=words)
    if len(valid_lists(locked)) == 2:
        return _reveal_both(locked, by)
    notify.list_submitted(locked, side, by)
    return locked


def _list_document(
    match: Match, side: int, units: Sequence[int], buys: Sequence[Mapping[str, object]] | None, doctrine: str
) -> ListDocument:
    """Return the list to submit, in the form the campaign needs."""
    campaign = match.round.campaign
    if not buys_units_per_match(campaign):
        if buys is not None:
            raise RefusedError(
                "buys", f"In {campaign.name} companies keep their units, so you don't buy units for a match."
            )
        return {"units": list(units), "doctrine": doctrine}
    if units or buys is None:
        raise RefusedError(
            "buys", f"In {campaign.name} you buy units for each match, so you can't use your company's units."
        )
    buyer = build_buying_side(match, side, side_enrolment(match, side))
    if not buyer.has_rolled:
        raise RefusedError("buys", "Choose your pilots and roll for support first, then buy units.")
    return {"units": [], "doctrine": doctrine, "buys": parse_purchases(buyer, buys)}


@transaction.atomic
def list_submit_by_orders(*, match: Match, side: int, by: Player) -> Match:
    """Submit the list that the side's autoplay orders would bring: the player agrees to go on without choosing."""
    locked = submitting_lock(match)
    if buys_units_per_match(locked.round.campaign):
        _prepare_by_orders(locked, side, by)
    force = default_list(locked, side)
    return list_submit(
        match=locked, side=side, units=force["units"], buys=force.get("buys"), doctrine=force["doctrine"], by=by,
        standing=force.get("standing"),
    )  # fmt: skip


def _prepare_by_orders(match: Match, side: int, by: Player | None) -> MatchPreparation:
    """Return the side's preparation. If it hasn't rolled, roll with its best pilots, unchanged since its handicap."""
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
        raise RefusedError("match", "You have no list to withdraw.")
    force.fell = (
        SubmittedList.TAKEN_BACK
    )  # the row stays, because the words for the dice are those of a side's first list
    force.save(update_fields=["fell"])
    name = side_enrolment(locked, side).company.name
    log_match_activity(locked, f"{name} withdrew its list for {locked.round}, {locked}", by)
    return locked


def submitting_lock(match: Match) -> Match:
    """Return the locked match, with its companies locked, if a side can still submit a list or take one back."""
    locked = match_lock(match)
    require_undecided(locked)
    require_running(locked.round.campaign)
    if locked.round.state == RoundState.PLANNED:
        raise RefusedError("round", f"{locked.round} hasn't been published yet.")
    if locked.setup is not None:
        raise RefusedError("match", "The lists of this match are already revealed, so you can't change yours.")
    companies_lock(locked)
    return locked


def sides_present(match: Match) -> set[int]:
    """Return the sides whose submitted list is valid, or was voided with the match's handicap."""
    rows = match.sealed.filter(fell__in=["", SubmittedList.FELL_WITH_HANDICAP])
    return set(rows.values_list("side", flat=True))


def _reveal_both(match: Match, by: Player) -> Match:
    """Reveal both submitted lists. If they can't meet, both are kept, and the organiser sees why."""
    try:
        with transaction.atomic():
            opened = lists_reveal(match=match)
            notify.lists_revealed(opened, by)
            return opened
    except RefusedError as error:
        match.flag = f"The lists couldn't be revealed: {error.reason}"[:300]
        match.save(update_fields=["flag"])
        return match


def _check_no_friendlies(company: Company, units: Sequence[int]) -> None:
    """Refuse to submit units that a friendly game may damage or destroy before the match."""
    for hold in friendly_holds_of(company):
        if taken := Unit.objects.filter(pk__in=hold.units & set(units)).order_by("pk").first():
            raise RefusedError("units", f"{taken.name} is {hold.reason}")


def _words_for_dice(match: Match, side: int, words: str) -> str:
    """Return the side's words for the dice: those of its first list, whatever it submits afterwards."""
    first = match.sealed.filter(side=side).first()
    if first is None:
        return words
    if words.strip() not in ("", first.words.strip()):
        raise RefusedError("words", "You can't change your contribution to the dice seed after your first list.")
    return first.words


def _parse_autoplay_orders(
    match: Match, side: int, document: ListDocument, standing: Standing
) -> dict[str, dict[str, OrderValue]]:
    """Return the autoplay orders of a list; refuse them if its side can't be given them."""
    system = match.round.campaign.system
    who = [str(number) for number, _ in enumerate(document["buys"], start=1)] if "buys" in document else None
    return parse_orders(
        system,
        standing,
        who=[str(pk) for pk in document["units"]] if who is None else who,
        opened=battle_rules(system).standing_open(match.scenario, side),
    )


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
    preparations = [_prepare_by_orders(locked, side, None) for side in (0, 1)] if is_fresh else []
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
        setup = read_setup(match_document(locked, sides, support=support, preparations=preparations))
    except DocumentError as error:
        is_secret = ".orders" in error.path or ".standing" in error.path  # a side's orders are shown to nobody else
        reason = "a side's orders aren't possible here." if is_secret else error.reason
        raise RefusedError("forces", f"These lists can't be played against each other: {reason}") from None
    locked.setup = setup.model_dump(mode="json")
    locked.forces = [
        _seats_of_list(locked, side, enrolment, document) for side, (_, enrolment, document) in enumerate(sides)
    ]
    for each in preparations:
        publish_rolls(each)
    locked.flag = ""  # the reason for not revealing them is gone
    locked.save(update_fields=["setup", "forces", "flag"])
    locked.sealed.filter(fell="").update(opened_at=timezone.now())
    odds_publish(locked, without_orders(locked.setup))
    odds_prepare(locked, without_orders(locked.setup))
    return locked


def _seats_of_list(
    match: Match, side: int, enrolment: Enrolment, force: ListDocument
) -> dict[str, dict[str, int | None]]:
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
    except (RefusedError, DocumentError) as error:  # a side can field nothing, or has no legal list here
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


MAX_SAVED = 40  # saved lists of a player in a game


@transaction.atomic
def preparation_roll(
    *, match: Match, side: int, by: Player, pilots: Sequence[int] | None = None, words: str = ""
) -> MatchPreparation:
    """Set the pilots who come and roll for support; both are final. Without `pilots` the best ones come."""
    locked = submitting_lock(match)
    campaign, enrolment = locked.round.campaign, side_enrolment(locked, side)
    if not buys_units_per_match(campaign):
        raise RefusedError(
            "match", f"In {campaign.name} companies keep their units, so there is no roll before a match."
        )
    if get_or_create_preparation(locked, side).rolled_at is not None:
        raise RefusedError("match", "You have already rolled for support, and the roll can't be changed.")
    if pilots is None:
        pilots = [pilot.id for pilot in best_pilots(campaign.system, company_record(enrolment.company))]
    most = battle_rules(campaign.system).max_units
    if len(pilots) > most:
        raise RefusedError("pilots", f"You can bring at most {pluralize(most, 'pilots')}.")
    if len(set(pilots)) != len(pilots):
        raise RefusedError("pilots", "You can choose each pilot only once.")
    row = roll_for_support(locked, side, enrolment, pilots, by=by, words=words)
    log_match_activity(locked, f"{enrolment.company.name} rolled for support for {locked.round}, {locked}", by)
    return row


@transaction.atomic
def saved_list_save(*, player: Player, system: str, name: str, designs: Sequence[Mapping[str, object]]) -> SavedList:
    """Save designs under a name, replacing what was saved under it."""
    rules = system_of(system)
    wanted = clean_text("keep_as", name, longest=60)
    most = battle_rules(system).max_units
    if not 0 < len(designs) <= most:
        raise RefusedError("keep_as", f"A list needs 1 to {most} units.")
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
        raise RefusedError("keep_as", f"You can save at most {MAX_SAVED} lists for {rules.name}. Delete one first.")
    return SavedList.objects.update_or_create(player=player, system=system, name=wanted, defaults={"designs": kept})[0]


@transaction.atomic
def saved_list_delete(*, force: SavedList) -> None:
    """Delete a saved list."""
    force.delete()
