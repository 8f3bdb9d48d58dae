"""Serializers of the API of seasons."""

from __future__ import annotations

from rest_framework import serializers

from campaigns.clubs.summaries import SeasonListRow
from campaigns.models import (
    PairingMethod,
    SeasonState,
    SeasonTeam,
    SettleRule,
)
from campaigns.scoring import SEASON_SCORING, input_fields, output_fields
from campaigns.seasons import rounds, services
from campaigns.seasons.queries import GameRow
from campaigns.seasons.selectors import (
    PairingSideRow,
    PlayerStandingRow,
    SeasonPage,
    SeasonPairingRow,
    SeasonPlayerRow,
    SeasonRoundRow,
    TieRow,
)
from campaigns.standings.table import SEASON_TIE_BREAKERS, TableRow
from rosters.api.base import StrictBooleanField, StrictCharField, StrictIntegerField, StrictSerializer


def _whole(field: str, help_text: str) -> StrictIntegerField:
    least, most = services.BOUNDS[field]
    return StrictIntegerField(min_value=least, max_value=most, required=False, help_text=help_text)


class SeasonChangeRequest(StrictSerializer):
    name = StrictCharField(max_length=60, required=False)
    about = StrictCharField(max_length=services.MAX_ABOUT_LENGTH, required=False, allow_blank=True)
    vars().update(input_fields(SEASON_SCORING))
    tie_breakers = serializers.ListField(
        child=serializers.ChoiceField(choices=SEASON_TIE_BREAKERS), required=False, max_length=len(SEASON_TIE_BREAKERS)
    )
    agree_days = _whole("agree_days", "days to agree on a game, from the start of a round")
    pace_days = _whole("pace_days", "days per round, from its start to its deadline")
    settle_rule = serializers.ChoiceField(
        choices=SettleRule.choices,
        required=False,
        help_text="how the game is chosen if the players don't agree in time",
    )
    cup_size = _whole("cup_size", "number of players in the cup, from the top of the standings; 0: no cup")
    has_third_place = StrictBooleanField(required=False)
    points_may_differ = StrictBooleanField(
        required=False, help_text="whether its campaigns can have different points per company; fixed once it runs"
    )


class SeasonRequest(SeasonChangeRequest):
    name = StrictCharField(max_length=60)


class SeasonStateRequest(StrictSerializer):
    state = serializers.ChoiceField(choices=[SeasonState.RUNNING, SeasonState.FINISHED])


class SeasonGameRequest(StrictSerializer):
    campaign = StrictIntegerField(help_text="id of one of the club's campaigns, open for sign-up or running")


class SeasonGamesOrderRequest(StrictSerializer):
    games = serializers.ListField(
        child=StrictIntegerField(), max_length=20, help_text="ids of all the season's games, in the new order"
    )


class SeasonPlayerRequest(StrictSerializer):
    player = StrictCharField(max_length=150, required=False, help_text="username; default: yourself")


class SeasonTeamRequest(StrictSerializer):
    name = StrictCharField(max_length=40)


class LineUpRequest(StrictSerializer):
    player = StrictIntegerField(help_text="id in the season")
    team = StrictIntegerField(allow_null=True, help_text="null: no team")


class LineUpsRequest(StrictSerializer):
    teams = LineUpRequest(many=True)


class SeasonDrawRequest(StrictSerializer):
    way = serializers.ChoiceField(choices=PairingMethod.choices)
    boards = StrictIntegerField(
        min_value=rounds.MIN_BOARDS,
        max_value=rounds.MAX_BOARDS,
        required=False,
        help_text="for team rounds: players per team",
    )


class SeasonPairingRequest(StrictSerializer):
    one = StrictIntegerField(help_text="id of a player in the season")
    two = StrictIntegerField(allow_null=True, help_text="id of the opponent; null: a bye")


class SeasonPairingActRequest(StrictSerializer):
    act = serializers.ChoiceField(
        choices=["propose", "accept", "decide", "award", "call-off"], help_text="the last three are for organisers"
    )
    game = StrictIntegerField(required=False, help_text="id of a game of the season; for propose, accept and decide")
    side = serializers.ChoiceField(choices=["one", "two"], required=False, help_text="the winner; for award")
    reason = StrictCharField(max_length=300, required=False, help_text="for award and call-off")

    def validate(self, attrs: dict[str, object]) -> dict[str, object]:
        needed = {"award": ("side", "reason"), "call-off": ("reason",)}.get(str(attrs["act"]), ("game",))
        missing = {name: ["This field is required."] for name in needed if name not in attrs}
        if missing:
            raise serializers.ValidationError(missing)
        return attrs


class SeasonSummaryAnswer(serializers.Serializer[SeasonListRow]):
    id = serializers.IntegerField()
    name = serializers.CharField()
    state = serializers.ChoiceField(choices=SeasonState.choices)
    games = serializers.ListField(child=serializers.CharField(), help_text="names of the games")
    players = serializers.IntegerField()


class SeasonGameAnswer(serializers.Serializer[GameRow]):
    id = serializers.IntegerField()
    system = serializers.CharField()
    campaign = serializers.IntegerField()
    name = serializers.CharField(help_text="of the campaign")
    state = serializers.CharField(help_text="of the campaign")
    points = serializers.IntegerField(help_text="points per company in the campaign")


