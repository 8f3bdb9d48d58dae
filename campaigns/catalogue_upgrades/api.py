"""The API of a campaign's catalogue version."""

from __future__ import annotations

from datetime import date, datetime

import pydantic
from django.urls import path
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from campaigns.api_helpers import campaign_for_organiser
from campaigns.catalogue_upgrades import services
from campaigns.catalogue_upgrades.selectors import AdoptionPreview, release_page
from campaigns.models import Campaign, CampaignState, CatalogueUpgrade
from rosters.api.base import Query, StrictCharField, StrictIntegerField, StrictSerializer, asked, player, valid
from rosters.api.headers import idempotent
from rosters.releases.api import ReleaseAnswer, UnitReleaseAnswer, release_answer, units_answer


class CompanyUpgradeAnswer(pydantic.BaseModel):
    """A company of the campaign and what changes for it. `stays`: why it can't change; empty if it can."""

    name: str
    owner: str
    points_before: int
    points_after: int
    units: list[UnitReleaseAnswer]
    problems: list[str]
    stays: str


class AdoptionPreviewAnswer(pydantic.BaseModel):
    """What a change to a catalogue version would do; send `token` to make the change as previewed."""

    release: str
    releases: list[ReleaseAnswer]
    companies: list[CompanyUpgradeAnswer]
    rules_lost: list[str]
    token: str


class AdoptionAnswer(pydantic.BaseModel):
    """A change of catalogue version, planned or made. `waits`: why it was due and couldn't be made."""

    before: str
    release: str
    state: str
    from_round: int | None
    from_day: date | None
    asked_at: datetime
    adopted_at: datetime | None
    ended_at: datetime | None
    waits: str


class CampaignReleaseAnswer(pydantic.BaseModel):
    """A campaign's catalogue version, those that it can change to, and a preview of one of them."""

    release: str
    choices: list[str]
    open_rounds: list[int]
    preview: AdoptionPreviewAnswer | None
    adoptions: list[AdoptionAnswer]


class PreviewQuery(Query):
    release = StrictCharField(max_length=20, required=False, help_text="version to preview; default: the newest")


class CatalogueUpgradeRequest(StrictSerializer):
    release = StrictCharField(max_length=20)
    token = StrictCharField(max_length=64, required=False, help_text="token of the preview; not for a draft")
    from_round = StrictIntegerField(
        min_value=1, max_value=services.MAX_ROUND, required=False, help_text="round before which it happens"
    )
    from_day = serializers.DateField(required=False, help_text="day on which it happens")


class CampaignRelease(APIView):
    permission_classes = (IsAuthenticated,)

    @extend_schema(
        tags=["releases"],
        operation_id="campaigns_release_retrieve",
        parameters=[PreviewQuery],
        responses={200: CampaignReleaseAnswer},
    )
    def get(self, request: Request, pk: int) -> Response:
        """Return what a newer catalogue version would change for the companies of a campaign. Organisers only."""
        campaign = campaign_for_organiser(request, pk)
        return Response(_answer(campaign, str(asked(PreviewQuery, request).get("release", ""))))

    @idempotent
    @extend_schema(
        tags=["releases"],
        operation_id="campaigns_release_adopt",
        request=CatalogueUpgradeRequest,
        responses={200: CampaignReleaseAnswer},
    )
    def post(self, request: Request, pk: int) -> Response:
        """Change the campaign and its companies to a catalogue version: at once, before a round opens, or on a day.

        A draft can change to any version at once.
        """
        campaign, by, given = (
            campaign_for_organiser(request, pk),
            player(request),
            valid(CatalogueUpgradeRequest, request),
        )
        if campaign.state == CampaignState.DRAFT:
            services.release_choose(campaign=campaign, release=given["release"], by=by)
        else:
            services.release_adopt(campaign=campaign, by=by, **{"token": "", **given})
        return Response(_answer(campaign_for_organiser(request, pk), ""))


class CampaignReleaseCancel(APIView):
    permission_classes = (IsAuthenticated,)

    @idempotent
    @extend_schema(
        tags=["releases"],
        operation_id="campaigns_release_call_off",
        request=None,
        responses={200: CampaignReleaseAnswer},
    )
    def post(self, request: Request, pk: int) -> Response:
        """Call off the planned change."""
        services.adoption_cancel(campaign=campaign_for_organiser(request, pk), by=player(request))
        return Response(_answer(campaign_for_organiser(request, pk), ""))


class CampaignReleaseUndo(APIView):
    permission_classes = (IsAuthenticated,)

    @idempotent
    @extend_schema(
        tags=["releases"], operation_id="campaigns_release_undo", request=None, responses={200: CampaignReleaseAnswer}
    )
    def post(self, request: Request, pk: int) -> Response:
        """Undo the last change, as long as no round was opened and no company did anything since."""
        services.adoption_undo(campaign=campaign_for_organiser(request, pk), by=player(request))
        return Response(_answer(campaign_for_organiser(request, pk), ""))


def _answer(campaign: Campaign, release: str) -> dict[str, object]:
    page = release_page(campaign, release)
    adoptions = ([page.planned] if page.planned else []) + list(page.past)
    answer = CampaignReleaseAnswer(
        release=page.release,
        choices=list(page.choices),
        open_rounds=list(page.open_rounds),
        preview=_preview(page.preview) if page.preview else None,
        adoptions=[_adoption(each) for each in adoptions],
    )
    return answer.model_dump(mode="json")


def _preview(preview: AdoptionPreview) -> AdoptionPreviewAnswer:
    return AdoptionPreviewAnswer(
        release=preview.release,
        releases=[release_answer(each) for each in preview.newer_versions],
        companies=[
            CompanyUpgradeAnswer(
                name=each.name,
                owner=each.owner,
                points_before=each.change.before,
                points_after=each.change.after,
                units=units_answer(each.change),
                problems=[
                    f"{problem.message} ({problem.rule})" if problem.rule else problem.message
                    for problem in each.problems
                ],
                stays=each.stays,
            )
            for each in preview.companies
        ],
        rules_lost=list(preview.rules_lost),
        token=preview.token,
    )


def _adoption(row: CatalogueUpgrade) -> AdoptionAnswer:
    return AdoptionAnswer(
        before=row.before,
        release=row.release,
        state=row.state,
        from_round=row.from_round,
        from_day=row.from_day,
        asked_at=row.asked_at,
        adopted_at=row.adopted_at,
        ended_at=row.ended_at,
        waits=row.waits,
    )


urlpatterns = [
    path("campaigns/<int:pk>/release/", CampaignRelease.as_view(), name="api-campaign-release"),
    path("campaigns/<int:pk>/release/call-off/", CampaignReleaseCancel.as_view(), name="api-campaign-release-cancel"),
    path("campaigns/<int:pk>/release/undo/", CampaignReleaseUndo.as_view(), name="api-campaign-release-undo"),
]
