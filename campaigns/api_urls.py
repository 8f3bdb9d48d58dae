"""Routes of the API of what happens between games."""

from django.urls import path

from campaigns import api

urlpatterns = [
    path("companies/<int:pk>/loan/", api.Loan.as_view(), name="api-loan"),
    path("companies/<int:pk>/pilots/<int:pilot_pk>/skill/", api.PilotSkill.as_view(), name="api-pilot-skill"),
]
