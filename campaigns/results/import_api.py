"""The API of results of before: looked at line by line, then taken over."""

from __future__ import annotations

from django.urls import path
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from campaigns.api.campaigns import campaign_run
from campaigns.results.imported_table import MAX_BYTES, ImportedLine, ImportedTable
from campaigns.results.imports import results_import, results_read
from rosters.api.once import done_once
from rosters.api.parts import StrictSerializer, Text, Truth, player, valid


class PastIn(StrictSerializer):
    text = Text(
        max_length=MAX_BYTES,
        help_text="CSV: a head that names the columns, then a match in each line. If two companies share a name, add the "
        "player: The Twins (bob)",
    )
    check = Truth(required=False, help_text="true: nothing is taken over, the answer says what would be")


class PastLineOut(serializers.Serializer[ImportedLine]):
    line = serializers.IntegerField(source="number", help_text="in the text, the head being 1")
    problems = serializers.ListField(child=serializers.CharField())


class PastOut(serializers.Serializer[dict[str, object]]):
    is_clean = serializers.BooleanField(help_text="every line can be taken over")
    problem = serializers.CharField(allow_blank=True, help_text="what is wrong with the text as a whole")
    lines = PastLineOut(many=True)
    rounds = serializers.ListField(child=serializers.IntegerField(), help_text="closed rounds that were made")


class PastResults(APIView):
    permission_classes = (IsAuthenticated,)

    @done_once
    @extend_schema(
        request=PastIn, responses={200: PastOut, 201: PastOut}, operation_id="past_results_take", tags=["campaigns"]
    )
    def post(self, request: Request, pk: int) -> Response:
        """Takes over what a club played before, all lines or none; with `check` only says what is wrong with them."""
        campaign = campaign_run(request, pk)
        given = valid(PastIn, request)
        table = results_read(campaign=campaign, text=given["text"])
        if given.get("check"):
            return Response(PastOut(_told(table, [])).data)
        rounds = results_import(campaign=campaign, text=given["text"], by=player(request))
        return Response(PastOut(_told(table, [each.number for each in rounds])).data, status=201)


def _told(table: ImportedTable, rounds: list[int]) -> dict[str, object]:
    return {"is_clean": table.is_clean, "problem": table.problem, "lines": table.lines, "rounds": rounds}


urls = [path("campaigns/<int:pk>/past-results/", PastResults.as_view(), name="api-past-results")]
