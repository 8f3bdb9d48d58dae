"""Notify players of events: one function for each event type, called by the service that did the act."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from uuid import UUID

from campaigns.models import (
    Campaign,
    CampaignState,
    Club,
    Correction,
    Enrolment,
    EnrolmentState,
    Gazette,
    Invitation,
    JoinRequest,
    Match,
    MatchmakingOffer,
    MatchState,
    Role,
    Round,
    Ruling,
    SeasonPairing,
    SeasonRound,
    WatchParty,
)
from campaigns.notifications.event_facts import (
    club_facts,
    describe_outcome,
    describe_pairings,
    describe_promotion,
    describe_role,
    describe_runners_up,
    describe_verdict,
    enrolment_context,
    entrant_ids,
    event_context,
    match_facts,
    member_ids,
    own_and_other_side,
    owner_ids,
    round_facts,
    season_pairing_facts,
)
from campaigns.notifications.services import notify
from campaigns.policy import MAY_RULE
from rosters.entries.units_and_pilots import Promoted, SkillGained, SkillRolled
from rosters.models import Company, LedgerEntry, Player
from systems import roster_rules
from systems.legality import join_words
from systems.text import pluralize

# --- rounds and campaigns ---------------------------------------------------------------------------------------------


def round_opened(row: Round, by: Player | None) -> None:
    """Notify each side of a match of its opponent, and the other entrants that the round is open."""
    campaign = row.campaign
    matches = list(row.matches.select_related("attacker__company", "defender__company"))
    playing: set[int] = set()
    for match in matches:
        playing |= owner_ids(match)
        (_bye if match.defender is None else _paired)(match, row)
    notify(
        "round-opened",
        to=entrant_ids(campaign) - playing,
        by=by,
        club=campaign.club,
        campaign=campaign,
        facts=round_facts(row) | {"pairings": describe_pairings(matches)},
    )


def _paired(match: Match, row: Round) -> None:
    sides = (match.attacker, match.defender)
    assert match.defender is not None
    own = {
        side.company.owner_id: {"company": side.company.name, "other": other.company.name, "side": word}
        for side, other, word in (
            (match.defender, match.attacker, "defender"),
            (match.attacker, match.defender, "attacker"),
        )
    }
    facts = match_facts(match, row) | {"table": match.number, "scenario": match.scenario_name}
    notify(
        "paired",
        to=[side.company.owner_id for side in sides if side],
        own=own,
        facts=facts,
        **event_context(match, row),
    )


def match_joined(match: Match) -> None:
    """Notify both sides of a match that was added to an open round."""
    _paired(match, match.round)


def _bye(match: Match, row: Round) -> None:
    facts = round_facts(row) | {"company": match.attacker.company.name}
    notify("bye", to=[match.attacker.company.owner_id], facts=facts, **event_context(match, row))


def season_round_opened(row: SeasonRound, waiting: Sequence[SeasonPairing], by: Player | None) -> None:
    """Notify players who have to agree on a game. The others get the usual notification of their match."""
    for pairing in waiting:
        assert pairing.two is not None
        sides = (pairing.one.player, pairing.two.player)
        own = {side.pk: {"other": str(other)} for side, other in (sides, sides[::-1])}
        notify(
            "season-pairing",
            to=[side.pk for side in sides],
            own=own,
            club=row.season.club,
            facts=season_pairing_facts(pairing),
            once=f"season-pairing:{pairing.pk}",
        )


def season_game_proposed(pairing: SeasonPairing) -> None:
    """Notify the other side of the game that is now proposed."""
    assert pairing.two is not None
    assert pairing.proposed is not None
    sides = (pairing.one.player, pairing.two.player)
    by = sides[pairing.proposing_side or 0]
    game = roster_rules(pairing.proposed.campaign.system).name
    facts = season_pairing_facts(pairing) | {"other": by, "game": game}
    to = [side.pk for side in sides]
    notify("season-game-proposed", to=to, by=by, club=pairing.round.season.club, facts=facts)


def season_no_game(pairing: SeasonPairing) -> None:
    """Notify both players that they have no game in common, and the organisers that they have to decide the pairing."""
    assert pairing.two is not None
    club, facts = pairing.round.season.club, season_pairing_facts(pairing) | {"name": str(pairing)}
    sides = (pairing.one.player, pairing.two.player)
    own = {side.pk: {"other": str(other)} for side, other in (sides, sides[::-1])}
    notify("season-no-game", to=list(own), own=own, club=club, facts=facts)
    notify("season-pairing-stuck", to=member_ids(club, (Role.ORGANISER,)) - own.keys(), club=club, facts=facts)


def agree_due(pairing: SeasonPairing, player: Player, once: str) -> bool:
    """Notify a player, once, that they have to agree on a game. Return whether it was done now."""
    assert pairing.two is not None
    other = pairing.two.player if pairing.one.player_id == player.pk else pairing.one.player
    facts = season_pairing_facts(pairing) | {"other": other}
    return notify("agree-due", to=[player.pk], facts=facts, club=pairing.round.season.club, once=once) is not None


def deadline_moved(row: Round, by: Player | None) -> None:
    matches = row.matches.filter(state__in=MatchState.undecided()).select_related(
        "attacker__company", "defender__company"
    )
    to = set().union(*map(owner_ids, matches))
    notify("deadline-moved", to=to, by=by, club=row.campaign.club, campaign=row.campaign, facts=round_facts(row))


def round_closed(row: Round, by: Player | None) -> None:
    campaign = row.campaign
    notify(
        "round-closed", to=entrant_ids(campaign), by=by, club=campaign.club, campaign=campaign, facts=round_facts(row)
    )


def gazette_published(gazette: Gazette, campaign: Campaign) -> None:
    facts = round_facts(gazette.round) | {"headline": gazette.headline}
    notify("gazette-out", to=member_ids(campaign.club), club=campaign.club, campaign=campaign, facts=facts)


def campaign_moved(campaign: Campaign, by: Player, podium: Sequence[str] = ()) -> None:
    """Notify players of a campaign's new state; `podium`: the first companies of its final standings."""
    facts: dict[str, object] = {"campaign": campaign.name, "campaign_id": campaign.pk}
    to = member_ids(campaign.club)
    if campaign.state == CampaignState.MUSTERING:
        occasion = "campaign-musters"
        facts |= {"points": campaign.points, "system": roster_rules(campaign.system, campaign.catalogue_release).name}
    elif campaign.state == CampaignState.RUNNING:
        occasion, to = "campaign-begun", entrant_ids(campaign)
        number = campaign.enrolments.filter(state=EnrolmentState.ACCEPTED).count()
        facts["companies"] = pluralize(number, "companies")
    else:
        occasion = "campaign-finished"
        facts["podium"] = f"{podium[0]} won{describe_runners_up(podium[1:3])}." if podium else ""
    notify(occasion, to=to, by=by, club=campaign.club, campaign=campaign, facts=facts)


