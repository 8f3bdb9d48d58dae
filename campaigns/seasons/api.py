"""The API of seasons over several games: tables, rounds, agreeing on a game, and everything that an organiser does."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.http import Http404
from django.urls import path
from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.exceptions import PermissionDenied
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from campaigns import policy
from campaigns.clubs.summaries import SeasonListRow
from campaigns.clubs.summaries import seasons_of
from campaigns.models import (
    Club,
    PairingMethod,
    Season,
    SeasonPairing,
    SeasonRound,
    SeasonState,
    SeasonTeam,
    SettleRule,
)
from campaigns.shortcuts import club_or_404
from campaigns.shortcuts import season_or_404
from campaigns.shortcuts import season_pairing_or_404
from campaigns.shortcuts import season_round_or_404
from campaigns.seasons import services
from campaigns.seasons import game_choice
from campaigns.seasons import rounds as drawing
from campaigns.seasons.selectors import (
    GameRow,
    PairingSideRow,
    PlayerStandingRow,
    SeasonPage,
    SeasonPairingRow,
    SeasonPlayerRow,
    SeasonRoundRow,
    TieRow,
    season_page,
    season_pairing_row,
)
from campaigns.standings.table import TableRow
from campaigns.standings.tiebreakers import SEASON_TIE_BREAKERS
from rosters.api.headers import if_match
from rosters.api.headers import tagged
from rosters.api.headers import idempotent
from rosters.api.base import StrictSerializer
from rosters.api.base import Text
from rosters.api.base import Truth
from rosters.api.base import Whole
from rosters.api.base import player
from rosters.api.base import valid
from rosters.models import Player
from rosters.services import RefusedError

# --- input ------------------------------------------------------------------------------------------------------------


def _whole(field: str, help_text: str) -> Whole:
    least, most = services.BOUNDS[field]
    return Whole(min_value=least, max_value=most, required=False, help_text=help_text)


class SeasonChange(StrictSerializer):
    name = Text(max_length=60, required=False)
    about = Text(max_length=services.MAX_ABOUT_LENGTH, required=False, allow_blank=True)
    win_points = _whole("win_points", "of a victory")
    draw_points = _whole("draw_points", "of a draw")
    loss_points = _whole("loss_points", "of a defeat")
    tie_breakers = serializers.ListField(
        child=serializers.ChoiceField(choices=SEASON_TIE_BREAKERS), required=False, max_length=len(SEASON_TIE_BREAKERS)
    )
    agree_days = _whole("agree_days", "to agree on a game, from the opening of a round")
    pace_days = _whole("pace_days", "of a round, from its opening to its deadline")
    settle_rule = serializers.ChoiceField(
        choices=SettleRule.choices, required=False, help_text="which game is played that nobody agreed on in time"
    )
    cup_size = _whole("cup_size", "the first so many of the table enter the cup; 0: there is none")
    has_third_place = Truth(required=False)
    points_may_differ = Truth(
        required=False, help_text="its campaigns may give companies different points, on purpose; fixed once it runs"
    )


class SeasonIn(SeasonChange):
    name = Text(max_length=60)


class SeasonStateIn(StrictSerializer):
    state = serializers.ChoiceField(choices=[SeasonState.RUNNING, SeasonState.FINISHED])


class SeasonGameIn(StrictSerializer):
    campaign = Whole(help_text="id of a campaign of the club, mustering or running")


class SeasonOrderIn(StrictSerializer):
    games = serializers.ListField(child=Whole(), max_length=20, help_text="ids of all games of the season, in order")


class SeasonPlayerIn(StrictSerializer):
    player = Text(max_length=150, required=False, help_text="user name; without it yourself")


class SeasonTeamIn(StrictSerializer):
    name = Text(max_length=40)


class LineUpIn(StrictSerializer):
    player = Whole(help_text="id in the season")
    team = Whole(allow_null=True, help_text="null: in none")


class LineUpsIn(StrictSerializer):
    teams = LineUpIn(many=True)


class SeasonDrawIn(StrictSerializer):
    way = serializers.ChoiceField(choices=PairingMethod.choices)
    boards = Whole(
        min_value=drawing.MIN_BOARDS,
        max_value=drawing.MAX_BOARDS,
        required=False,
        help_text="of team against team: how many of each play",
    )


class SeasonPairIn(StrictSerializer):
    one = Whole(help_text="id of a player in the season")
    two = Whole(allow_null=True, help_text="likewise; null: a bye")


class SeasonSayIn(StrictSerializer):
    act = serializers.ChoiceField(
        choices=["propose", "accept", "decide", "award", "call-off"], help_text="the last three are an organiser's"
    )
    game = Whole(required=False, help_text="id of a game of the season; for propose, accept and decide")
    side = serializers.ChoiceField(choices=["one", "two"], required=False, help_text="who has it; for award")
    reason = Text(max_length=300, required=False, help_text="for award and call-off")

    def validate(self, attrs: dict[str, object]) -> dict[str, object]:
        needed = {"award": ("side", "reason"), "call-off": ("reason",)}.get(str(attrs["act"]), ("game",))
        missing = {name: ["This field is required."] for name in needed if name not in attrs}
        if missing:
            raise serializers.ValidationError(missing)
        return attrs


# --- output -----------------------------------------------------------------------------------------------------------


class SeasonLineOut(serializers.Serializer[SeasonListRow]):
    id = serializers.IntegerField()
    name = serializers.CharField()
    state = serializers.ChoiceField(choices=SeasonState.choices)
    games = serializers.ListField(child=serializers.CharField(), help_text="names of the games")
    players = serializers.IntegerField()


class SeasonGameOut(serializers.Serializer[GameRow]):
    id = serializers.IntegerField()
    system = serializers.CharField()
    campaign = serializers.IntegerField()
    name = serializers.CharField(help_text="of the campaign")
    state = serializers.CharField(help_text="of the campaign")
    points = serializers.IntegerField(help_text="what a company may be worth in the campaign")


class SeasonPlayerOut(serializers.Serializer[SeasonPlayerRow]):
    id = serializers.IntegerField(help_text="in the season")
    name = serializers.CharField()
    team = serializers.IntegerField(allow_null=True)
    is_in = serializers.BooleanField()
    games = serializers.ListField(child=serializers.CharField(), help_text="names of the games that he can play")


class SeasonTeamOut(serializers.Serializer[SeasonTeam]):
    id = serializers.IntegerField(source="pk")
    name = serializers.CharField()


class SeasonStandingOut(serializers.Serializer[PlayerStandingRow]):
    place = serializers.IntegerField(source="row.place")
    player = serializers.IntegerField(source="row.entrant", help_text="id in the season")
    name = serializers.CharField(source="row.name")
    points = serializers.IntegerField(source="row.points")
    played = serializers.IntegerField(source="row.played")
    won = serializers.IntegerField(source="row.won")
    drawn = serializers.IntegerField(source="row.drawn")
    lost = serializers.IntegerField(source="row.lost")
    byes = serializers.IntegerField(source="row.byes")
    opponents_points = serializers.IntegerField(source="row.buchholz")


class SeasonTeamStandingOut(serializers.Serializer[TableRow]):
    place = serializers.IntegerField()
    team = serializers.IntegerField(source="entrant")
    name = serializers.CharField()
    points = serializers.IntegerField()
    played = serializers.IntegerField()
    won = serializers.IntegerField()
    drawn = serializers.IntegerField()
    lost = serializers.IntegerField()
    boards = serializers.FloatField(source="victory_points")


class SeasonSideOut(serializers.Serializer[PairingSideRow]):
    player = serializers.IntegerField(source="entrant", help_text="id in the season")
    name = serializers.CharField()
    company = serializers.CharField(allow_blank=True, help_text="that he plays with, once a game is settled")
    has_won = serializers.BooleanField()


class SeasonPairingOut(serializers.Serializer[SeasonPairingRow]):
    key = serializers.UUIDField()
    number = serializers.IntegerField()
    board = serializers.IntegerField(help_text="of a match of teams; 0: it is none")
    one = SeasonSideOut()
    two = SeasonSideOut(allow_null=True, help_text="null: a bye")
    state = serializers.CharField(source="step", help_text="how far it is until it has its match")
    said = serializers.CharField(help_text="how it stands, in words")
    result = serializers.CharField(allow_blank=True)
    game = serializers.CharField(allow_blank=True, help_text="that it is played in")
    settled = serializers.CharField(allow_blank=True, help_text="how that came about")
    choices = SeasonGameOut(many=True, help_text="games that both play, while none is settled")
    proposed = SeasonGameOut(allow_null=True)
    proposing = serializers.CharField(allow_blank=True, help_text="who proposes it")
    match = serializers.UUIDField(allow_null=True)
    obstacle = serializers.CharField(allow_blank=True, help_text="why there is no match where there should be one")
    reason = serializers.CharField(allow_blank=True, help_text="why it was awarded or called off")


class SeasonTieOut(serializers.Serializer[TieRow]):
    number = serializers.IntegerField()
    one = serializers.CharField()
    two = serializers.CharField(allow_blank=True, help_text="empty: the first one rests")
    points = serializers.CharField()
    is_over = serializers.BooleanField()
    boards = SeasonPairingOut(many=True)


class SeasonRoundOut(serializers.Serializer[SeasonRoundRow]):
    number = serializers.IntegerField()
    way = serializers.ChoiceField(choices=PairingMethod.choices)
    state = serializers.CharField()
    agree_by = serializers.DateTimeField(allow_null=True)
    deadline = serializers.DateTimeField(allow_null=True)
    dice = serializers.UUIDField(allow_null=True, help_text="sealed dice of the lot")
    pairings = SeasonPairingOut(many=True)
    ties = SeasonTieOut(many=True, help_text="of teams")
    resting = serializers.ListField(child=serializers.CharField())


class SeasonOut(serializers.Serializer[SeasonPage]):
    id = serializers.IntegerField(source="season.pk")
    club = serializers.CharField(source="season.club.slug")
    name = serializers.CharField(source="season.name")
    about = serializers.CharField(source="season.about", allow_blank=True)
    state = serializers.ChoiceField(source="season.state", choices=SeasonState.choices)
    win_points = serializers.IntegerField(source="season.win_points")
    draw_points = serializers.IntegerField(source="season.draw_points")
    loss_points = serializers.IntegerField(source="season.loss_points")
    tie_breakers = serializers.ListField(source="season.tie_breakers", child=serializers.CharField())
    agree_days = serializers.IntegerField(source="season.agree_days")
    pace_days = serializers.IntegerField(source="season.pace_days")
    settle_rule = serializers.ChoiceField(source="season.settle_rule", choices=SettleRule.choices)
    cup_size = serializers.IntegerField(source="season.cup_size")
    has_third_place = serializers.BooleanField(source="season.has_third_place")
    points_may_differ = serializers.BooleanField(
        source="season.points_may_differ", help_text="whether its campaigns may give companies different points"
    )
    games = SeasonGameOut(many=True, source="sheet.games")
    players = SeasonPlayerOut(many=True, source="sheet.entrants")
    teams = SeasonTeamOut(many=True)
    standings = SeasonStandingOut(many=True, source="sheet.table")
    team_standings = SeasonTeamStandingOut(many=True, source="sheet.teams")
    rounds = SeasonRoundOut(many=True, source="sheet.rounds", help_text="newest first")
    cup_winner = serializers.CharField(allow_blank=True)


# --- seasons ----------------------------------------------------------------------------------------------------------


class Seasons(APIView):
    @extend_schema(responses={200: SeasonLineOut(many=True)}, operation_id="seasons_list", tags=["seasons"])
    def get(self, request: Request, slug: str) -> Response:
        """Return the seasons of a club, newest first."""
        club = club_or_404(request._request, slug)
        rows = seasons_of(club, policy.role_in(request.user, club))
        return Response([SeasonLineOut(row).data for row in rows])

    @idempotent
    @extend_schema(request=SeasonIn, responses={201: SeasonOut}, operation_id="seasons_create", tags=["seasons"])
    def post(self, request: Request, slug: str) -> Response:
        """Create a season; campaigns and players can then join it. Organisers only."""
        club = club_or_404(request._request, slug)
        _need(request, club)
        made = services.season_create(club=club, by=player(request), **valid(SeasonIn, request))
        return Response(_to_dict(made, request), status=status.HTTP_201_CREATED)


class SeasonById(APIView):
    @tagged
    @extend_schema(responses={200: SeasonOut}, operation_id="seasons_read", tags=["seasons"])
    def get(self, request: Request, pk: int) -> Response:
        """Return a season with its tables and rounds; only its organisers see planned rounds."""
        return Response(_to_dict(season_or_404(request._request, pk), request))

    @if_match(lambda pk: Season.objects.filter(pk=pk))
    @extend_schema(request=SeasonChange, responses={200: SeasonOut}, operation_id="seasons_change", tags=["seasons"])
    def patch(self, request: Request, pk: int) -> Response:
        """Change settings; the points for a result are fixed once the season runs."""
        row = _run(request, pk)
        changed = services.season_change(season=row, by=player(request), **valid(SeasonChange, request))
        return Response(_to_dict(changed, request))

    @extend_schema(responses={204: None}, operation_id="seasons_delete", tags=["seasons"])
    def delete(self, request: Request, pk: int) -> Response:
        """Delete a season that hasn't begun; its campaigns stay."""
        services.season_delete(season=_run(request, pk), by=player(request))
        return Response(status=status.HTTP_204_NO_CONTENT)


