"""Rounds, pairings, standings, map."""

from django.urls import URLPattern

urlpatterns: list[URLPattern] = []
