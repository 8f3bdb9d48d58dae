"""Routes of the API of clubs and campaigns and of what happens between games, a list for each area."""

from django.urls import URLPattern

from campaigns.api import campaigns, careers, forces, friendlies
from campaigns.clubs import api as clubs
from campaigns.corrections import api as corrections
from campaigns.fame import api as fame
from campaigns.gazette import api as gazette
from campaigns.insights import api as insights
from campaigns.ratings import api as ratings
from campaigns.results import api as results
from campaigns.starting import api as starting

urlpatterns: list[URLPattern] = [
    *careers.urls,
    *clubs.urls,
    *fame.urls,
    *ratings.urls,
    *insights.urls,
    *results.urls,
    *corrections.urls,
    *campaigns.urls,
    *forces.urls,
    *friendlies.urls,
    *gazette.urls,
    *starting.urls,
]
