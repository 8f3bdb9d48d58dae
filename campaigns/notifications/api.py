"""The API of the notifications. It uses the same services as the pages."""

from __future__ import annotations

from datetime import UTC

from django.http import Http404
from django.urls import path
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from campaigns.models import Channel, Notification, NotificationPreferences
from campaigns.notifications import selectors as reads
from campaigns.notifications import services
from campaigns.notifications.event_classes import CATEGORY_BY_SLUG
from rosters.api.base import (
    PAGING,
    Pages,
    Query,
    QueryBooleanField,
    StrictBooleanField,
    StrictIntegerField,
    StrictSerializer,
    asked,
    paged,
    player,
    valid,
)
from rosters.api.headers import idempotent, if_match, tagged


class InboxQuery(Query):
    unread = QueryBooleanField("only what is unread")


class NotificationAnswer(serializers.Serializer[reads.NotificationRow]):
    id = serializers.IntegerField()
    occasion = serializers.CharField(help_text="an event type from the list of notification types")
    category = serializers.CharField()
    title = serializers.CharField()
    text = serializers.CharField(help_text="a sentence, with times in your time zone")
    url = serializers.CharField(allow_blank=True, help_text="the page it links to; empty if it is gone")
    where = serializers.CharField(allow_blank=True, help_text="campaign or club")
    at = serializers.DateTimeField(default_timezone=UTC)
    is_read = serializers.BooleanField()


class NotificationChangeRequest(StrictSerializer):
    is_read = StrictBooleanField()


class NotificationsReadRequest(StrictSerializer):
    up_to = StrictIntegerField(
        required=False, help_text="the newest notification you have seen; leave out to mark all as read"
    )


class NotificationsReadAnswer(serializers.Serializer[None]):
    read = serializers.IntegerField(help_text="how many notifications were marked")


class Inbox(APIView):
    permission_classes = (IsAuthenticated,)
    pagination_class = Pages

    @extend_schema(
        responses=NotificationAnswer(many=True), operation_id="inbox_list", tags=["inbox"], parameters=[InboxQuery]
    )
    def get(self, request: Request) -> Response:
        """Return your notifications, newest first."""
        rows = reads.notifications_of(player(request))
        if asked(InboxQuery, request, beside=PAGING).get("unread"):
            rows = rows.filter(read_at=None)
        return paged(request, rows, lambda row: NotificationAnswer(reads.describe_notification(row)).data, "-pk")


class InboxNotification(APIView):
    permission_classes = (IsAuthenticated,)

    @tagged
    @extend_schema(responses={200: NotificationAnswer}, operation_id="inbox_retrieve", tags=["inbox"])
    def get(self, request: Request, pk: int) -> Response:
        """Return one notification; reading it here doesn't mark it as read."""
        return Response(NotificationAnswer(reads.describe_notification(_notification(request, pk))).data)

    @if_match(lambda pk: Notification.objects.filter(pk=pk))
    @extend_schema(
        request=NotificationChangeRequest,
        responses={200: NotificationAnswer},
        operation_id="inbox_update",
        tags=["inbox"],
    )
    def patch(self, request: Request, pk: int) -> Response:
        """Mark a notification as read or unread."""
        row = _notification(request, pk)
        services.mark_notification(notification=row, is_read=valid(NotificationChangeRequest, request)["is_read"])
        row.refresh_from_db(fields=["read_at"])
        return Response(NotificationAnswer(reads.describe_notification(row)).data)


class InboxRead(APIView):
    permission_classes = (IsAuthenticated,)

    @idempotent
    @extend_schema(
        request=NotificationsReadRequest,
        responses={200: NotificationsReadAnswer},
        operation_id="inbox_mark_read",
        tags=["inbox"],
    )
    def post(self, request: Request) -> Response:
        """Mark your notifications as read."""
        number = services.mark_notifications_read(
            player=player(request), up_to=valid(NotificationsReadRequest, request).get("up_to")
        )
        return Response({"read": number})