class SeasonPlayerAnswer(serializers.Serializer[SeasonPlayerRow]):
    id = serializers.IntegerField(help_text="in the season")
    name = serializers.CharField()
    team = serializers.IntegerField(allow_null=True)
    is_in = serializers.BooleanField()
    games = serializers.ListField(child=serializers.CharField(), help_text="names of the games they can play")


class SeasonTeamAnswer(serializers.Serializer[SeasonTeam]):
    id = serializers.IntegerField(source="pk")
    name = serializers.CharField()


class SeasonStandingAnswer(serializers.Serializer[PlayerStandingRow]):
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


class SeasonTeamStandingAnswer(serializers.Serializer[TableRow]):
    place = serializers.IntegerField()
    team = serializers.IntegerField(source="entrant")
    name = serializers.CharField()
    points = serializers.IntegerField()
    played = serializers.IntegerField()
    won = serializers.IntegerField()
    drawn = serializers.IntegerField()
    lost = serializers.IntegerField()
    boards = serializers.FloatField(source="victory_points")


class SeasonSideAnswer(serializers.Serializer[PairingSideRow]):
    player = serializers.IntegerField(source="entrant", help_text="id in the season")
    name = serializers.CharField()
    company = serializers.CharField(allow_blank=True, help_text="the company they play with, once a game is chosen")
    has_won = serializers.BooleanField()


class SeasonPairingAnswer(serializers.Serializer[SeasonPairingRow]):
    key = serializers.UUIDField()
    number = serializers.IntegerField()
    board = serializers.IntegerField(help_text="number of the board in a team round; 0: not a team round")
    one = SeasonSideAnswer()
    two = SeasonSideAnswer(allow_null=True, help_text="null: a bye")
    state = serializers.CharField(source="step", help_text="progress until it has a match")
    said = serializers.CharField(source="progress", help_text="progress in words")
    result = serializers.CharField(allow_blank=True)
    game = serializers.CharField(allow_blank=True, help_text="the game it is played in")
    settled = serializers.CharField(allow_blank=True, help_text="how the game was chosen")
    choices = SeasonGameAnswer(many=True, help_text="games both play, while none is chosen")
    proposed = SeasonGameAnswer(allow_null=True)
    proposing = serializers.CharField(allow_blank=True, help_text="the side that proposes it")
    match = serializers.UUIDField(allow_null=True)
    obstacle = serializers.CharField(allow_blank=True, help_text="why there is no match yet although a game is chosen")
    reason = serializers.CharField(allow_blank=True, help_text="why it was awarded or cancelled")


class SeasonTieAnswer(serializers.Serializer[TieRow]):
    number = serializers.IntegerField()
    one = serializers.CharField()
    two = serializers.CharField(allow_blank=True, help_text="empty: the first team has a bye")
    points = serializers.CharField()
    is_over = serializers.BooleanField()
    boards = SeasonPairingAnswer(many=True)


class SeasonRoundAnswer(serializers.Serializer[SeasonRoundRow]):
    number = serializers.IntegerField()
    way = serializers.ChoiceField(choices=PairingMethod.choices)
    state = serializers.CharField()
    agree_by = serializers.DateTimeField(allow_null=True)
    deadline = serializers.DateTimeField(allow_null=True)
    dice = serializers.UUIDField(allow_null=True, help_text="dice of the random choices")
    pairings = SeasonPairingAnswer(many=True)
    ties = SeasonTieAnswer(many=True, help_text="of teams")
    resting = serializers.ListField(child=serializers.CharField())


class SeasonAnswer(serializers.Serializer[SeasonPage]):
    id = serializers.IntegerField(source="season.pk")
    club = serializers.CharField(source="season.club.slug")
    name = serializers.CharField(source="season.name")
    about = serializers.CharField(source="season.about", allow_blank=True)
    state = serializers.ChoiceField(source="season.state", choices=SeasonState.choices)
    vars().update(output_fields(SEASON_SCORING, row="season"))
    tie_breakers = serializers.ListField(source="season.tie_breakers", child=serializers.CharField())
    agree_days = serializers.IntegerField(source="season.agree_days")
    pace_days = serializers.IntegerField(source="season.pace_days")
    settle_rule = serializers.ChoiceField(source="season.settle_rule", choices=SettleRule.choices)
    cup_size = serializers.IntegerField(source="season.cup_size")
    has_third_place = serializers.BooleanField(source="season.has_third_place")
    points_may_differ = serializers.BooleanField(
        source="season.points_may_differ", help_text="whether its campaigns can have different points per company"
    )
    games = SeasonGameAnswer(many=True, source="sheet.games")
    players = SeasonPlayerAnswer(many=True, source="sheet.entrants")
    teams = SeasonTeamAnswer(many=True)
    standings = SeasonStandingAnswer(many=True, source="sheet.table")
    team_standings = SeasonTeamStandingAnswer(many=True, source="sheet.teams")
    rounds = SeasonRoundAnswer(many=True, source="sheet.rounds", help_text="newest first")
    cup_winner = serializers.CharField(allow_blank=True)