# --- matches ----------------------------------------------------------------------------------------------------------


def list_submitted(match: Match, side: int, by: Player) -> None:
    own, other = own_and_other_side(match, side)
    facts = match_facts(match) | {"other": own.company.name}
    notify("force-sealed", to=[other.company.owner_id], by=by, facts=facts, **event_context(match))


def lists_revealed(match: Match, by: Player) -> None:
    notify("forces-open", to=owner_ids(match), by=by, facts=match_facts(match), **event_context(match))


def submitted_list_dropped(match: Match, side: int, why: str) -> None:
    """Notify only the side's own player: the reason may reveal their list."""
    own, _ = own_and_other_side(match, side)
    notify("seal-fell", to=[own.company.owner_id], facts=match_facts(match) | {"why": why}, **event_context(match))


def report_waiting(match: Match, side: int, by: Player) -> None:
    own, other = own_and_other_side(match, side)
    facts = match_facts(match) | {"other": own.company.name}
    notify("report-waiting", to=[other.company.owner_id], by=by, facts=facts, **event_context(match))


def reports_differ(match: Match, differences: int) -> None:
    facts = match_facts(match) | {"differences": pluralize(differences, "fields")}
    notify("reports-differ", to=owner_ids(match), facts=facts, **event_context(match))
    _ruling_due(match, "the reports differ.", None)


def match_refused(match: Match, side: int, by: Player) -> None:
    own, other = own_and_other_side(match, side)
    facts = match_facts(match) | {"other": own.company.name, "why": match.refusal}
    notify("match-refused", to=[other.company.owner_id], by=by, facts=facts, **event_context(match))
    _ruling_due(match, f"{own.company.name} can't play it.", by)


