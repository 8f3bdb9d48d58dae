"""The API of gazettes: the content of the pages as documents."""

from __future__ import annotations

from collections.abc import Sequence

import pydantic
from django.urls import path, reverse
from drf_spectacular.utils import extend_schema
from rest_framework.exceptions import NotFound, PermissionDenied
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from campaigns import policy
from campaigns.gazette import services
from campaigns.gazette.document import Fixtures, GazetteDocument
from campaigns.gazette.selectors import changes_since, editions_of, gazette_rows, gazette_sheet
from campaigns.models import Campaign, Gazette, RoundState
from campaigns.shortcuts import campaign_or_404
from rosters.api.base import Query, QueryIntegerField, asked, player
from rosters.api.headers import idempotent
from rosters.models import PaperSize


class GazetteLineAnswer(pydantic.BaseModel):
    """The newest edition of a round's gazette, in short."""

    round: int
    edition: int
    at: str
    headline: str
    lead: str
    page: str


class GazetteList(pydantic.BaseModel):
    results: list[GazetteLineAnswer]


class GazetteAnswer(pydantic.BaseModel):
    """An edition. `corrected_since`: matches decided or corrected after it was written; `pdf`: a URL per paper size."""

    round: int
    edition: int
    editions: list[int]
    at: str
    headline: str
    lead: str
    content: GazetteDocument
    fixtures: Fixtures | None
    corrected_since: list[str]
    page: str
    pdf: dict[str, str]


class EditionQuery(Query):
    edition = QueryIntegerField(min_value=1, required=False, help_text="number of an earlier edition")


class Gazettes(APIView):
    @extend_schema(tags=["gazette"], operation_id="gazettes_list", responses={200: GazetteList})
    def get(self, request: Request, pk: int) -> Response:
        """List the gazettes of a campaign, newest round first."""
        campaign = campaign_or_404(request._request, pk)
        lines = [
            GazetteLineAnswer(
                round=line.number,
                edition=line.edition,
                at=line.at.isoformat(),
                headline=line.headline,
                lead=line.lead,
                page=_page(request, campaign, line.number),
            )
            for line in gazette_rows(campaign)
        ]
        return Response(GazetteList(results=lines).model_dump(mode="json"))


class GazetteByRound(APIView):
    @extend_schema(
        tags=["gazette"],
        operation_id="gazettes_retrieve",
        parameters=[EditionQuery],
        responses={200: GazetteAnswer},
    )
    def get(self, request: Request, pk: int, number: int) -> Response:
        """Return the gazette of a closed round."""
        campaign = campaign_or_404(request._request, pk)
        rows = editions_of(campaign, number)
        wanted = asked(EditionQuery, request).get("edition")
        row = next((each for each in rows if wanted in (None, each.edition)), None)
        if row is None:
            raise NotFound("There is no such gazette.")
        return Response(_gazette(request, campaign, row, rows))

    @idempotent
    @extend_schema(tags=["gazette"], operation_id="gazettes_write", request=None, responses={201: GazetteAnswer})
    def post(self, request: Request, pk: int, number: int) -> Response:
        """Write a new edition from the current results; refused if nothing has changed. For organisers."""
        campaign = campaign_or_404(request._request, pk)
        if not policy.can_run_campaign(request.user, campaign):
            raise PermissionDenied
        closed = campaign.rounds.filter(number=number, state=RoundState.CLOSED).first()
        if closed is None:
            raise NotFound("There is no such round.")
        made = services.gazette_new_edition(round_=closed, by=player(request))
        return Response(_gazette(request, campaign, made, editions_of(campaign, number)), status=201)


def _gazette(request: Request, campaign: Campaign, row: Gazette, rows: Sequence[Gazette]) -> dict[str, object]:
    sheet = gazette_sheet(row)
    answer = GazetteAnswer(
        round=sheet.number,
        edition=sheet.edition,
        editions=[each.edition for each in rows],
        at=sheet.at.isoformat(),
        headline=sheet.headline,
        lead=sheet.lead,
        content=sheet.content,
        fixtures=sheet.fixtures,
        corrected_since=[str(change.match) for change in changes_since(row)],
        page=_page(request, campaign, sheet.number),
        pdf={paper: _pdf(request, campaign, row, paper) for paper in PaperSize.values},
    )
    return answer.model_dump(mode="json")


def _page(request: Request, campaign: Campaign, number: int) -> str:
    return request.build_absolute_uri(reverse("campaigns:gazette", args=[campaign.pk, number]))


def _pdf(request: Request, campaign: Campaign, row: Gazette, paper: str) -> str:
    url = reverse("campaigns:gazette_pdf", args=[campaign.pk, row.round.number, paper])
    return request.build_absolute_uri(f"{url}?edition={row.edition}")


urlpatterns = [
    path("campaigns/<int:pk>/gazettes/", Gazettes.as_view(), name="api-gazettes"),
    path("campaigns/<int:pk>/gazettes/<int:number>/", GazetteByRound.as_view(), name="api-gazette"),
]
