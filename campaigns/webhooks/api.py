"""The API for a club's webhooks. It uses the same services as the pages."""

from __future__ import annotations

from datetime import UTC
from uuid import UUID

from django.http import Http404
from django.urls import path
from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from campaigns.clubs.api import club_for_organiser
from campaigns.models import Webhook, WebhookDelivery
from campaigns.notifications.event_types import WEBHOOK_EVENTS
from rosters.api.base import StrictBooleanField, StrictCharField, StrictSerializer, player, valid
from rosters.api.headers import idempotent, if_match, tagged

from . import selectors as reads
from . import services


class WebhookChangeRequest(StrictSerializer):
    url = StrictCharField(max_length=500, required=False)
    occasions = serializers.ListField(
        child=serializers.ChoiceField(choices=WEBHOOK_EVENTS),
        required=False,
        help_text="event types, from the list of notification types",
    )
    is_on = StrictBooleanField(required=False, source="enabled")


class WebhookRequest(StrictSerializer):
    kind = serializers.ChoiceField(choices=Webhook.Kind.choices)
    url = StrictCharField(max_length=500)
    occasions = serializers.ListField(child=serializers.ChoiceField(choices=WEBHOOK_EVENTS))


class WebhookAnswer(serializers.Serializer[Webhook]):
    key = serializers.UUIDField()
    kind = serializers.CharField()
    host = serializers.CharField(help_text="host of the address; the address itself isn't shown again")
    occasions = serializers.ListField(child=serializers.CharField())
    is_on = serializers.BooleanField(source="enabled")
    off_because = serializers.CharField(source="disabled_reason", allow_blank=True)
    failing_since = serializers.DateTimeField(default_timezone=UTC, allow_null=True)


class WebhookSecretAnswer(serializers.Serializer[None]):
    secret = serializers.CharField(help_text="shown only once")


class WebhookResponseAnswer(serializers.Serializer[reads.ResponseRow]):
    at = serializers.DateTimeField(default_timezone=UTC, allow_null=True)
    status = serializers.IntegerField(allow_null=True, help_text="null: no response")
    said = serializers.CharField(source="text", allow_blank=True)
    ms = serializers.IntegerField()


class WebhookDeliveryAnswer(serializers.Serializer[reads.DeliveryRow]):
    key = serializers.UUIDField()
    occasion = serializers.CharField()
    at = serializers.DateTimeField(default_timezone=UTC)
    state = serializers.CharField()
    reason = serializers.CharField(allow_blank=True)
    again_at = serializers.DateTimeField(default_timezone=UTC, allow_null=True)
    body = serializers.CharField()
    answers = WebhookResponseAnswer(many=True)


class Webhooks(APIView):
    permission_classes = (IsAuthenticated,)

    @extend_schema(responses={200: WebhookAnswer(many=True)}, operation_id="webhooks_list", tags=["webhooks"])
    def get(self, request: Request, slug: str) -> Response:
        """Return the webhooks of a club you organise."""
        return Response([WebhookAnswer(row).data for row in reads.webhooks_of(club_for_organiser(request, slug))])

    @idempotent
    @extend_schema(
        request=WebhookRequest, responses={201: WebhookAnswer}, operation_id="webhooks_create", tags=["webhooks"]
    )
    def post(self, request: Request, slug: str) -> Response:
        """Create a webhook. Get its signing secret from `secret/`."""
        club = club_for_organiser(request, slug)
        row, _ = services.webhook_create(club=club, by=player(request), **valid(WebhookRequest, request))
        return Response(WebhookAnswer(row).data, status=status.HTTP_201_CREATED)


