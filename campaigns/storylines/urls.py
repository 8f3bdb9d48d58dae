"""Route of a campaign's story."""

from django.urls import URLPattern, path

from campaigns.storylines import views

urlpatterns: list[URLPattern] = [path("campaigns/<int:pk>/war/", views.storyline, name="storyline")]
