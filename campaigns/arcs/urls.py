"""The URL of a campaign's story."""

from django.urls import URLPattern, path

from campaigns.arcs import views

urlpatterns: list[URLPattern] = [path("campaigns/<int:pk>/war/", views.arc, name="arc")]
