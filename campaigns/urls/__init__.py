"""Routes of the pages of clubs and campaigns, a module for each user task."""

from django.urls import path

from campaigns.adjustments import urls as adjustments
from campaigns.archive import urls as archive
from campaigns.arcs import urls as arcs
from campaigns.balance import urls as balance
from campaigns.careers import views as careers
from campaigns.cups import urls as cups
from campaigns.dates import urls as dates
from campaigns.fame import urls as fame
from campaigns.guests import urls as guests
from campaigns.insights import urls as insights
from campaigns.live import urls as live
from campaigns.pair_odds import urls as pair_odds
from campaigns.phases import urls as phases
from campaigns.ratings import urls as ratings
from campaigns.releases import urls as releases
from campaigns.seasons import urls as seasons
from campaigns.tonight import urls as tonight
from campaigns.wall import urls as wall
from campaigns.webhooks import urls as webhooks

from . import campaigns, clubs, dice, gazette, matches, occasions, results, rounds

app_name = "campaigns"

urlpatterns = [
    path("companies/<int:pk>/loan/", careers.take_loan_view, name="loan"),
    path("companies/<int:pk>/pilots/<int:pilot_pk>/skill/", careers.skill, name="skill"),
    *archive.urlpatterns,
    *clubs.club_patterns,
    *guests.urlpatterns,
    *fame.urlpatterns,
    *ratings.rating_patterns,
    *insights.statistics_patterns,
    *balance.balance_patterns,
    *campaigns.campaign_patterns,
    *rounds.round_patterns,
    *pair_odds.pairing_odds_patterns,
    *arcs.urlpatterns,
    *cups.urlpatterns,
    *seasons.urlpatterns,
    *matches.match_patterns,
    *dates.urlpatterns,
    *live.live_table_patterns,
    *results.result_patterns,
    *dice.dice_patterns,
    *gazette.gazette_patterns,
    *adjustments.urlpatterns,
    *occasions.notification_patterns,
    *webhooks.urlpatterns,
    *wall.urlpatterns,
    *phases.phase_patterns,
    *releases.urlpatterns,
    *tonight.offline_pack_patterns,
]