def _ruling_due(match: Match, why: str, by: Player | None) -> None:
    judges = set(member_ids(match.round.campaign.club, MAY_RULE)) - owner_ids(match)
    notify("ruling-due", to=judges, by=by, facts=match_facts(match) | {"why": why}, **event_context(match))


def match_decided(match: Match, by: Player | None) -> None:
    """Notify both sides of how the match ended. A ruling has its own notification."""
    if match.state == MatchState.RULED or match.decided_by == "ruling":
        return
    how = match.get_decided_by_display()
    if match.state in MatchState.unfought():
        how = f"{match.get_state_display()}, {how}"
    facts = match_facts(match) | {"outcome": describe_outcome(match), "how": how}
    own: dict[int, Mapping[str, object]] = {}
    for at, side in enumerate((match.attacker, match.defender)):
        if side is not None:
            own[side.company.owner_id] = {"verdict": describe_verdict(match, at)}
    if len(own) == 1:  # one player owns both sides
        own = {pk: {"verdict": describe_outcome(match)} for pk in own}
    notify("match-decided", to=own, by=by, own=own, facts=facts, **event_context(match))


def watch_party_announced(party: WatchParty, by: Player | None) -> None:
    match = party.match
    facts = match_facts(match) | {"begins_at": party.starts_at}
    notify("premiere-announced", to=member_ids(match.round.campaign.club), by=by, facts=facts, **event_context(match))


def watch_party_cancelled(party: WatchParty, by: Player) -> None:
    match = party.match
    facts = match_facts(match) | {"begins_at": party.starts_at}
    notify("premiere-off", to=member_ids(match.round.campaign.club), by=by, facts=facts, **event_context(match))


def match_ruled(match: Match, ruling: Ruling, by: Player) -> None:
    facts = match_facts(match) | {"ruling": ruling.title, "ruling_id": ruling.pk, "why": ruling.reason, "by": by}
    notify("match-ruled", to=owner_ids(match), by=by, facts=facts, **event_context(match))


def match_corrected(correction: Correction, done: str, companies: Iterable[int], by: Player) -> None:
    """Notify both sides, and the players of other companies whose ledgers it changed."""
    match = correction.match
    facts = match_facts(match) | {"by": by, "done": done, "why": correction.ruling.reason}
    notify("match-corrected", to=owner_ids(match), by=by, facts=facts, **event_context(match))
    sides = {side.company_id for side in (match.attacker, match.defender) if side}
    for company in Company.objects.filter(pk__in=set(companies) - sides).order_by("pk"):
        changed = facts | {"company": company.name, "company_id": company.pk}
        notify("company-changed", to=[company.owner_id], by=by, facts=changed, **event_context(match))


def handicap_proposed(match: Match, handicap: str, before: float, after: float) -> None:
    """Notify both sides of a proposed handicap; `before` and `after` are the attacker's chances."""
    facts = match_facts(match) | {"handicap": handicap, "before": f"{before:.0%}", "after": f"{after:.0%}"}
    notify("handicap-proposed", to=owner_ids(match), facts=facts, **event_context(match))


def handicap_agreed(match: Match, side: int, handicap: str, by: Player, *, holds: bool) -> None:
    own, other = own_and_other_side(match, side)
    so = "It applies now." if holds else "It applies once you agree too."
    facts = match_facts(match) | {"other": own.company.name, "handicap": handicap, "so": so}
    notify("handicap-agreed", to=[other.company.owner_id], by=by, facts=facts, **event_context(match))


def handicap_fell(match: Match, why: str) -> None:
    """Notify both sides that a handicap, proposed or agreed, no longer counts, and why."""
    notify("handicap-fell", to=owner_ids(match), facts=match_facts(match) | {"why": why}, **event_context(match))


def date_proposed(match: Match, side: int, at: datetime, by: Player) -> None:
    _notify_of_date("date-proposed", match, side, at, by)


def date_declined(match: Match, side: int, at: datetime, by: Player) -> None:
    _notify_of_date("date-declined", match, side, at, by)


def date_dropped(match: Match, side: int, at: datetime, by: Player) -> None:
    _notify_of_date("date-dropped", match, side, at, by)