class SeasonStateView(APIView):
    permission_classes = (IsAuthenticated,)

    @idempotent
    @extend_schema(request=SeasonStateIn, responses={200: SeasonOut}, operation_id="seasons_move", tags=["seasons"])
    def post(self, request: Request, pk: int) -> Response:
        """Begin or finish the season."""
        row, by = _run(request, pk), player(request)
        if valid(SeasonStateIn, request)["state"] == SeasonState.RUNNING:
            row = services.season_start(season=row, by=by)
        else:
            row = services.season_finish(season=row, by=by)
        return Response(_to_dict(row, request))


class SeasonGames(APIView):
    permission_classes = (IsAuthenticated,)

    @idempotent
    @extend_schema(request=SeasonGameIn, responses={201: SeasonOut}, operation_id="seasons_add_game", tags=["seasons"])
    def post(self, request: Request, pk: int) -> Response:
        """Add a campaign, in which the season's matches of its game are played."""
        row = _run(request, pk)
        campaign = row.club.campaigns.filter(pk=valid(SeasonGameIn, request)["campaign"]).first()
        if campaign is None:
            raise RefusedError("campaign", "There is no such campaign in this club.")
        services.game_add(season=row, campaign=campaign, by=player(request))
        return Response(_to_dict(row, request), status=status.HTTP_201_CREATED)


