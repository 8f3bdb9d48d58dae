"""Pages of a season: tables, rounds, agreeing on a game, and everything that an organiser does."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from campaigns import policy
from campaigns.arbiters import refusal_of
from campaigns.models import Season, SeasonPairing, SeasonRound, SeasonRoundState, SeasonState
from campaigns.scoring import describe_bye, season_scoring
from campaigns.seasons import entrants, game_choice, rounds, services
from campaigns.seasons.forms import (
    AwardForm,
    DrawForm,
    EnterForm,
    GameForm,
    LineUpForm,
    PairForm,
    SeasonSettingsForm,
)
from campaigns.seasons.selectors import (
    SeasonPage,
    SeasonPairingRow,
    players_to_enter,
    season_campaigns,
    season_page,
    season_pairing_row,
)
from campaigns.shortcuts import require_permission, season_or_404, season_pairing_or_404
from rosters.models import Player
from rosters.services import RefusedError
from rosters.view_helpers import first_errors, locked_for_edit, player, row_id, run_and_flash, run_for_form
from systems.text import pluralize


def season_context(season: Season, *, can_run: bool) -> dict[str, object]:
    """Return the context that every page of a season needs; `can_run`: whether the reader organises it."""
    return {"season": season, "club": season.club, "can_run": can_run}


@require_GET
def season(request: HttpRequest, pk: int) -> HttpResponse:
    """Show the season: what the reader has to do, tables, cup, rounds. `game`: of one game only."""
    row = season_or_404(request, pk)
    can_run = policy.can_run_club(request.user, row.club)
    sheet = season_page(row, request.user, with_planned=can_run, game=request.GET.get("game", "")[:40])
    return render(request, "campaigns/season.html", {**season_context(row, can_run=can_run), "sheet": sheet})


@require_POST
@login_required
def season_part(request: HttpRequest, pk: int) -> HttpResponse:
    """Let the reader take part, or stop taking part."""
    row, by = season_or_404(request, pk), player(request)
    require_permission(policy.role_in(request.user, row.club) is not None)
    if request.POST.get("act") == "leave":
        entrant = row.entrants.filter(player=by).first()
        own = entrant.pk if entrant is not None else 0
        message = "You have left the season. You still have to play your current pairings."
        run_and_flash(request, lambda: entrants.season_leave(season=row, entrant=own, by=by), message)
    else:
        run_and_flash(request, lambda: entrants.season_enter(season=row, player=by, by=by), f"You have joined {row}.")
    return redirect("campaigns:season", pk=pk)


@require_http_methods(["GET", "POST"])
def season_pairing(request: HttpRequest, key: UUID) -> HttpResponse:
    """Show a pairing; on POST (`act`) a side proposes or accepts a game, or the organiser decides."""
    row = season_pairing_or_404(request, key)
    club = row.round.season.club
    can_run = policy.can_run_club(request.user, club)
    form: AwardForm | None = None
    if request.method == "POST":
        if not isinstance(request.user, Player):
            return redirect_to_login(request.path)
        require_permission(can_run or request.user.pk in _players(row))
        if request.POST.get("act") != "award":
            return _agree(request, row)
        require_permission(can_run)
    names = [str(each.player) for each in (row.one, row.two) if each is not None]
    allowed: tuple[int | None, ...] = ()
    refusal = ""
    if can_run and row.match_id is None and row.round.state == SeasonRoundState.OPEN:
        allowed, refusal = game_choice.award_choices(row, player(request))
    if request.method == "POST" and not allowed:
        if row.round.state != SeasonRoundState.OPEN:
            refusal = "This round isn't open."
        messages.error(request, refusal or "This pairing already has a match. Ask an arbiter to rule on that.")
        return redirect("campaigns:season_pairing", key=key)
    if allowed:
        bye_worth = describe_bye(season_scoring(row.round.season))
        form = AwardForm(request.POST or None, names=names, allowed=allowed, bye_worth=bye_worth)
    if form is not None and form.is_bound and form.is_valid():
        side, reason, by = form.side, form.cleaned_data["reason"], player(request)
        if run_for_form(form, lambda: game_choice.pairing_award(pairing=row, side=side, reason=reason, by=by)):
            messages.success(request, "Saved.")
            return redirect("campaigns:season_pairing", key=key)
    pairing_row = season_pairing_row(row, request.user)
    context = {
        **season_context(row.round.season, can_run=can_run),
        "pairing": pairing_row,
        "round": row.round,
        "is_own": request.user.pk in _players(row),
        "own_proposal": _own_proposal(request, pairing_row),
        "is_running": row.round.season.state == SeasonState.RUNNING,
        "form": form,
        "end_refusal": refusal if row.round.season.state == SeasonState.RUNNING else "",
        "decide_refusal": game_choice.decide_refusal(row, player(request)) if can_run else "",
    }
    wrong = form is not None and form.is_bound
    return render(request, "campaigns/season_pairing.html", context, status=422 if wrong else 200)


def _agree(request: HttpRequest, row: SeasonPairing) -> HttpResponse:
    """Propose, accept or decide on a game; the result is shown on the pairing's page."""
    act, game, by = request.POST.get("act", ""), row_id(request.POST.get("game", "")), player(request)
    if act == "accept":
        run_and_flash(request, lambda: game_choice.game_accept(pairing=row, game=game, by=by), _describe)
    elif act == "decide":
        require_permission(policy.can_run_club(request.user, row.round.season.club))
        run_and_flash(request, lambda: game_choice.game_decide(pairing=row, game=game, by=by), _decided)
    else:
        run_and_flash(request, lambda: game_choice.game_propose(pairing=row, game=game, by=by), _describe)
    return redirect("campaigns:season_pairing", key=row.key)