def _notify_of_date(occasion: str, match: Match, side: int, at: datetime, by: Player) -> None:
    """Notify the other side of a match of a change to its date."""
    own, other = own_and_other_side(match, side)
    facts = match_facts(match) | {"other": own.company.name, "date_at": at}
    notify(occasion, to=[other.company.owner_id], by=by, facts=facts, **event_context(match))


def date_agreed(match: Match, at: datetime, by: Player) -> None:
    notify(
        "date-agreed", to=owner_ids(match), by=by, facts=match_facts(match) | {"date_at": at}, **event_context(match)
    )


def date_near(match: Match, at: datetime, player: Player, once: str) -> bool:
    """Notify a player, once, of a date that is near. Return whether it was done now."""
    facts = match_facts(match) | {"date_at": at}
    return notify("date-near", to=[player.pk], facts=facts, once=once, **event_context(match)) is not None


def remind(occasion: str, match: Match, about: str, player: Player, once: str) -> bool:
    """Remind a player, once, of a due task. Return whether it was done now."""
    facts = match_facts(match) | {"about": about, "where": f"{match.round} of {match.round.campaign}"}
    return notify(occasion, to=[player.pk], facts=facts, once=once, **event_context(match)) is not None


# --- companies --------------------------------------------------------------------------------------------------------


def levels_up(company: Company, act: UUID, by: Player | None) -> None:
    """Notify a company's player of their pilots' promotions and skills from an act that they didn't do themselves."""
    if by is not None and by.pk == company.owner_id:
        return
    kinds = (Promoted.slug, SkillRolled.slug, SkillGained.slug)
    rows = LedgerEntry.objects.filter(company=company, act=act, kind__in=kinds, pilot__isnull=False)
    promotions = [
        f"{entry.pilot.name} {what}"
        for entry in rows.select_related("pilot").order_by("pk")
        if entry.pilot is not None and (what := describe_promotion(entry))
    ]
    if promotions:
        facts = {"company": company.name, "company_id": company.pk, "pilots": join_words(promotions)}
        notify("level-up", to=[company.owner_id], by=by, facts=facts)


def company_adjusted(enrolment: Enrolment, ruling: Ruling, done: str, by: Player) -> None:
    _notify_of_adjustment("company-adjusted", enrolment, ruling, done, by)


def adjustment_undone(enrolment: Enrolment, ruling: Ruling, done: str, by: Player) -> None:
    _notify_of_adjustment("adjustment-undone", enrolment, ruling, done, by)


def _notify_of_adjustment(occasion: str, enrolment: Enrolment, ruling: Ruling, done: str, by: Player) -> None:
    """Notify a company's player of the effects of a ruling."""
    context = enrolment_context(enrolment, by=by, ruling_id=ruling.pk, done=done, why=ruling.reason)
    notify(occasion, to=[enrolment.company.owner_id], by=by, **context)


def release_adopted(campaign: Campaign, companies: Sequence[Company], by: Player | None) -> None:
    """Notify each player which of their companies changed with the campaign."""
    facts = {"campaign": campaign.name, "campaign_id": campaign.pk, "release": campaign.catalogue_release}
    own = {
        owner: {"companies": join_words([each.name for each in companies if each.owner_id == owner])}
        for owner in {each.owner_id for each in companies}
    }
    notify("release-adopted", to=own, by=by, own=own, club=campaign.club, campaign=campaign, facts=facts)


def war_roles(campaign: Campaign, cast: Mapping[int, bool], by: Player | None) -> None:
    """Notify each player of their companies' roles in the campaign's story; `cast`: whether an enrolment attacks."""
    roles: dict[int, list[str]] = {}
    for row in campaign.enrolments.filter(pk__in=cast).select_related("company").order_by("pk"):
        does = "attacks" if cast[row.pk] else "defends"
        roles.setdefault(row.company.owner_id, []).append(f"{row.company.name} {does}")
    own = {owner: {"roles": join_words(lines)} for owner, lines in roles.items()}
    facts = {"campaign": campaign.name, "campaign_id": campaign.pk}
    notify("war-role", to=own, by=by, own=own, club=campaign.club, campaign=campaign, facts=facts)


def company_asks(enrolment: Enrolment, by: Player) -> None:
    to = member_ids(enrolment.campaign.club, (Role.ORGANISER,))
    notify("company-asks", to=to, by=by, **enrolment_context(enrolment, player=by))