class SeasonGamesOrder(APIView):
    permission_classes = (IsAuthenticated,)

    @idempotent
    @extend_schema(request=SeasonOrderIn, responses={200: SeasonOut}, operation_id="seasons_order", tags=["seasons"])
    def post(self, request: Request, pk: int) -> Response:
        """Set the order of the games; it decides the game if players don't agree."""
        row = _run(request, pk)
        services.games_order(season=row, by=player(request), **valid(SeasonOrderIn, request))
        return Response(_to_dict(row, request))


class SeasonGameById(APIView):
    permission_classes = (IsAuthenticated,)

    @extend_schema(responses={204: None}, operation_id="seasons_remove_game", tags=["seasons"])
    def delete(self, request: Request, pk: int, game_pk: int) -> Response:
        """Remove a campaign in which no match of the season is played; the campaign itself stays."""
        services.game_remove(season=_run(request, pk), game=game_pk, by=player(request))
        return Response(status=status.HTTP_204_NO_CONTENT)


class SeasonPlayers(APIView):
    permission_classes = (IsAuthenticated,)

    @idempotent
    @extend_schema(request=SeasonPlayerIn, responses={201: SeasonOut}, operation_id="seasons_enter", tags=["seasons"])
    def post(self, request: Request, pk: int) -> Response:
        """Take part, or enter a player as an organiser. The player needs a company in one of the games."""
        row, by = _member(request, pk), player(request)
        name = valid(SeasonPlayerIn, request).get("player", by.username)
        who = by
        if name != by.username:
            _need(request, row.club)
            found = Player.objects.filter(username=name, memberships__club=row.club).first()
            if found is None:
                raise RefusedError("player", f"{row.club.name} has no member “{name}”.")
            who = found
        services.season_enter(season=row, player=who, by=by)
        return Response(_to_dict(row, request), status=status.HTTP_201_CREATED)


