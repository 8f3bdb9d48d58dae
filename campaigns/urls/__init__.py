"""Routes of the pages of clubs and campaigns, a module for each user task."""

from django.urls import path

from campaigns.views import careers

from . import campaigns, clubs, dice, gazette, matches, results, rounds

app_name = "campaigns"

urlpatterns = [
    path("companies/<int:pk>/loan/", careers.loan, name="loan"),
    path("companies/<int:pk>/pilots/<int:pilot_pk>/skill/", careers.skill, name="skill"),
    *clubs.urlpatterns,
    *campaigns.urlpatterns,
    *rounds.urlpatterns,
    *matches.urlpatterns,
    *results.urlpatterns,
    *dice.urlpatterns,
    *gazette.urlpatterns,
]
