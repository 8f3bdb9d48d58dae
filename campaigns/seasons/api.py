"""The API of seasons over several games: tables, rounds, agreeing on a game, and everything that an organiser does."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.http import Http404
from django.urls import path
from drf_spectacular.utils import extend_schema
from rest_framework import status
from rest_framework.exceptions import PermissionDenied
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from campaigns import policy
from campaigns.clubs.summaries import seasons_of
from campaigns.models import (
    Club,
    Season,
    SeasonPairing,
    SeasonRound,
    SeasonState,
)
from campaigns.seasons import entrants, game_choice, rounds, services
from campaigns.seasons.selectors import (
    season_page,
    season_pairing_row,
)
from campaigns.seasons.serializers import (
    LineUpsRequest,
    SeasonAnswer,
    SeasonChangeRequest,
    SeasonDrawRequest,
    SeasonGameRequest,
    SeasonGamesOrderRequest,
    SeasonPairingActRequest,
    SeasonPairingAnswer,
    SeasonPairingRequest,
    SeasonPlayerRequest,
    SeasonRequest,
    SeasonRoundAnswer,
    SeasonStateRequest,
    SeasonSummaryAnswer,
    SeasonTeamAnswer,
    SeasonTeamRequest,
)
from campaigns.shortcuts import club_or_404, season_or_404, season_pairing_or_404, season_round_or_404
from rosters.api.base import player, valid
from rosters.api.headers import idempotent, if_match, tagged
from rosters.models import Player
from rosters.services import RefusedError

# --- seasons ----------------------------------------------------------------------------------------------------------


class Seasons(APIView):
    @extend_schema(responses={200: SeasonSummaryAnswer(many=True)}, operation_id="seasons_list", tags=["seasons"])
    def get(self, request: Request, slug: str) -> Response:
        """Return the seasons of a club, newest first."""
        club = club_or_404(request._request, slug)
        rows = seasons_of(club, policy.role_in(request.user, club))
        return Response([SeasonSummaryAnswer(row).data for row in rows])

    @idempotent
    @extend_schema(
        request=SeasonRequest, responses={201: SeasonAnswer}, operation_id="seasons_create", tags=["seasons"]
    )
    def post(self, request: Request, slug: str) -> Response:
        """Create a season; campaigns and players can then join it. Organisers only."""
        club = club_or_404(request._request, slug)
        _need(request, club)
        made = services.season_create(club=club, by=player(request), **valid(SeasonRequest, request))
        return Response(_to_dict(made, request), status=status.HTTP_201_CREATED)


class SeasonById(APIView):
    @tagged
    @extend_schema(responses={200: SeasonAnswer}, operation_id="seasons_retrieve", tags=["seasons"])
    def get(self, request: Request, pk: int) -> Response:
        """Return a season with its tables and rounds; only its organisers see planned rounds."""
        return Response(_to_dict(season_or_404(request._request, pk), request))

    @if_match(lambda pk: Season.objects.filter(pk=pk))
    @extend_schema(
        request=SeasonChangeRequest, responses={200: SeasonAnswer}, operation_id="seasons_update", tags=["seasons"]
    )
    def patch(self, request: Request, pk: int) -> Response:
        """Change settings; the points for a result are fixed once the season runs."""
        row = _run(request, pk)
        changed = services.season_change(season=row, by=player(request), **valid(SeasonChangeRequest, request))
        return Response(_to_dict(changed, request))

    @extend_schema(responses={204: None}, operation_id="seasons_delete", tags=["seasons"])
    def delete(self, request: Request, pk: int) -> Response:
        """Delete a season that hasn't begun; its campaigns stay."""
        services.season_delete(season=_run(request, pk), by=player(request))
        return Response(status=status.HTTP_204_NO_CONTENT)


class SeasonStateView(APIView):
    permission_classes = (IsAuthenticated,)

    @idempotent
    @extend_schema(
        request=SeasonStateRequest, responses={200: SeasonAnswer}, operation_id="seasons_move", tags=["seasons"]
    )
    def post(self, request: Request, pk: int) -> Response:
        """Start or finish the season."""
        row, by = _run(request, pk), player(request)
        if valid(SeasonStateRequest, request)["state"] == SeasonState.RUNNING:
            row = services.season_start(season=row, by=by)
        else:
            row = services.season_finish(season=row, by=by)
        return Response(_to_dict(row, request))


