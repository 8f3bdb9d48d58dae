"""Routes of the API of clubs and campaigns, a list for each area."""

from django.urls import URLPattern

from campaigns import api_clubs, api_results

urlpatterns: list[URLPattern] = [*api_clubs.urls, *api_results.urls]