class SeasonPlayerById(APIView):
    permission_classes = (IsAuthenticated,)

    @extend_schema(responses={204: None}, operation_id="seasons_leave", tags=["seasons"])
    def delete(self, request: Request, pk: int, player_pk: int) -> Response:
        """Stop taking part, or take a player out as an organiser; existing matches are still to be played."""
        row, by = _member(request, pk), player(request)
        entrant = row.entrants.filter(pk=player_pk).first()
        if entrant is None:
            raise Http404
        if entrant.player_id != by.pk:
            _need(request, row.club)
        services.season_leave(season=row, entrant=entrant.pk, by=by)
        return Response(status=status.HTTP_204_NO_CONTENT)


class SeasonTeams(APIView):
    permission_classes = (IsAuthenticated,)

    @idempotent
    @extend_schema(
        request=SeasonTeamIn, responses={201: SeasonTeamOut}, operation_id="seasons_add_team", tags=["seasons"]
    )
    def post(self, request: Request, pk: int) -> Response:
        """Add a team, without players yet."""
        made = services.team_add(season=_run(request, pk), by=player(request), **valid(SeasonTeamIn, request))
        return Response(SeasonTeamOut(made).data, status=status.HTTP_201_CREATED)


class SeasonLineUp(APIView):
    permission_classes = (IsAuthenticated,)

    @idempotent
    @extend_schema(request=LineUpsIn, responses={200: SeasonOut}, operation_id="seasons_line_up", tags=["seasons"])
    def post(self, request: Request, pk: int) -> Response:
        """Set the teams of players; players not named keep theirs."""
        row = _run(request, pk)
        teams = {each["player"]: each["team"] for each in valid(LineUpsIn, request)["teams"]}
        services.team_line_up(season=row, teams=teams, by=player(request))
        return Response(_to_dict(row, request))