class SeasonGames(APIView):
    permission_classes = (IsAuthenticated,)

    @idempotent
    @extend_schema(
        request=SeasonGameRequest, responses={201: SeasonAnswer}, operation_id="seasons_games_create", tags=["seasons"]
    )
    def post(self, request: Request, pk: int) -> Response:
        """Add a campaign, in which the season's matches of its game are played."""
        row = _run(request, pk)
        campaign = row.club.campaigns.filter(pk=valid(SeasonGameRequest, request)["campaign"]).first()
        if campaign is None:
            raise RefusedError("campaign", "There is no such campaign in this club.")
        services.game_add(season=row, campaign=campaign, by=player(request))
        return Response(_to_dict(row, request), status=status.HTTP_201_CREATED)


class SeasonGamesOrder(APIView):
    permission_classes = (IsAuthenticated,)

    @idempotent
    @extend_schema(
        request=SeasonGamesOrderRequest,
        responses={200: SeasonAnswer},
        operation_id="seasons_games_order",
        tags=["seasons"],
    )
    def post(self, request: Request, pk: int) -> Response:
        """Set the order of the games; it decides the game if players don't agree."""
        row = _run(request, pk)
        services.games_order(season=row, by=player(request), **valid(SeasonGamesOrderRequest, request))
        return Response(_to_dict(row, request))


class SeasonGameById(APIView):
    permission_classes = (IsAuthenticated,)

    @extend_schema(responses={204: None}, operation_id="seasons_games_delete", tags=["seasons"])
    def delete(self, request: Request, pk: int, game_pk: int) -> Response:
        """Remove a campaign in which no match of the season is played; the campaign itself stays."""
        services.game_remove(season=_run(request, pk), game=game_pk, by=player(request))
        return Response(status=status.HTTP_204_NO_CONTENT)


class SeasonPlayers(APIView):
    permission_classes = (IsAuthenticated,)

    @idempotent
    @extend_schema(
        request=SeasonPlayerRequest,
        responses={201: SeasonAnswer},
        operation_id="seasons_players_create",
        tags=["seasons"],
    )
    def post(self, request: Request, pk: int) -> Response:
        """Join the season, or add a player as an organiser. The player needs a company in one of the games."""
        row, by = _member(request, pk), player(request)
        name = valid(SeasonPlayerRequest, request).get("player", by.username)
        who = by
        if name != by.username:
            _need(request, row.club)
            found = Player.objects.filter(username=name, memberships__club=row.club).first()
            if found is None:
                raise RefusedError("player", f"{row.club.name} has no member “{name}”.")
            who = found
        entrants.season_enter(season=row, player=who, by=by)
        return Response(_to_dict(row, request), status=status.HTTP_201_CREATED)


class SeasonPlayerById(APIView):
    permission_classes = (IsAuthenticated,)

    @extend_schema(responses={204: None}, operation_id="seasons_players_delete", tags=["seasons"])
    def delete(self, request: Request, pk: int, player_pk: int) -> Response:
        """Leave the season, or remove a player as an organiser; existing matches still have to be played."""
        row, by = _member(request, pk), player(request)
        entrant = row.entrants.filter(pk=player_pk).first()
        if entrant is None:
            raise Http404
        if entrant.player_id != by.pk:
            _need(request, row.club)
        entrants.season_leave(season=row, entrant=entrant.pk, by=by)
        return Response(status=status.HTTP_204_NO_CONTENT)


class SeasonTeams(APIView):
    permission_classes = (IsAuthenticated,)

    @idempotent
    @extend_schema(
        request=SeasonTeamRequest,
        responses={201: SeasonTeamAnswer},
        operation_id="seasons_teams_create",
        tags=["seasons"],
    )
    def post(self, request: Request, pk: int) -> Response:
        """Add a team, without players yet."""
        made = entrants.team_add(season=_run(request, pk), by=player(request), **valid(SeasonTeamRequest, request))
        return Response(SeasonTeamAnswer(made).data, status=status.HTTP_201_CREATED)


class SeasonLineUp(APIView):
    permission_classes = (IsAuthenticated,)

    @idempotent
    @extend_schema(
        request=LineUpsRequest, responses={200: SeasonAnswer}, operation_id="seasons_teams_line_up", tags=["seasons"]
    )
    def post(self, request: Request, pk: int) -> Response:
        """Set the teams of players; players not named keep theirs."""
        row = _run(request, pk)
        teams = {each["player"]: each["team"] for each in valid(LineUpsRequest, request)["teams"]}
        entrants.team_line_up(season=row, teams=teams, by=player(request))
        return Response(_to_dict(row, request))


