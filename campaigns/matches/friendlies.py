"""Friendly games: announce them with their dice, play them once, and list them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from uuid import UUID

from django.db import transaction
from django.db.models import QuerySet

from battles.choices import PublishedForce, first_doctrines, force_fits, published_forces
from battles.models import ASKED_BY_SITE, Battle, SealedDice
from battles.services.battles import battle_row, sides_write_effects
from battles.services.dice import dice_take
from battles.services.setups import (
    SEALED_ROLL,
    SideChoice,
    SideForce,
    UnitChoice,
    check_forces,
    company_choices,
    setup_document,
)
from campaigns.activity_log import log_campaign_activity
from campaigns.autoplay_orders import WHOLE_SIDE, Standing, parse_orders
from campaigns.locks import campaign_lock
from campaigns.models import (
    Campaign,
    CampaignState,
    Enrolment,
    EnrolmentState,
    Friendly,
    Match,
    MatchState,
    Round,
    RoundState,
)
from campaigns.planning.draws import ground_choices
from campaigns.policy import battle_visibility
from rosters.database.queries import PreparedQuery
from rosters.jobs import JobStatus
from rosters.models import Player
from rosters.services import RefusedError
from rosters.services.base import company_lock
from rosters.site.job_runs import wake
from systems import battle_rules
from systems.documents import DocumentError
from systems.reading import read_setup
from systems.setups import Setup


@transaction.atomic
def friendly_announce(
    *,
    enrolment: Enrolment,
    units: Sequence[int],
    doctrine: str,
    standing: Standing | None = None,
    opponent: str,
    ground: int,
    by: Player,
    words: str = "",
    commitment: str = "",
) -> Friendly:
    """Announce a friendly game against a ready-made list and queue it, on the player's waiting dice.

    `ground` is a position in `ground_choices`, `commitment` the hash of the dice that the player has seen. From then on
    nobody can call it off, and its result is written to the company's ledger when it is done. If the worker failed to
    play the last game, this one uses the same dice: nobody gets others for an announced game.
    """
    campaign = campaign_lock(enrolment.campaign)
    company = company_lock(enrolment.company)
    if company.owner_id != by.pk:
        raise RefusedError("company", "You can only announce games of your own company.")
    enrolment.refresh_from_db()
    round_, refusal = friendly_round(enrolment)
    if round_ is None:
        raise RefusedError("friendly", refusal)
    setup, forces, force = _setup(enrolment, units, doctrine, standing or {}, opponent, ground, by)
    dice = friendly_dice_left(enrolment, round_)
    if dice is None:
        dice = dice_take(actor=by, visitor="", words=words, commitment=commitment)
    elif words or commitment not in ("", dice.commitment):
        raise RefusedError(
            "dice",
            "Your last game of this round failed, so the next one uses its dice and the contributions already "
            "made to them.",
        )
    battle = battle_row(
        setup=setup, forces=forces, actor=None, visitor=ASKED_BY_SITE, dice=dice,
        visibility=battle_visibility(campaign),
    )  # fmt: skip
    friendly = Friendly.objects.create(
        round=round_, enrolment=enrolment, opponent=force.name[:60], battle=battle, created_by=by
    )
    count = len(setup.sides[0].units)
    text = (
        f"{company.name} announced a friendly game in {round_}: {count} {'unit' if count == 1 else 'units'} "
        f"against {force.name}, with the dice {dice.commitment}"
    )
    log_campaign_activity(campaign, text, by)
    transaction.on_commit(lambda: wake("battles.tasks.battle_resolve", battle.pk))
    return friendly


def friendly_settle(battle: Battle) -> None:
    """Write a friendly game that was just played to the company's ledger, won or lost; do nothing for "
    "another battle."""
    rows = Friendly.objects.select_related("round__campaign__club", "enrolment__company")
    friendly = rows.filter(battle=battle).first()
    if friendly is None:
        return
    own = battle.sides.get(position=0)
    sides_write_effects(battle=battle, sides=[own], by=None)
    winner = (battle.result or {})["winner"]
    how = "a draw" if winner is None else "won" if winner == own.name else "lost"
    campaign = friendly.round.campaign
    text = f"Friendly game of {friendly} in {friendly.round}: {how}; entered in the ledger"
    log_campaign_activity(campaign, text, None)


def friendly_round(enrolment: Enrolment) -> tuple[Round | None, str]:
    """Return the round in which the company could play a friendly game now; if there is none, the reason."""
    campaign, name = enrolment.campaign, enrolment.company.name
    if not campaign.friendlies:
        return None, f"{campaign.name} has no friendly games."
    round_ = campaign.rounds.filter(state=RoundState.OPEN).order_by("number").last()
    if campaign.state != CampaignState.RUNNING or round_ is None:
        return None, "You can only play friendly games while a round is open."
    if enrolment.state != EnrolmentState.ACCEPTED:
        return None, f"{name} isn't in {campaign.name}."
    matches = Match.objects.exclude(round__state=RoundState.PLANNED).filter(state__in=MatchState.undecided())
    if matches.filter(attacker=enrolment).exists() or matches.filter(defender=enrolment).exists():
        return None, f"{name} still has an undecided match. Finish that first."
    played = enrolment.friendlies.filter(round=round_).exclude(battle__status=JobStatus.FAILED)  # the worker's fault
    if played.exclude(battle=None).exclude(battle__status=JobStatus.DONE).exists():
        return None, f"A friendly game of {name} is being simulated. Wait until it has finished."
    if played.count() >= campaign.friendlies:
        games = "its friendly game" if campaign.friendlies == 1 else f"its {campaign.friendlies} friendly games"
        return None, f"{name} has already played {games} of {round_}."
    return round_, ""