def _describe(row: SeasonPairing) -> str:
    if row.match is not None:
        return "Agreed. Here is your match. Submit your list when you are ready."
    if row.game is not None:
        return f"Agreed. The match has to wait: {row.blocked_reason}"
    return "Proposed. Wait for your opponent’s answer."


def _decided(row: SeasonPairing) -> str:
    if row.match is not None:
        return "Decided. Both players have been notified of their match."
    return f"Decided. The match has to wait: {row.blocked_reason}"


def _players(row: SeasonPairing) -> set[int]:
    return {each.player_id for each in (row.one, row.two) if each is not None}


def _own_proposal(request: HttpRequest, pairing: SeasonPairingRow) -> bool:
    """Return whether the reader made the current proposal."""
    sides = [side for side in (pairing.one, pairing.two) if side is not None and side.is_reader]
    return pairing.proposed is not None and any(side.name == pairing.proposing for side in sides)


Act = Callable[[HttpRequest, Season, Player], str]


@login_required
@require_GET
def season_run(request: HttpRequest, pk: int) -> HttpResponse:
    """Show the organiser's work: next round, campaigns, players, teams, settings."""
    row = season_or_404(request, pk)
    require_permission(policy.can_run_club(request.user, row.club))
    return _run_page(request, row)


def _run_page(request: HttpRequest, row: Season, settings: SeasonSettingsForm | None = None) -> HttpResponse:
    """Show the organiser's work. `settings` is the form with errors, if any."""
    sheet = season_page(row, request.user, with_planned=True)
    if settings is None:
        settings = SeasonSettingsForm(None, season=row, has_cup_begun=sheet.cup is not None)
    there = [each for each in sheet.entrants if each.is_in]
    context = {
        **season_context(row, can_run=True),
        "sheet": sheet,
        "teams": sheet.squads,
        "is_over": row.state == SeasonState.FINISHED,
        "is_running": row.state == SeasonState.RUNNING,
        "game_form": GameForm(campaigns=season_campaigns(row, sheet.games)),
        "enter_form": EnterForm(players=players_to_enter(row)),
        "line_up": LineUpForm(entrants=there, teams=sheet.squads),
        "draw_form": DrawForm(initial={"way": "cup" if sheet.cup else "swiss"}),
        "pair_form": PairForm(free=_free(sheet)),
        "by_hand": rounds.EDITABLE_METHODS,
        "settings": settings,
        **_refusals(row, sheet, player(request)),
    }
    return render(request, "campaigns/season_run.html", context, status=422 if settings.errors else 200)


