"""Routes of the API for clubs, campaigns and what happens between games, a list for each area."""

from django.urls import URLPattern

from campaigns.adjustments import api as adjustments
from campaigns.api import campaigns, forces, rounds, starting
from campaigns.archive import api as archive
from campaigns.arcs import api as arcs
from campaigns.balance import api as balance
from campaigns.careers import api as careers
from campaigns.clubs import api as clubs
from campaigns.corrections import api as corrections
from campaigns.cups import api as cups
from campaigns.dates import api as dates
from campaigns.evenings import api as evenings
from campaigns.fame import api as fame
from campaigns.friendlies import api as friendlies
from campaigns.gazette import api as gazette
from campaigns.guests import api as guests
from campaigns.handicaps import api as handicaps
from campaigns.income import api as income
from campaigns.insights import api as insights
from campaigns.musters import api as musters
from campaigns.occasions import api as occasions
from campaigns.phases import api as phases
from campaigns.premieres import api as premieres
from campaigns.ratings import api as ratings
from campaigns.releases import api as releases
from campaigns.results import api as results
from campaigns.results import import_api as past_results
from campaigns.seasons import api as seasons
from campaigns.wall import api as wall
from campaigns.webhooks import api as webhooks

urlpatterns: list[URLPattern] = [
    *careers.urls,
    *archive.urls,
    *clubs.urls,
    *guests.urls,
    *fame.urls,
    *ratings.rating_urls,
    *insights.statistics_urls,
    *balance.balance_urls,
    *results.urls,
    *corrections.urls,
    *adjustments.adjustment_urls,
    *phases.phase_urls,
    *releases.urls,
    *campaigns.urls,
    *income.urls,
    *rounds.urls,
    *past_results.urls,
    *arcs.urls,
    *cups.urls,
    *seasons.urls,
    *forces.urls,
    *friendlies.friendly_urls,
    *musters.urls,
    *evenings.urls,
    *dates.urls,
    *gazette.urls,
    *handicaps.handicap_urls,
    *premieres.watch_party_urls,
    *occasions.urls,
    *webhooks.urls,
    *wall.urls,
    *starting.urls,
]
