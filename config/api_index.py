"""The front page of the API: its addresses, and the account of the request."""

from __future__ import annotations

from django.urls import reverse
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

COLLECTIONS = {
    "battles": "api-battles",
    "calendar": "api-calendar",
    "calendar_evenings": "api-availability",
    "campaigns": "api-campaigns",
    "clubs": "api-clubs",
    "companies": "api-companies",
    "company_names": "api-company-names",
    "designs": "api-designs",
    "designs_published": "api-designs-published",
    "forces_saved": "api-saved-forces",
    "inbox": "api-inbox",
    "inbox_wishes": "api-wishes",
    "prints": "api-prints",
    "scenarios": "api-scenarios",
    "scenarios_published": "api-scenarios-published",
}


class YouOut(serializers.Serializer[None]):
    id = serializers.IntegerField()
    username = serializers.CharField()
    name = serializers.CharField(help_text="as others see it")


class IndexOut(serializers.Serializer[None]):
    version = serializers.CharField()
    schema = serializers.URLField(help_text="the API's description, OpenAPI")
    docs = serializers.URLField(help_text="the same to read")
    you = YouOut(allow_null=True, help_text="null: nobody who is signed in")
    collections = serializers.DictField(child=serializers.URLField())


class Index(APIView):
    permission_classes = (AllowAny,)

    @extend_schema(responses=IndexOut, operation_id="index", tags=["index"])
    def get(self, request: Request) -> Response:
        """Return the addresses of the API, and the account that the server sees you as."""
        user = request.user
        return Response(
            {
                "version": "1",
                "schema": request.build_absolute_uri(reverse("schema")),
                "docs": request.build_absolute_uri(reverse("api-docs")),
                "you": {"id": user.pk, "username": user.get_username(), "name": str(user)}
                if user.is_authenticated
                else None,
                "collections": {
                    name: request.build_absolute_uri(reverse(route)) for name, route in COLLECTIONS.items()
                },
            }
        )
