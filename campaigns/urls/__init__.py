"""Routes of the pages of clubs and campaigns, a module for each user task."""

from django.urls import path

from campaigns.adjustments import urls as adjustments
from campaigns.clubs import urls as clubs
from campaigns.gazette import urls as gazette
from campaigns.matches import urls as matches
from campaigns.phases import urls as phases
from campaigns.results import urls as results
from campaigns.views import careers

from . import campaigns, dice, rounds

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
    *adjustments.urlpatterns,
    *phases.urlpatterns,
]
