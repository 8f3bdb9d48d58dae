"""API routes for clubs, campaigns and everything between games. Each package has its own routes and one line here."""

from django.urls import include, path

urlpatterns = [
    path("", include("campaigns.results.entry_api")),
    path("", include("campaigns.archive.api")),
    path("", include("campaigns.clubs.api")),
    path("", include("campaigns.guests.api")),
    path("", include("campaigns.hall_of_fame.api")),
    path("", include("campaigns.statistics.api")),
    path("", include("campaigns.results.api")),
    path("", include("campaigns.corrections.api")),
    path("", include("campaigns.campaign.settings_api")),
    path("", include("campaigns.catalogue_upgrades.api")),
    path("", include("campaigns.campaign.api")),
    path("", include("campaigns.territories.api")),
    path("", include("campaigns.rounds.api")),
    path("", include("campaigns.storylines.api")),
    path("", include("campaigns.cups.api")),
    path("", include("campaigns.seasons.api")),
    path("", include("campaigns.matches.api")),
    path("", include("campaigns.army_lists.api")),
    path("", include("campaigns.club_nights.api")),
    path("", include("campaigns.availability.api")),
    path("", include("campaigns.gazette.api")),
    path("", include("campaigns.notifications.api")),
    path("", include("campaigns.webhooks.api")),
    path("", include("campaigns.club_display.api")),
    path("", include("campaigns.starting.api")),
]