class SeasonTeamById(APIView):
    permission_classes = (IsAuthenticated,)

    @extend_schema(responses={204: None}, operation_id="seasons_remove_team", tags=["seasons"])
    def delete(self, request: Request, pk: int, team_pk: int) -> Response:
        """Remove a team that has met no other; its players stay in the season."""
        services.team_remove(season=_run(request, pk), team=team_pk, by=player(request))
        return Response(status=status.HTTP_204_NO_CONTENT)


# --- rounds -----------------------------------------------------------------------------------------------------------


class SeasonRounds(APIView):
    permission_classes = (IsAuthenticated,)

    @idempotent
    @extend_schema(request=SeasonDrawIn, responses={201: SeasonRoundOut}, operation_id="seasons_draw", tags=["seasons"])
    def post(self, request: Request, pk: int) -> Response:
        """Draw the next round; only organisers see it until it is opened."""
        row = _run(request, pk)
        made = drawing.season_round_draw(season=row, by=player(request), **valid(SeasonDrawIn, request))
        return Response(_round(made, request), status=status.HTTP_201_CREATED)


class SeasonRoundByNumber(APIView):
    @extend_schema(responses={200: SeasonRoundOut}, operation_id="seasons_read_round", tags=["seasons"])
    def get(self, request: Request, pk: int, number: int) -> Response:
        """Return one round with its pairings."""
        return Response(_round(season_round_or_404(request._request, pk, number), request))

    @extend_schema(responses={204: None}, operation_id="seasons_drop_round", tags=["seasons"])
    def delete(self, request: Request, pk: int, number: int) -> Response:
        """Discard a planned round."""
        drawing.season_round_drop(round_=_run_round(request, pk, number), by=player(request))
        return Response(status=status.HTTP_204_NO_CONTENT)