class SeasonTeamById(APIView):
    permission_classes = (IsAuthenticated,)

    @extend_schema(responses={204: None}, operation_id="seasons_teams_delete", tags=["seasons"])
    def delete(self, request: Request, pk: int, team_pk: int) -> Response:
        """Remove a team that has met no other; its players stay in the season."""
        entrants.team_remove(season=_run(request, pk), team=team_pk, by=player(request))
        return Response(status=status.HTTP_204_NO_CONTENT)


# --- rounds -----------------------------------------------------------------------------------------------------------


class SeasonRounds(APIView):
    permission_classes = (IsAuthenticated,)

    @idempotent
    @extend_schema(
        request=SeasonDrawRequest,
        responses={201: SeasonRoundAnswer},
        operation_id="seasons_rounds_create",
        tags=["seasons"],
    )
    def post(self, request: Request, pk: int) -> Response:
        """Draw the next round; only organisers see it until it is published."""
        row = _run(request, pk)
        made = rounds.season_round_draw(season=row, by=player(request), **valid(SeasonDrawRequest, request))
        return Response(_round(made, request), status=status.HTTP_201_CREATED)


class SeasonRoundByNumber(APIView):
    @extend_schema(responses={200: SeasonRoundAnswer}, operation_id="seasons_rounds_retrieve", tags=["seasons"])
    def get(self, request: Request, pk: int, number: int) -> Response:
        """Return one round with its pairings."""
        return Response(_round(season_round_or_404(request._request, pk, number), request))

    @extend_schema(responses={204: None}, operation_id="seasons_rounds_delete", tags=["seasons"])
    def delete(self, request: Request, pk: int, number: int) -> Response:
        """Discard a planned round."""
        rounds.season_round_drop(round_=_run_round(request, pk, number), by=player(request))
        return Response(status=status.HTTP_204_NO_CONTENT)


class SeasonRoundOpening(APIView):
    permission_classes = (IsAuthenticated,)

    @idempotent
    @extend_schema(
        request=None, responses={200: SeasonRoundAnswer}, operation_id="seasons_rounds_publish", tags=["seasons"]
    )
    def post(self, request: Request, pk: int, number: int) -> Response:
        """Publish a planned round. Its players can then agree on games."""
        row = rounds.season_round_open(round_=_run_round(request, pk, number), by=player(request))
        return Response(_round(row, request))


class SeasonRoundPairings(APIView):
    permission_classes = (IsAuthenticated,)

    @idempotent
    @extend_schema(
        request=SeasonPairingRequest,
        responses={201: SeasonPairingAnswer},
        operation_id="seasons_pairings_create",
        tags=["seasons"],
    )
    def post(self, request: Request, pk: int, number: int) -> Response:
        """Pair two players yourself in a planned round."""
        row = _run_round(request, pk, number)
        made = rounds.season_pairing_add(round_=row, by=player(request), **valid(SeasonPairingRequest, request))
        return Response(
            SeasonPairingAnswer(season_pairing_row(made, request.user)).data, status=status.HTTP_201_CREATED
        )


class SeasonPairingByKey(APIView):
    @extend_schema(responses={200: SeasonPairingAnswer}, operation_id="seasons_pairings_retrieve", tags=["seasons"])
    def get(self, request: Request, key: UUID) -> Response:
        """Return a pairing: its players, the games both play, the proposal, its match."""
        row = season_pairing_or_404(request._request, key)
        return Response(SeasonPairingAnswer(season_pairing_row(row, request.user)).data)

    @idempotent
    @extend_schema(
        request=SeasonPairingActRequest,
        responses={200: SeasonPairingAnswer},
        operation_id="seasons_pairings_agree",
        tags=["seasons"],
    )
    def post(self, request: Request, key: UUID) -> Response:
        """Propose a game or accept the other side's; organisers decide on one, or end the pairing without a match."""
        row, by = season_pairing_or_404(request._request, key), player(request)
        if by.pk not in _players(row):
            _need(request, row.round.season.club)
        _act_on_pairing(request, row, by, valid(SeasonPairingActRequest, request))
        return Response(SeasonPairingAnswer(season_pairing_row(row, request.user)).data)

    @extend_schema(responses={204: None}, operation_id="seasons_pairings_delete", tags=["seasons"])
    def delete(self, request: Request, key: UUID) -> Response:
        """Remove a pairing from a planned round."""
        row = season_pairing_or_404(request._request, key)
        _need(request, row.round.season.club)
        rounds.season_pairing_remove(pairing=row, by=player(request))
        return Response(status=status.HTTP_204_NO_CONTENT)


