"""Routes of the API of clubs and campaigns, a list for each area."""

from campaigns import api_clubs, api_gazette, api_results

urlpatterns = [*api_clubs.urls, *api_results.urls, *api_gazette.urls]
