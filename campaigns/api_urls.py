"""Routes of the API of clubs and campaigns and of what happens between games, a list for each area."""

from django.urls import URLPattern

from campaigns.api import campaigns, careers, forces, friendlies
from campaigns.clubs import api as clubs
from campaigns.corrections import api as corrections
from campaigns.gazette import api as gazette
from campaigns.occasions import api as occasions
from campaigns.results import api as results
from campaigns.starting import api as starting
from campaigns.wall import api as wall
from campaigns.webhooks import api as webhooks

urlpatterns: list[URLPattern] = [
    *careers.urls,
    *clubs.urls,
    *results.urls,
    *corrections.urls,
    *campaigns.urls,
    *forces.urls,
    *friendlies.urls,
    *gazette.urls,
    *occasions.urls,
    *webhooks.urls,
    *wall.urls,
    *starting.urls,
]
