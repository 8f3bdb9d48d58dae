"""The origin of a company in the API."""

from __future__ import annotations

from rest_framework import serializers

from rosters.documents.origins import OriginRow
from rosters.models import OriginKind


class ClaimsOut(serializers.Serializer[None]):
    """What the company came with."""

    points = serializers.IntegerField()
    units = serializers.IntegerField()
    pilots = serializers.IntegerField()
    games = serializers.IntegerField()
    kills = serializers.IntegerField()
    games_known = serializers.IntegerField(help_text="that stand in the books of this site as it says")
    games_otherwise = serializers.IntegerField(help_text="that stand there, but not as it says")


class OriginOut(serializers.Serializer[OriginRow]):
    """The origin of a company that was not founded here."""

    kind = serializers.ChoiceField(
        choices=OriginKind.choices,
        help_text="signed: this site exported it, and nobody has changed it since; else its past is as it says itself",
    )
    by = serializers.CharField(help_text="who brought it")
    at = serializers.DateTimeField()
    stood_at = serializers.DateTimeField(
        allow_null=True, help_text="of a signed one: when the last entry was written that it came with"
    )
    claims = ClaimsOut(allow_null=True, help_text="null: it came before that was noted down")