class WebhookByKey(APIView):
    permission_classes = (IsAuthenticated,)

    @tagged
    @extend_schema(responses={200: WebhookAnswer}, operation_id="webhooks_retrieve", tags=["webhooks"])
    def get(self, request: Request, slug: str, webhook: UUID) -> Response:
        """Return a webhook of a club you organise."""
        return Response(WebhookAnswer(_webhook(request, slug, webhook)).data)

    @if_match(lambda slug, webhook: Webhook.objects.filter(key=webhook, club__slug=slug))
    @extend_schema(
        request=WebhookChangeRequest, responses={200: WebhookAnswer}, operation_id="webhooks_update", tags=["webhooks"]
    )
    def patch(self, request: Request, slug: str, webhook: UUID) -> Response:
        """Change the address or the events, or switch it on or off."""
        row = _webhook(request, slug, webhook)
        changed = services.webhook_change(webhook=row, by=player(request), **valid(WebhookChangeRequest, request))
        return Response(WebhookAnswer(changed).data)

    @extend_schema(responses={204: None}, operation_id="webhooks_delete", tags=["webhooks"])
    def delete(self, request: Request, slug: str, webhook: UUID) -> Response:
        """Delete a webhook and its log."""
        services.webhook_delete(webhook=_webhook(request, slug, webhook), by=player(request))
        return Response(status=status.HTTP_204_NO_CONTENT)


class WebhookSecret(APIView):
    permission_classes = (IsAuthenticated,)

    @extend_schema(
        request=None, responses={200: WebhookSecretAnswer}, operation_id="webhooks_secret_replace", tags=["webhooks"]
    )
    def post(self, request: Request, slug: str, webhook: UUID) -> Response:
        """Replace the secret and return it, only this once. Every call replaces it again; the response isn't stored."""
        row = _webhook(request, slug, webhook)
        return Response({"secret": services.webhook_secret_new(webhook=row, by=player(request))})


class WebhookTest(APIView):
    permission_classes = (IsAuthenticated,)

    @idempotent
    @extend_schema(
        request=None, responses={201: WebhookDeliveryAnswer}, operation_id="webhooks_test", tags=["webhooks"]
    )
    def post(self, request: Request, slug: str, webhook: UUID) -> Response:
        """Send a test; the log shows the response."""
        made = services.webhook_test(webhook=_webhook(request, slug, webhook), by=player(request))
        return Response(WebhookDeliveryAnswer(reads.delivery_row(made)).data, status=status.HTTP_201_CREATED)


class Deliveries(APIView):
    permission_classes = (IsAuthenticated,)

    @extend_schema(responses={200: WebhookDeliveryAnswer(many=True)}, operation_id="deliveries_list", tags=["webhooks"])
    def get(self, request: Request, slug: str, webhook: UUID) -> Response:
        """Return the log of a webhook: its latest deliveries with every response, newest first."""
        rows = reads.deliveries_of(_webhook(request, slug, webhook))
        return Response([WebhookDeliveryAnswer(row).data for row in rows])


class DeliveryRepeatView(APIView):
    permission_classes = (IsAuthenticated,)

    @idempotent
    @extend_schema(
        request=None, responses={201: WebhookDeliveryAnswer}, operation_id="deliveries_resend", tags=["webhooks"]
    )
    def post(self, request: Request, slug: str, webhook: UUID, delivery: UUID) -> Response:
        """Send the same delivery again."""
        row = _webhook(request, slug, webhook)
        found = (
            WebhookDelivery.objects.select_related("webhook__club", "news").filter(webhook=row, key=delivery).first()
        )
        if found is None:
            raise Http404
        made = services.delivery_repeat(delivery=found, by=player(request))
        return Response(WebhookDeliveryAnswer(reads.delivery_row(made)).data, status=status.HTTP_201_CREATED)


def _webhook(request: Request, slug: str, key: UUID) -> Webhook:
    row = reads.webhook_of(club_for_organiser(request, slug), key)
    if row is None:
        raise Http404
    return row


OF_ONE = "clubs/<slug:slug>/webhooks/<uuid:webhook>/"
urlpatterns = [
    path("clubs/<slug:slug>/webhooks/", Webhooks.as_view(), name="api-webhooks"),
    path(OF_ONE, WebhookByKey.as_view(), name="api-webhook"),
    path(f"{OF_ONE}secret/", WebhookSecret.as_view(), name="api-webhook-secret"),
    path(f"{OF_ONE}test/", WebhookTest.as_view(), name="api-webhook-test"),
    path(f"{OF_ONE}sendings/", Deliveries.as_view(), name="api-deliveries"),
    path(f"{OF_ONE}sendings/<uuid:delivery>/again/", DeliveryRepeatView.as_view(), name="api-delivery-retry"),
]
