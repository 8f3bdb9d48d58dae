"""The API of club archives: pack and download a club, restore one, list its players' places."""

from __future__ import annotations

from datetime import UTC
from typing import Any
from uuid import UUID

from django.http import FileResponse, Http404
from django.shortcuts import get_object_or_404
from django.urls import path, reverse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiResponse, extend_schema, extend_schema_field
from rest_framework import serializers, status
from rest_framework.parsers import MultiPartParser
from rest_framework.permissions import IsAuthenticated
from rest_framework.renderers import BaseRenderer, JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from campaigns.clubs.api import club_for_organiser
from campaigns.models import ClubArchive, ClubRestore
from rosters.accounts.tokens import need_proof
from rosters.api.base import ErrorsAnswer, StrictCharField, StrictSerializer, player, valid
from rosters.api.headers import idempotent
from rosters.jobs import JobStatus
from rosters.scopes import Scope

from . import selectors as reads
from . import services

NO_ARCHIVE = "none"


@extend_schema_field(OpenApiTypes.BINARY)
class Upload(serializers.FileField):
    """A file uploaded with a form."""


class ClubRestoreRequest(StrictSerializer):
    file = Upload(help_text="the downloaded ZIP of a club")
    stands_for = StrictCharField(
        max_length=150,
        required=False,
        allow_blank=True,
        help_text="your username in the archive if you were an organiser there, to get your things back; otherwise you become an additional organiser",
    )
    name = StrictCharField(
        max_length=60, required=False, allow_blank=True, help_text="new name for the club; default: its old name"
    )


class ClubArchiveAnswer(serializers.Serializer[dict[str, Any]]):
    status = serializers.CharField(help_text="none, queued, running, done or failed")
    parts_done = serializers.IntegerField()
    parts = serializers.IntegerField(help_text="0: not known yet")
    failure = serializers.CharField(allow_blank=True)
    asked_at = serializers.DateTimeField(source="waiting_since", default_timezone=UTC, allow_null=True)
    size = serializers.IntegerField(allow_null=True, help_text="bytes")
    file = serializers.CharField(allow_blank=True, help_text="its URL, once it is packed")
    kept_until = serializers.DateTimeField(
        default_timezone=UTC, allow_null=True, help_text="null: for ever, or no file"
    )


class ClubRestoreAnswer(serializers.Serializer[ClubRestore]):
    key = serializers.UUIDField()
    title = serializers.CharField(help_text="name of the club in the archive")
    status = serializers.CharField(help_text="queued, running, done or failed")
    parts_done = serializers.IntegerField()
    parts = serializers.IntegerField(help_text="0: not known yet")
    failure = serializers.CharField(allow_blank=True, help_text="why nothing was restored")
    club = serializers.CharField(
        source="club.slug", default="", allow_blank=True, help_text="slug of the restored club"
    )
    told = serializers.ListField(
        child=serializers.CharField(), help_text="differences from the archive, one sentence each"
    )


class KeptPlaceAnswer(serializers.Serializer[reads.PlaceRow]):
    id = serializers.IntegerField(source="pk")
    name = serializers.CharField()
    username = serializers.CharField(allow_blank=True, help_text="their username in the archive")
    role = serializers.CharField(allow_blank=True, help_text="empty: not a member")
    companies = serializers.IntegerField()


class KeptPlaceLinkAnswer(serializers.Serializer[None]):
    link = serializers.URLField(help_text="shown only once; anybody who opens it becomes that player")


class ZipRenderer(BaseRenderer):
    """Render the file as a ZIP, and errors as JSON."""

    media_type = "application/zip"
    format = "zip"

    def render(self, data: object, accepted_media_type: str | None = None, renderer_context: object = None) -> bytes:
        return data if isinstance(data, bytes) else JSONRenderer().render(data)


# --- packing ----------------------------------------------------------------------------------------------------------


class ClubArchiveView(APIView):
    permission_classes = (IsAuthenticated,)

    @extend_schema(responses={200: ClubArchiveAnswer}, operation_id="clubs_archive_retrieve", tags=["clubs"])
    def get(self, request: Request, slug: str) -> Response:
        """Return the progress of the backup of a club you organise, and its URL."""
        return Response(_archive_to_dict(reads.newest_archive(club_for_organiser(request, slug))))

    @idempotent
    @extend_schema(
        request=None, responses={201: ClubArchiveAnswer}, operation_id="clubs_archive_create", tags=["clubs"]
    )
    def post(self, request: Request, slug: str) -> Response:
        """Start a backup of the club, replacing the previous one. If one is running, that job continues."""
        job = services.archive_request(club=club_for_organiser(request, slug), by=player(request))
        return Response(_archive_to_dict(job), status=status.HTTP_201_CREATED)


