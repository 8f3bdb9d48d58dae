"""Routes of the API of clubs and campaigns, a list for each area."""

from campaigns import api_clubs

urlpatterns = [*api_clubs.urls]
