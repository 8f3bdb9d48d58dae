"""The API, version 1: one include per app."""

from django.urls import include, path

urlpatterns = [
    path("", include("rosters.api_urls")),
    path("", include("battles.api_urls")),
    path("", include("campaigns.api_urls")),
]
