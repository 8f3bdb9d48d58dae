"""Routes of the pages of campaigns."""

from django.urls import path

from campaigns import views

app_name = "campaigns"

urlpatterns = [
    path("companies/<int:pk>/loan/", views.loan, name="loan"),
    path("companies/<int:pk>/pilots/<int:pilot_pk>/skill/", views.skill, name="skill"),
]
