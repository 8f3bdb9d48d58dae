"""Route of club nights."""

from django.urls import path

from campaigns.club_nights import views

urlpatterns = [path("clubs/<slug:slug>/evening/", views.club_night, name="club_night")]