def friendly_dice_left(enrolment: Enrolment, round_: Round) -> SealedDice | None:
    """Return the dice of a game announced this round that could not be played; None if all of them have rolled."""
    left = SealedDice.objects.filter(
        battles__friendly__enrolment=enrolment,
        battles__friendly__round=round_,
        battles__status=JobStatus.FAILED,
        revealed_at=None,
    )
    return left.order_by("-pk").first()


def _setup(
    enrolment: Enrolment,
    units: Sequence[int],
    doctrine: str,
    standing: Standing,
    opponent: str,
    ground: int,
    by: Player,
) -> tuple[Setup, tuple[SideForce | None, ...], PublishedForce]:
    """Return the set-up for this campaign, the company's side in it, and the opponent."""
    campaign, company = enrolment.campaign, enrolment.company
    grounds = ground_choices(campaign)
    if not 0 <= ground < len(grounds):
        raise RefusedError("ground", f"{campaign.name} has no such scenario and terrain.")
    if doctrine not in battle_rules(campaign.system).doctrines:
        raise RefusedError("doctrine", "There is no such AI style.")
    if not units:
        raise RefusedError("units", "Choose at least one unit.")
    force = published_forces(campaign.system).get(opponent)
    if force is None:
        raise RefusedError("opponent", "There is no such list.")
    scenario = grounds[ground].value
    if not force_fits(campaign.system, scenario, 1, force):
        raise RefusedError("opponent", f"{force.name} is not legal in {grounds[ground].name}. Choose another.")
    orders = parse_orders(
        campaign.system,
        standing,
        who=[str(pk) for pk in units],
        opened=battle_rules(campaign.system).standing_open(scenario, 0),
    )
    own = [replace(choice, standing=orders.get(str(choice.unit), {})) for choice in company_choices(company, units)]
    other = [UnitChoice(design=unit.design, name=unit.name, pilot=unit.pilot) for unit in force.units]
    name = force.name if force.name != company.name else f"{force.name[:50]} (free)"
    try:
        document, forces = setup_document(
            system=campaign.system,
            scenario=scenario,
            terrain=grounds[ground].terrain,
            options=campaign.options,
            sides=[
                SideChoice(
                    name=company.name,
                    doctrine=doctrine,
                    units=own,
                    company=company,
                    standing=orders.get(WHOLE_SIDE, {}),
                    support=_rolls(campaign.system, scenario, 0, own),
                ),
                SideChoice(
                    name=name,
                    doctrine=first_doctrines(campaign.system)[1],
                    units=other,
                    support=_rolls(campaign.system, scenario, 1, other),
                ),
            ],
        )
        setup = read_setup(document)
    except DocumentError as error:
        raise RefusedError("units", error.reason) from None
    check_forces(setup=setup, forces=forces, actor=by)
    return setup, forces, force


def _rolls(system: str, scenario: str | Mapping[str, object], side: int, units: Sequence[UnitChoice]) -> list[str]:
    """Return this side's support rolls, to be made on the provably fair dice."""
    return [SEALED_ROLL] * battle_rules(system).support_allowed(scenario, side, [unit.pilot for unit in units])


@dataclass(frozen=True, slots=True, kw_only=True)
class FriendlyRow:
    """A friendly game: when it was announced, its dice, and how it ended. `outcome` is empty until it is done."""

    key: UUID
    round: int
    enrolment: int
    company: str
    opponent: str
    by: str
    at: datetime
    dice: UUID | None
    commitment: str
    battle: UUID | None  # None: it was imported without one
    outcome: str  # "won", "drawn", "lost"; "failed" for a server error, which doesn't use up a game

    @property
    def outcome_label(self) -> str:
        failed = "failed because of a server error; doesn't count"
        return {"failed": failed, "": "being simulated"}.get(self.outcome, self.outcome)


def friendly_rows(campaign: Campaign) -> list[FriendlyRow]:
    """Return all friendly games of the campaign, newest first; one query."""
    return [_line(row) for row in LINES.rows(campaign=campaign.pk)]


def own_entrants(campaign: Campaign, reader: object) -> list[Enrolment]:
    """Return the reader's companies that take part."""
    return ENTRANTS.rows(campaign=campaign.pk, owner=reader.pk) if isinstance(reader, Player) else []


def _entrants(campaign: int, owner: int) -> QuerySet[Enrolment]:
    rows = Enrolment.objects.filter(campaign=campaign, company__owner=owner, state=EnrolmentState.ACCEPTED)
    return rows.select_related("company__owner", "campaign__club").order_by("pk")


BESIDE = ("round", "enrolment__company", "battle__dice", "created_by")
LINES = PreparedQuery(
    lambda campaign: Friendly.objects.filter(round__campaign=campaign).select_related(*BESIDE), campaign=int
)
ENTRANTS = PreparedQuery(_entrants, campaign=int, owner=int)


def _line(row: Friendly) -> FriendlyRow:
    battle, outcome = row.battle, row.outcome
    dice = battle.dice if battle else None
    if battle and battle.status == JobStatus.DONE:
        winner = (battle.result or {})["winner"]
        outcome = "drawn" if winner is None else "won" if winner == battle.setup["sides"][0]["name"] else "lost"
    elif battle and battle.status == JobStatus.FAILED:
        outcome = "failed"
    return FriendlyRow(
        key=row.key,
        round=row.round.number,
        enrolment=row.enrolment_id,
        company=row.enrolment.company.name,
        opponent=row.opponent,
        by=str(row.created_by) if row.created_by else "",
        at=row.created_at,
        dice=dice.key if dice else None,
        commitment=dice.commitment if dice else row.commitment,
        battle=battle.key if battle else None,
        outcome=outcome,
    )
