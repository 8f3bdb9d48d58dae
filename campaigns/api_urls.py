"""Routes of the API of clubs and campaigns and of what happens between games, a list for each area."""

from django.urls import URLPattern, path

from campaigns import api, api_clubs, api_gazette, api_past, api_results

urlpatterns: list[URLPattern] = [
    path("companies/<int:pk>/loan/", api.Loan.as_view(), name="api-loan"),
    path("companies/<int:pk>/pilots/<int:pilot_pk>/skill/", api.PilotSkill.as_view(), name="api-pilot-skill"),
    *api_clubs.urls,
    *api_results.urls,
    *api_past.urls,
    *api_gazette.urls,
]
