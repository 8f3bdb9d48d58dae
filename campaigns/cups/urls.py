"""Route of a campaign's cup."""

from django.urls import URLPattern, path

from campaigns.cups import views

urlpatterns: list[URLPattern] = [path("campaigns/<int:pk>/cup/", views.cup, name="cup")]