class SeasonRoundOpening(APIView):
    permission_classes = (IsAuthenticated,)

    @idempotent
    @extend_schema(request=None, responses={200: SeasonRoundOut}, operation_id="seasons_open_round", tags=["seasons"])
    def post(self, request: Request, pk: int, number: int) -> Response:
        """Open a planned round: its players agree on games from now on."""
        row = drawing.season_round_open(round_=_run_round(request, pk, number), by=player(request))
        return Response(_round(row, request))


class SeasonRoundPairings(APIView):
    permission_classes = (IsAuthenticated,)

    @idempotent
    @extend_schema(
        request=SeasonPairIn, responses={201: SeasonPairingOut}, operation_id="seasons_pair", tags=["seasons"]
    )
    def post(self, request: Request, pk: int, number: int) -> Response:
        """Pair two players yourself in a planned round."""
        row = _run_round(request, pk, number)
        made = drawing.season_pairing_add(round_=row, by=player(request), **valid(SeasonPairIn, request))
        return Response(SeasonPairingOut(season_pairing_row(made, request.user)).data, status=status.HTTP_201_CREATED)


class SeasonPairingByKey(APIView):
    @extend_schema(responses={200: SeasonPairingOut}, operation_id="seasons_read_pairing", tags=["seasons"])
    def get(self, request: Request, key: UUID) -> Response:
        """Return a pairing: its players, the games both play, the proposal, its match."""
        row = season_pairing_or_404(request._request, key)
        return Response(SeasonPairingOut(season_pairing_row(row, request.user)).data)

    @idempotent
    @extend_schema(
        request=SeasonSayIn, responses={200: SeasonPairingOut}, operation_id="seasons_agree", tags=["seasons"]
    )
    def post(self, request: Request, key: UUID) -> Response:
        """Propose a game or accept the other side's; organisers decide on one, or end the pairing without a match."""
        row, by = season_pairing_or_404(request._request, key), player(request)
        if by.pk not in _players(row):
            _need(request, row.round.season.club)
        _say(request, row, by, valid(SeasonSayIn, request))
        return Response(SeasonPairingOut(season_pairing_row(row, request.user)).data)

    @extend_schema(responses={204: None}, operation_id="seasons_unpair", tags=["seasons"])
    def delete(self, request: Request, key: UUID) -> Response:
        """Remove a pairing from a planned round."""
        row = season_pairing_or_404(request._request, key)
        _need(request, row.round.season.club)
        drawing.season_pairing_remove(pairing=row, by=player(request))
        return Response(status=status.HTTP_204_NO_CONTENT)


# --- parts ------------------------------------------------------------------------------------------------------------


def _say(request: Request, row: SeasonPairing, by: Player, given: dict[str, Any]) -> None:
    act = given["act"]
    if act in ("propose", "accept"):
        if by.pk not in _players(row):
            raise PermissionDenied
        said = game_choice.game_propose if act == "propose" else game_choice.game_accept
        said(pairing=row, game=given["game"], by=by)
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
    told = {"season": season, "sheet": sheet, "teams": teams, "cup_winner": winner}
    return SeasonOut(told).data  # type: ignore[arg-type]


def _round(row: SeasonRound, request: Request) -> dict[str, object]:
    can_run = policy.can_run_club(request.user, row.season.club)
    sheet = season_page(row.season, request.user, with_planned=can_run)
    return SeasonRoundOut(next(each for each in sheet.rounds if each.number == row.number)).data


OF_A_ROUND = "seasons/<int:pk>/rounds/<int:number>/"
urls = [
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
