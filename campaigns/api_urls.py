"""Routes of the API for clubs, campaigns and what happens between games, a list for each area."""

from django.urls import URLPattern

from campaigns.api import army_lists, campaigns, rounds, starting
from campaigns.api import matches as friendlies
from campaigns.api import settings as phases
from campaigns.archive import api as archive
from campaigns.army_lists import api as musters
from campaigns.availability import api as dates
from campaigns.catalogue_upgrades import api as releases
from campaigns.club_display import api as wall
from campaigns.club_nights import api as evenings
from campaigns.clubs import api as clubs
from campaigns.corrections import api as corrections
from campaigns.cups import api as cups
from campaigns.gazette import api as gazette
from campaigns.guests import api as guests
from campaigns.hall_of_fame import api as fame
from campaigns.notifications import api as occasions
from campaigns.results import aftermath_api as careers
from campaigns.results import api as results
from campaigns.results import import_api as past_results
from campaigns.seasons import api as seasons
from campaigns.statistics import api as balance
from campaigns.storylines import api as arcs
from campaigns.territories import api as income
from campaigns.webhooks import api as webhooks

urlpatterns: list[URLPattern] = [
    *careers.urls,
    *archive.urls,
    *clubs.urls,
    *guests.urls,
    *fame.urls,
    *balance.rating_urls,
    *balance.statistics_urls,
    *balance.balance_urls,
    *results.urls,
    *corrections.urls,
    *corrections.adjustment_urls,
    *phases.phase_urls,
    *releases.urls,
    *campaigns.urls,
    *income.urls,
    *rounds.urls,
    *past_results.urls,
    *arcs.urls,
    *cups.urls,
    *seasons.urls,
    *army_lists.urls,
    *friendlies.friendly_urls,
    *musters.urls,
    *evenings.urls,
    *dates.urls,
    *gazette.urls,
    *friendlies.handicap_urls,
    *friendlies.watch_party_urls,
    *occasions.urls,
    *webhooks.urls,
    *wall.urls,
    *starting.urls,
]
