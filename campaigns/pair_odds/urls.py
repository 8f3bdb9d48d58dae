"""Routes of the odds of pairs."""

from django.urls import URLPattern, path

from . import views

urlpatterns: list[URLPattern] = [
    path("campaigns/<int:pk>/rounds/<int:number>/odds/", views.odds, name="round_odds"),
]
