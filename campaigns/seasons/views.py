"""Pages of a season for followers and players: tables, rounds, and agreeing on a game."""

from __future__ import annotations

from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from campaigns import policy
from campaigns.models import Season, SeasonPairing, SeasonRoundState, SeasonState
from campaigns.rows import require_permission, season_or_404, season_pairing_or_404
from campaigns.seasons import agreeing, services
from campaigns.seasons.forms import AwardForm
from campaigns.seasons.selectors import SeasonPairingRow, season_page, season_pairing_row
from rosters.models import Player
from rosters.view_helpers import attempt, player, row_id, say


def season_context(season: Season, *, can_run: bool) -> dict[str, object]:
    """Return the context that every page of a season needs; `can_run`: the reader may."""
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
        said = "You take part no more. What you are paired for already stays to be played."
        say(request, lambda: services.season_leave(season=row, entrant=own, by=by), said)
    else:
        say(request, lambda: services.season_enter(season=row, player=by, by=by), f"You take part in {row}.")
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
        allowed, refusal = agreeing.award_choices(row, player(request))
    if request.method == "POST" and not allowed:
        if row.round.state != SeasonRoundState.OPEN:
            refusal = "This round is not open."
        messages.error(request, refusal or "This pairing has its match; what becomes of that is an arbiter's ruling.")
        return redirect("campaigns:season_pairing", key=key)
    if allowed:
        form = AwardForm(request.POST or None, names=names, allowed=allowed)
    if form is not None and form.is_bound and form.is_valid():
        side, reason, by = form.side, form.cleaned_data["reason"], player(request)
        if attempt(form, lambda: agreeing.pairing_award(pairing=row, side=side, reason=reason, by=by)):
            messages.success(request, "Noted. The table has it.")
            return redirect("campaigns:season_pairing", key=key)
    shown = season_pairing_row(row, request.user)
    context = {
        **season_context(row.round.season, can_run=can_run),
        "pairing": shown,
        "round": row.round,
        "is_own": request.user.pk in _players(row),
        "own_proposal": _own_proposal(request, shown),
        "is_running": row.round.season.state == SeasonState.RUNNING,
        "form": form,
        "end_refusal": refusal if row.round.season.state == SeasonState.RUNNING else "",
        "decide_refusal": agreeing.decide_refusal(row, player(request)) if can_run else "",
    }
    wrong = form is not None and form.is_bound
    return render(request, "campaigns/season_pairing.html", context, status=422 if wrong else 200)


def _agree(request: HttpRequest, row: SeasonPairing) -> HttpResponse:
    """Propose, accept or decide on a game; the result is shown on the pairing's page."""
    act, game, by = request.POST.get("act", ""), row_id(request.POST.get("game", "")), player(request)
    if act == "accept":
        say(request, lambda: agreeing.game_accept(pairing=row, game=game, by=by), _describe)
    elif act == "decide":
        require_permission(policy.can_run_club(request.user, row.round.season.club))
        say(request, lambda: agreeing.game_decide(pairing=row, game=game, by=by), _decided)
    else:
        say(request, lambda: agreeing.game_propose(pairing=row, game=game, by=by), _describe)
    return redirect("campaigns:season_pairing", key=row.key)


def _describe(row: SeasonPairing) -> str:
    if row.match is not None:
        return "Agreed. Here is your match: seal your force when you are ready."
    if row.game is not None:
        return f"Agreed. The match waits: {row.obstacle}"
    return "Proposed. The other side has to answer."


def _decided(row: SeasonPairing) -> str:
    if row.match is not None:
        return "Decided. The two have their match, and are told."
    return f"Decided. The match waits: {row.obstacle}"


def _players(row: SeasonPairing) -> set[int]:
    return {each.player_id for each in (row.one, row.two) if each is not None}


def _own_proposal(request: HttpRequest, shown: SeasonPairingRow) -> bool:
    """Return whether the reader made the current proposal."""
    sides = [side for side in (shown.one, shown.two) if side is not None and side.is_reader]
    return shown.proposed is not None and any(side.name == shown.proposing for side in sides)