class ClubArchiveFile(APIView):
    permission_classes = (IsAuthenticated,)
    renderer_classes = (JSONRenderer, ZipRenderer)

    @extend_schema(
        responses={
            (200, "application/zip"): OpenApiResponse(OpenApiTypes.BINARY, "The archive as a ZIP file."),
            403: OpenApiResponse(
                ErrorsAnswer, "You aren't an organiser of the club, or haven't confirmed your password."
            ),
        },
        operation_id="clubs_archive_file_retrieve",
        tags=["clubs"],
    )
    def get(self, request: Request, slug: str, key: UUID) -> FileResponse:
        """Download the archive.

        It holds data that only organisers may read. You need a token with the scope `club` or, if you are signed in on
        the site, to have just entered your password there.
        """
        club = club_for_organiser(request, slug)
        need_proof(request, Scope.CLUB)
        job = get_object_or_404(ClubArchive, key=key, club=club, status=JobStatus.DONE)
        if not job.file or not job.file.storage.exists(str(job.file.name)):
            raise Http404
        name = f"{club.slug}-{job.ended_at:%Y-%m-%d}.zip"
        return FileResponse(job.file.open("rb"), content_type=ZipRenderer.media_type, as_attachment=True, filename=name)

    def handle_exception(self, exc: Exception) -> Response:
        response = super().handle_exception(exc)
        response.content_type = JSONRenderer.media_type  # even if the client accepts only a ZIP
        return response


def _archive_to_dict(job: ClubArchive | None) -> dict[str, Any]:
    if job is None:
        none = dict.fromkeys(("asked_at", "size", "kept_until"))
        return {"status": NO_ARCHIVE, "parts_done": 0, "parts": 0, "failure": "", "file": "", **none}
    is_there = job.status == JobStatus.DONE and bool(job.file)
    file = reverse("api-club-archive-file", args=[job.club.slug, job.key]) if is_there else ""
    progress = {
        name: getattr(job, name) for name in ("status", "parts_done", "parts", "failure", "waiting_since", "size")
    }
    return dict(ClubArchiveAnswer({**progress, "file": file, "kept_until": services.archive_kept_until(job)}).data)


# --- restoring --------------------------------------------------------------------------------------------------------


class ClubRestoreView(APIView):
    permission_classes = (IsAuthenticated,)
    parser_classes = (MultiPartParser,)

    @idempotent
    @extend_schema(
        request={"multipart/form-data": ClubRestoreRequest},
        responses={201: ClubRestoreAnswer},
        operation_id="clubs_restore",
        tags=["clubs"],
    )
    def post(self, request: Request) -> Response:
        """Upload an archive, which a worker restores as a club of this site. You become an organiser of it."""
        job = services.restore_request(by=player(request), **valid(ClubRestoreRequest, request))
        return Response(ClubRestoreAnswer(job).data, status=status.HTTP_201_CREATED)


class ClubRestoreByKey(APIView):
    permission_classes = (IsAuthenticated,)

    @extend_schema(responses={200: ClubRestoreAnswer}, operation_id="clubs_restore_retrieve", tags=["clubs"])
    def get(self, request: Request, key: UUID) -> Response:
        """Return the progress and result of restoring an archive you uploaded."""
        row = get_object_or_404(ClubRestore.objects.select_related("club"), key=key, asked_by=player(request))
        return Response(ClubRestoreAnswer(row).data)


# --- places -----------------------------------------------------------------------------------------------------------


class ClubPlaces(APIView):
    permission_classes = (IsAuthenticated,)

    @extend_schema(responses={200: KeptPlaceAnswer(many=True)}, operation_id="clubs_places_list", tags=["clubs"])
    def get(self, request: Request, slug: str) -> Response:
        """List the restored players of your club who haven't signed in yet, without their links."""
        return Response([KeptPlaceAnswer(row).data for row in reads.places_of(club_for_organiser(request, slug))])


class ClubPlaceById(APIView):
    permission_classes = (IsAuthenticated,)

    @extend_schema(
        request=None, responses={200: KeptPlaceLinkAnswer}, operation_id="clubs_places_renew", tags=["clubs"]
    )
    def post(self, request: Request, slug: str, place_pk: int) -> Response:
        """Return a new link for a restored player. The previous link stops working.

        The link is shown only once and the response isn't stored, so a repeated request makes yet another link.
        """
        row = services.place_renew(club=club_for_organiser(request, slug), by=player(request), place=place_pk)
        return Response({"link": request.build_absolute_uri(reverse("campaigns:reserved_place", args=[row.key]))})


urlpatterns = [
    path("clubs/restore/", ClubRestoreView.as_view(), name="api-club-restore"),
    path("clubs/restore/<uuid:key>/", ClubRestoreByKey.as_view(), name="api-club-restore-job"),
    path("clubs/<slug:slug>/archive/", ClubArchiveView.as_view(), name="api-club-archive"),
    path("clubs/<slug:slug>/archive/<uuid:key>.zip", ClubArchiveFile.as_view(), name="api-club-archive-file"),
    path("clubs/<slug:slug>/places/", ClubPlaces.as_view(), name="api-club-places"),
    path("clubs/<slug:slug>/places/<int:place_pk>/", ClubPlaceById.as_view(), name="api-club-place"),
]