def _refusals(season: Season, sheet: SeasonPage, by: Player) -> dict[str, object]:
    """Return why buttons are missing, as sentences, and the numbers of the pairings that the reader can't remove.

    The services are only asked if the reader is one of the season's players.
    """
    found: dict[str, object] = {"finish_refusal": _finish_refusal(sheet)}
    if not any(each.player == by.pk for each in sheet.entrants):
        return found
    found |= {
        "leave_refusal": refusal_of(lambda: entrants.leave_own_case(season, by)),
        "order_refusal": refusal_of(lambda: services.order_own_case(season, by)),
        "line_up_refusal": refusal_of(lambda: entrants.line_up_own_case(season, by)),
    }
    planned = season.rounds.filter(state="planned").select_related("season__club").first()
    if planned is None:
        return found
    pairings = list(planned.pairings.select_related("one", "two"))
    for each in pairings:
        each.round = planned
    return {
        **found,
        "open_refusal": refusal_of(partial(rounds.byes_own_case, planned, by)),
        "held": [each.number for each in pairings if refusal_of(partial(rounds.unpair_own_case, each, by))],
    }


def _finish_refusal(sheet: SeasonPage) -> str:
    """Return why the season can't be finished yet: see `check_can_finish`. No query."""
    if sheet.planned is not None:
        return "A round is planned. Publish or discard it first."
    waiting = sum(row.undecided for row in sheet.rounds)
    return f"{pluralize(waiting, 'pairings')} still undecided." if waiting else ""


@login_required
@require_http_methods(["GET", "POST"])
def season_settings(request: HttpRequest, pk: int) -> HttpResponse:
    """Change the season's settings; GET redirects to them."""
    found = season_or_404(request, pk)
    require_permission(policy.can_run_club(request.user, found.club))
    page = reverse("campaigns:season_run", args=[pk]) + "#settings"
    if request.method != "POST":
        return redirect(page)
    with locked_for_edit(request, found) as row:
        form = SeasonSettingsForm(request.POST, season=row, has_cup_begun=services.cup_began(row))
        if form.is_valid():
            by, given = player(request), form.settings()
            if run_for_form(form, lambda: services.season_change(season=row, by=by, **given)):
                messages.success(request, "Saved.")
                return redirect(page)
    return _run_page(request, found, form)


@login_required
@require_POST
def season_act(request: HttpRequest, pk: int) -> HttpResponse:
    """Do one of the organiser's acts (`act`); a message shows the result or the refusal."""
    row, by = season_or_404(request, pk), player(request)
    require_permission(policy.can_run_club(request.user, row.club))
    act = ACTS.get(request.POST.get("act", ""))
    if act is None:
        messages.error(request, "There is no such action.")
        return redirect("campaigns:season_run", pk=pk)
    club = row.club.slug
    try:
        messages.success(request, act(request, row, by))
    except RefusedError as error:
        messages.error(request, error.reason)
    if not Season.objects.filter(pk=pk).exists():
        return redirect("campaigns:club", slug=club)
    return redirect("campaigns:season_run", pk=pk)


# --- acts -------------------------------------------------------------------------------------------------------------


def _start(request: HttpRequest, row: Season, by: Player) -> str:
    services.season_start(season=row, by=by)
    return f"{row} has started. Plan its first round."


def _finish(request: HttpRequest, row: Season, by: Player) -> str:
    services.season_finish(season=row, by=by)
    return f"{row} is finished."


def _delete(request: HttpRequest, row: Season, by: Player) -> str:
    services.season_delete(season=row, by=by)
    return f"{row} is deleted. Its campaigns stay."


def _game_add(request: HttpRequest, row: Season, by: Player) -> str:
    pk = row_id(request.POST.get("campaign", ""))
    campaign = row.club.campaigns.filter(pk=pk).first()
    if campaign is None:
        raise RefusedError("campaign", "There is no such campaign in this club.")
    services.game_add(season=row, campaign=campaign, by=by)
    return f"{campaign.name} is added."


def _game_remove(request: HttpRequest, row: Season, by: Player) -> str:
    services.game_remove(season=row, game=row_id(request.POST.get("game", "")), by=by)
    return "Removed from the season. The campaign itself stays."


def _game_first(request: HttpRequest, row: Season, by: Player) -> str:
    pk = row_id(request.POST.get("game", ""))
    known = list(row.games.values_list("pk", flat=True))
    services.games_order(season=row, games=sorted(known, key=lambda each: each != pk), by=by)
    return "Order changed."


