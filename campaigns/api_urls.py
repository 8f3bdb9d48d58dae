"""Routes of the API of clubs and campaigns and of what happens between games, a list for each area."""

from django.urls import URLPattern

from campaigns.adjustments import api as adjustments
from campaigns.api import campaigns, careers, forces, friendlies, rounds
from campaigns.clubs import api as clubs
from campaigns.corrections import api as corrections
from campaigns.gazette import api as gazette
from campaigns.phases import api as phases
from campaigns.results import api as results
from campaigns.results import import_api as past_results
from campaigns.starting import api as starting

urlpatterns: list[URLPattern] = [
    *careers.urls,
    *clubs.urls,
    *results.urls,
    *corrections.urls,
    *adjustments.urls,
    *phases.urls,
    *campaigns.urls,
    *rounds.urls,
    *past_results.urls,
    *forces.urls,
    *friendlies.urls,
    *gazette.urls,
    *starting.urls,
]
