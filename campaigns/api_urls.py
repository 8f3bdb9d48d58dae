"""Routes of the API of clubs and campaigns and of what happens between games, a list for each area."""

from django.urls import URLPattern

from campaigns.api import campaigns, careers, forces, friendlies
from campaigns.clubs import api as clubs
from campaigns.corrections import api as corrections
from campaigns.cups import api as cups
from campaigns.evenings import api as evenings
from campaigns.gazette import api as gazette
from campaigns.handicaps import api as handicaps
from campaigns.results import api as results
from campaigns.starting import api as starting

urlpatterns: list[URLPattern] = [
    *careers.urls,
    *clubs.urls,
    *results.urls,
    *corrections.urls,
    *campaigns.urls,
    *cups.urls,
    *forces.urls,
    *friendlies.urls,
    *evenings.urls,
    *gazette.urls,
    *handicaps.urls,
    *starting.urls,
]