def _enter(request: HttpRequest, row: Season, by: Player) -> str:
    who = Player.objects.filter(pk=row_id(request.POST.get("player", "")), memberships__club=row.club).first()
    if who is None:
        raise RefusedError("player", "There is no such player in this club.")
    entrants.season_enter(season=row, player=who, by=by)
    return f"{who} is added."


def _enter_all(request: HttpRequest, row: Season, by: Player) -> str:
    return f"{pluralize(entrants.season_enter_all(season=row, by=by), 'players')} added."


def _leave(request: HttpRequest, row: Season, by: Player) -> str:
    entrants.season_leave(season=row, entrant=row_id(request.POST.get("entrant", "")), by=by)
    return "Removed. They still have to play their current pairings."


def _team_add(request: HttpRequest, row: Season, by: Player) -> str:
    return f"{entrants.team_add(season=row, name=request.POST.get('team', ''), by=by)} is added."


def _team_remove(request: HttpRequest, row: Season, by: Player) -> str:
    entrants.team_remove(season=row, team=row_id(request.POST.get("team", "")), by=by)
    return "The team is removed. Its players stay."


def _line_up(request: HttpRequest, row: Season, by: Player) -> str:
    sheet = season_page(row, request.user, with_planned=True)
    there = [each for each in sheet.entrants if each.is_in]
    form = LineUpForm(request.POST, entrants=there, teams=sheet.squads)
    if not form.is_valid():
        raise RefusedError("team", first_errors(form))
    entrants.team_line_up(season=row, teams=form.teams(), by=by)
    return "Teams saved."


def _draw(request: HttpRequest, row: Season, by: Player) -> str:
    form = DrawForm(request.POST)
    if not form.is_valid():
        raise RefusedError("way", first_errors(form))
    way, boards = form.cleaned_data["way"], form.cleaned_data["boards"] or 0
    made = rounds.season_round_draw(season=row, by=by, way=way, boards=boards if way == "teams" else 0)
    return f"{made} is planned. Check it, then publish it."


def _open(request: HttpRequest, row: Season, by: Player) -> str:
    return f"{rounds.season_round_open(round_=_planned(row), by=by)} is published. Its players have been notified."


def _drop(request: HttpRequest, row: Season, by: Player) -> str:
    rounds.season_round_drop(round_=_planned(row), by=by)
    return "The round is discarded."


def _pair(request: HttpRequest, row: Season, by: Player) -> str:
    one, two = row_id(request.POST.get("one", "")), request.POST.get("two", "")
    made = rounds.season_pairing_add(round_=_planned(row), one=one, two=row_id(two) if two else None, by=by)
    return f"Paired: {made}."


def _unpair(request: HttpRequest, row: Season, by: Player) -> str:
    pairing = SeasonPairing.objects.filter(
        round__season=row, number=row_id(request.POST.get("number", "")), round=_planned(row)
    ).select_related("round__season", "one__player", "two__player")
    found = pairing.first()
    if found is None:
        raise RefusedError("round", "This pairing has already been removed.")
    rounds.season_pairing_remove(pairing=found, by=by)
    return "Removed from the round."


ACTS: dict[str, Act] = {
    "start": _start,
    "finish": _finish,
    "delete": _delete,
    "game-add": _game_add,
    "game-remove": _game_remove,
    "game-first": _game_first,
    "enter": _enter,
    "enter-all": _enter_all,
    "leave": _leave,
    "team-add": _team_add,
    "team-remove": _team_remove,
    "line-up": _line_up,
    "draw": _draw,
    "open": _open,
    "drop": _drop,
    "pair": _pair,
    "unpair": _unpair,
}


def _planned(row: Season) -> SeasonRound:
    found = row.rounds.filter(state="planned").select_related("season__club").first()
    if found is None:
        raise RefusedError("round", "No round is planned.")
    return found


def _free(sheet: SeasonPage) -> list[tuple[int, str]]:
    """Return the season's players without a pairing in the planned round."""
    planned = sheet.planned
    seated = {
        side.entrant
        for each in (planned.pairings if planned else ())
        for side in (each.one, each.two)
        if side is not None
    }
    return [(each.id, each.name) for each in sheet.entrants if each.is_in and each.id not in seated]
