"""API of prints: request one (from an order or a company), follow its progress, and download it."""

from __future__ import annotations

import uuid
from functools import partial
from typing import Any

from django.http import FileResponse, Http404
from django.urls import reverse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiResponse, PolymorphicProxySerializer, extend_schema
from rest_framework import serializers, status
from rest_framework.permissions import AllowAny, IsAuthenticated
from rest_framework.renderers import BaseRenderer, JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from rosters import selectors
from rosters.api.base import LINK_KEY, PAGING, ErrorsAnswer, Pages, Query, asked, body, paged, player
from rosters.api.errors import DocumentParser
from rosters.api.headers import idempotent
from rosters.jobs import JobStatus
from rosters.models import PrintJob
from rosters.printing import selectors as reads
from rosters.printing.orders import MAX_BYTES, MAX_VALUES, CompanyChoice, PrintOrder
from rosters.printing.selectors import made_print
from rosters.printing.services import print_ask
from rosters.shortcuts import visible_company, visible_print
from rosters.site.retention import ExplainedNotFoundError, print_gone, print_kept_until
from systems.documents import DocumentError, parse_document

described = partial(extend_schema, tags=["prints"])


class CompanyPrintDocument(CompanyChoice):
    """A company, and the choices for printing it."""

    company: int


DOCUMENTS: list[Any] = [PrintOrder, CompanyPrintDocument]  # the schema generator accepts these like serializers


class PrintAnswer(serializers.Serializer[PrintJob]):
    key = serializers.UUIDField()
    title = serializers.CharField()
    status = serializers.CharField(help_text=", ".join(JobStatus.values))
    parts_done = serializers.IntegerField()
    parts = serializers.IntegerField(help_text="0 if not known yet")
    pages = serializers.IntegerField(allow_null=True)
    warning = serializers.CharField(allow_blank=True)
    failure = serializers.CharField(allow_blank=True)
    asked_at = serializers.DateTimeField()
    kept_until = serializers.DateTimeField(
        allow_null=True, help_text="when the PDF expires; null if there is none or it never expires"
    )


class PdfRenderer(BaseRenderer):
    """A renderer for PDF files, which returns the bytes unchanged."""

    media_type = "application/pdf"
    format = "pdf"

    def render(self, data: object, accepted_media_type: str | None = None, renderer_context: object = None) -> bytes:
        return data if isinstance(data, bytes) else JSONRenderer().render(data)


class OrderParser(DocumentParser):
    """A parser for print orders, which may be larger than other documents."""

    most, most_values = MAX_BYTES, MAX_VALUES


class Prints(APIView):
    permission_classes = (IsAuthenticated,)
    pagination_class = Pages
    parser_classes = (OrderParser,)

    @described(responses=PrintAnswer(many=True), operation_id="prints_list")
    def get(self, request: Request) -> Response:
        """List your own prints, newest first."""
        asked(Query, request, beside=PAGING)
        return paged(request, PrintJob.objects.filter(asked_by=player(request)), print_json, "-pk")

    @idempotent
    @described(
        request=PolymorphicProxySerializer(
            component_name="PrintAsked", serializers=DOCUMENTS, resource_type_field_name=None
        ),
        responses={201: PrintAnswer},
        operation_id="prints_create",
    )
    def post(self, request: Request) -> Response:
        """Queue a print, from a complete order, or from a company and choices for printing it."""
        data = body(request)
        job = _of_company(request, data) if "company" in data else print_ask(order=data, actor=player(request))
        return Response(print_json(job), status=status.HTTP_201_CREATED)


class PrintDetail(APIView):
    permission_classes = (AllowAny,)

    @described(responses={200: PrintAnswer}, operation_id="prints_retrieve", parameters=[LINK_KEY])
    def get(self, request: Request, key: uuid.UUID) -> Response:
        """Return the progress of a print."""
        return Response(print_json(visible_print(request, key)))


class PrintFile(APIView):
    permission_classes = (AllowAny,)
    renderer_classes = (JSONRenderer, PdfRenderer)

    @described(
        responses={
            (200, "application/pdf"): OpenApiResponse(OpenApiTypes.BINARY, "The PDF."),
            410: OpenApiResponse(ErrorsAnswer, "The PDF has expired."),
        },
        operation_id="prints_file_retrieve",
        parameters=[LINK_KEY],
    )
    def get(self, request: Request, key: uuid.UUID) -> FileResponse:
        """Return the PDF of a finished print; 410 if it is no longer kept."""
        row = visible_print(request, key)
        if row.status == JobStatus.DONE and not row.file:
            raise ExplainedNotFoundError(print_gone(), status=status.HTTP_410_GONE)
        if row.status != JobStatus.DONE or not row.file.storage.exists(str(row.file.name)):
            raise Http404
        return FileResponse(row.file.open("rb"), content_type="application/pdf", filename=f"{key}.pdf")

    def handle_exception(self, exc: Exception) -> Response:
        response = super().handle_exception(exc)
        response.content_type = JSONRenderer.media_type  # also for clients that accept only PDF
        return response


def print_json(job: PrintJob) -> dict[str, object]:
    return {
        "key": str(job.key),
        "title": job.title,
        "status": job.status,
        "parts_done": job.parts_done,
        "parts": job.parts,
        "pages": job.pages,
        "warning": job.warning,
        "failure": job.failure,
        "asked_at": job.queued_at,
        "kept_until": print_kept_until(job),
    }


def _of_company(request: Request, data: dict[str, object]) -> PrintJob:
    asked = parse_document(CompanyPrintDocument, data)
    row = visible_company(request, asked.company)
    sheet = selectors.company_sheet(row)
    choice = CompanyChoice.model_validate(asked.model_dump(exclude={"company"}))
    ready = {unit.id for unit in sheet.units}
    for at, pk in enumerate(choice.units or ()):
        if pk not in ready:
            raise DocumentError(f"units[{at}]", f"{row.name} has no ready unit {pk}")
    if choice.only == "changed":
        choice = reads.only_changed(choice, reads.changes_of(sheet, choice, request.user))
        if not choice.units and not choice.pilots:
            raise DocumentError("only", "nothing has changed since your last print")
    made = made_print(request, row, sheet, choice, list(reads.rolled_support(row, request.user)))
    return print_ask(
        order=made.order,
        company=row,
        actor=player(request),
        choice=choice.model_dump(mode="json"),
        form_path=reverse("rosters:print-company", args=[row.pk]),
        subjects=made.subjects,
    )