class NotificationPreferencesRequest(StrictSerializer):
    ways = serializers.DictField(
        source="channels",
        child=serializers.ChoiceField(choices=Channel.choices),
        required=False,
        help_text="by category: inbox only, email at once, or in the digest",
    )
    pushes = serializers.ListField(
        child=serializers.ChoiceField(choices=sorted(CATEGORY_BY_SLUG)),
        required=False,
        help_text="categories shown on your devices; add a device in its own browser",
    )
    rhythm = serializers.ChoiceField(
        choices=NotificationPreferences.DigestFrequency.choices, required=False, source="digest_frequency"
    )
    hour = StrictIntegerField(
        required=False, min_value=0, max_value=23, help_text="hour when the digest is sent, in your time zone"
    )
    weekday = StrictIntegerField(
        required=False, min_value=0, max_value=6, help_text="day of the weekly digest; 0 is Monday"
    )
    remind_hours = serializers.ChoiceField(
        choices=services.REMINDER_HOURS, required=False, help_text="hours before a deadline; 0: never"
    )

    def validate_ways(self, ways: dict[str, str]) -> dict[str, str]:
        if unknown := sorted(set(ways) - set(CATEGORY_BY_SLUG)):
            raise serializers.ValidationError({name[:40]: ["Unknown category."] for name in unknown[:10]})
        return ways


class NotificationPreferencesAnswer(serializers.Serializer[dict[str, object]]):
    ways = serializers.DictField(child=serializers.ChoiceField(choices=Channel.choices), help_text="of every category")
    pushes = serializers.ListField(child=serializers.CharField(), help_text="categories shown on your devices")
    rhythm = serializers.ChoiceField(choices=NotificationPreferences.DigestFrequency.choices)
    hour = serializers.IntegerField()
    weekday = serializers.IntegerField()
    remind_hours = serializers.IntegerField()
    next_digest_at = serializers.DateTimeField(default_timezone=UTC, allow_null=True)


class NotificationPreferencesView(APIView):
    permission_classes = (IsAuthenticated,)

    @tagged
    @extend_schema(
        responses={200: NotificationPreferencesAnswer}, operation_id="notification_settings_retrieve", tags=["inbox"]
    )
    def get(self, request: Request) -> Response:
        """Return your notification settings."""
        return Response(
            _preferences_to_dict(
                NotificationPreferences.objects.filter(player=player(request)).first() or NotificationPreferences()
            )
        )

    @if_match(lambda: NotificationPreferences.objects.none())
    @extend_schema(
        request=NotificationPreferencesRequest,
        responses={200: NotificationPreferencesAnswer},
        operation_id="notification_settings_update",
        tags=["inbox"],
    )
    def patch(self, request: Request) -> Response:
        """Change your notification settings. Emails go to your confirmed address."""
        return Response(
            _preferences_to_dict(
                services.preferences_set(player=player(request), **valid(NotificationPreferencesRequest, request))
            )
        )


def _preferences_to_dict(row: NotificationPreferences) -> dict[str, object]:
    answer = {
        "ways": {slug: row.channel_of(slug) for slug in CATEGORY_BY_SLUG},
        "pushes": row.pushes,
        "rhythm": row.digest_frequency,
        "hour": row.hour,
        "weekday": row.weekday,
        "remind_hours": row.remind_hours,
        "next_digest_at": row.next_digest_at,
    }
    return NotificationPreferencesAnswer(answer).data


def _notification(request: Request, pk: int) -> Notification:
    row = reads.notifications_of(player(request)).filter(pk=pk).first()
    if row is None:
        raise Http404
    return row


urlpatterns = [
    path("inbox/", Inbox.as_view(), name="api-inbox"),
    path("inbox/read/", InboxRead.as_view(), name="api-inbox-mark-read"),
    path("inbox/wishes/", NotificationPreferencesView.as_view(), name="api-notification-preferences"),
    path("inbox/<int:pk>/", InboxNotification.as_view(), name="api-notification"),
]