# --- parts ------------------------------------------------------------------------------------------------------------


def _act_on_pairing(request: Request, row: SeasonPairing, by: Player, given: dict[str, Any]) -> None:
    act = given["act"]
    if act in ("propose", "accept"):
        if by.pk not in _players(row):
            raise PermissionDenied
        act_on = game_choice.game_propose if act == "propose" else game_choice.game_accept
        act_on(pairing=row, game=given["game"], by=by)
        return
    _need(request, row.round.season.club)
    if act == "decide":
        game_choice.game_decide(pairing=row, game=given["game"], by=by)
        return
    side = {"one": 0, "two": 1}[given["side"]] if act == "award" else None
    game_choice.pairing_award(pairing=row, side=side, reason=given["reason"], by=by)


def _players(row: SeasonPairing) -> set[int]:
    return {each.player_id for each in (row.one, row.two) if each is not None}


def _need(request: Request, club: Club) -> None:
    if not policy.can_run_club(request.user, club):
        raise PermissionDenied


def _run(request: Request, pk: int) -> Season:
    row = season_or_404(request._request, pk)
    _need(request, row.club)
    return row


def _member(request: Request, pk: int) -> Season:
    row = season_or_404(request._request, pk)
    if policy.role_in(request.user, row.club) is None:
        raise PermissionDenied
    return row


def _run_round(request: Request, pk: int, number: int) -> SeasonRound:
    row = season_round_or_404(request._request, pk, number)
    _need(request, row.season.club)
    return row


def _to_dict(season: Season, request: Request) -> dict[str, object]:
    sheet = season_page(season, request.user, with_planned=policy.can_run_club(request.user, season.club))
    teams = list(season.teams.all())
    winner = sheet.cup.winner if sheet.cup is not None else ""
    answer = {"season": season, "sheet": sheet, "teams": teams, "cup_winner": winner}
    return SeasonAnswer(answer).data  # type: ignore[arg-type]


def _round(row: SeasonRound, request: Request) -> dict[str, object]:
    can_run = policy.can_run_club(request.user, row.season.club)
    sheet = season_page(row.season, request.user, with_planned=can_run)
    return SeasonRoundAnswer(next(each for each in sheet.rounds if each.number == row.number)).data


OF_A_ROUND = "seasons/<int:pk>/rounds/<int:number>/"
urlpatterns = [
    path("clubs/<slug:slug>/seasons/", Seasons.as_view(), name="api-seasons"),
    path("seasons/<int:pk>/", SeasonById.as_view(), name="api-season"),
    path("seasons/<int:pk>/state/", SeasonStateView.as_view(), name="api-season-state"),
    path("seasons/<int:pk>/games/", SeasonGames.as_view(), name="api-season-games"),
    path("seasons/<int:pk>/games/order/", SeasonGamesOrder.as_view(), name="api-season-games-order"),
    path("seasons/<int:pk>/games/<int:game_pk>/", SeasonGameById.as_view(), name="api-season-game"),
    path("seasons/<int:pk>/players/", SeasonPlayers.as_view(), name="api-season-players"),
    path("seasons/<int:pk>/players/<int:player_pk>/", SeasonPlayerById.as_view(), name="api-season-player"),
    path("seasons/<int:pk>/teams/", SeasonTeams.as_view(), name="api-season-teams"),
    path("seasons/<int:pk>/teams/line-up/", SeasonLineUp.as_view(), name="api-season-line-up"),
    path("seasons/<int:pk>/teams/<int:team_pk>/", SeasonTeamById.as_view(), name="api-season-team"),
    path("seasons/<int:pk>/rounds/", SeasonRounds.as_view(), name="api-season-rounds"),
    path(OF_A_ROUND, SeasonRoundByNumber.as_view(), name="api-season-round"),
    path(f"{OF_A_ROUND}open/", SeasonRoundOpening.as_view(), name="api-season-round-open"),
    path(f"{OF_A_ROUND}pairings/", SeasonRoundPairings.as_view(), name="api-season-pairings"),
    path("seasons/pairings/<uuid:key>/", SeasonPairingByKey.as_view(), name="api-season-pairing"),
]
