"""The API, version 1: one include per app."""

from django.urls import include, path

from config.api_docs import Index

urlpatterns = [
    path("", Index.as_view(), name="api-index"),
    path("", include("rosters.api_urls")),
    path("", include("battles.api_urls")),
    path("", include("campaigns.api_urls")),
]