def company_decided(enrolment: Enrolment, by: Player) -> None:
    """Notify a player that their company was accepted, declined (with the reason) or taken out."""
    why = f": {enrolment.decision}" if enrolment.decision else ""
    occasion = {
        EnrolmentState.ACCEPTED: "company-accepted",
        EnrolmentState.DECLINED: "company-declined",
        EnrolmentState.WITHDRAWN: "company-withdrawn",
    }[EnrolmentState(enrolment.state)]
    notify(occasion, to=[enrolment.company.owner_id], by=by, **enrolment_context(enrolment, why=why, by=by))


def company_moved_up(enrolment: Enrolment) -> None:
    notify("company-moved-up", to=[enrolment.company.owner_id], **enrolment_context(enrolment))


def companies_wait(campaign: Campaign, waiting: Sequence[Enrolment]) -> None:
    """Notify each waiting player, once, of their place on the list, when the campaign's last place is taken."""
    for place, enrolment in enumerate(waiting, start=1):
        context = enrolment_context(enrolment, place=place)
        notify(
            "company-waits",
            to=[enrolment.company.owner_id],
            once=f"company-waits:{enrolment.pk}:{enrolment.asked_at:%Y%m%d%H%M%S}",
            **context,
        )


def place_free(campaign: Campaign, following: Enrolment, by: Player | None) -> None:
    """Notify all organisers, because they decide who gets the place."""
    to = member_ids(campaign.club, (Role.ORGANISER,))
    notify("place-free", to=to, by=by, **enrolment_context(following, player=following.company.owner))


def company_excused(enrolment: Enrolment, by: Player) -> None:
    context = enrolment_context(enrolment, why=enrolment.exception_reason, by=by)
    notify("company-excused", to=[enrolment.company.owner_id], by=by, **context)


# --- club nights ------------------------------------------------------------------------------------------------------


def even_game_found(game: MatchmakingOffer) -> None:
    """Notify both players; each has ten minutes to answer."""
    sides = (game.attacker, game.defender)
    own = {side.owner_id: {"company": side.name, "other": other.name} for side, other in (sides, sides[::-1])}
    facts = club_facts(game.club) | {
        "scenario": game.scenario_name,
        "chance": f"{game.chance:.0%}",
        "answer_at": game.expires_at,
    }
    notify("even-game-found", to=own, own=own, club=game.club, facts=facts)


def even_game_agreed(game: MatchmakingOffer, by: Player) -> None:
    to = [game.attacker.owner_id, game.defender.owner_id]
    so = "Your table is ready." if game.table_id else "One of you can't field a list now, so there is no table."
    notify(
        "even-game-agreed", to=to, by=by, club=game.club, facts=club_facts(game.club) | {"name": str(game), "so": so}
    )


# --- clubs ------------------------------------------------------------------------------------------------------------


def seat_offered(invitation: Invitation, by: Player) -> None:
    facts = club_facts(invitation.club) | {
        "by": by,
        "role": describe_role(invitation.role),
        "invitation": invitation.key,
        "expires_at": invitation.expires_at,
    }
    notify("seat-offered", to=[invitation.player_id], by=by, club=invitation.club, facts=facts)


def member_asks(request: JoinRequest, by: Player) -> None:
    club = request.club
    notify(
        "member-asks", to=member_ids(club, (Role.ORGANISER,)), by=by, club=club, facts=club_facts(club) | {"player": by}
    )


def member_accepted(club: Club, player: Player, by: Player) -> None:
    notify("member-accepted", to=[player.pk], by=by, club=club, facts=club_facts(club) | {"player": player})


def member_declined(club: Club, player: Player, by: Player, days: int) -> None:
    notify("member-declined", to=[player.pk], by=by, club=club, facts=club_facts(club) | {"days": days})


def member_joined(club: Club, player: Player, inviter: Player | None) -> None:
    to = [inviter.pk] if inviter else []
    notify("member-joined", to=to, by=player, club=club, facts=club_facts(club) | {"player": player})


def role_given(club: Club, player: Player, role: str, by: Player) -> None:
    facts = club_facts(club) | {"by": by, "role": describe_role(role)}
    notify("role-given", to=[player.pk], by=by, club=club, facts=facts)
