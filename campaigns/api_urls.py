"""Routes of the API of clubs and campaigns and of what happens between games, a list for each area."""

from django.urls import URLPattern

from campaigns.api import campaigns, careers, clubs, corrections, forces, friendlies, gazette, results

urlpatterns: list[URLPattern] = [
    *careers.urls,
    *clubs.urls,
    *results.urls,
    *corrections.urls,
    *campaigns.urls,
    *forces.urls,
    *friendlies.urls,
    *gazette.urls,
]
