"""Matches and the forces brought to them."""

from django.urls import URLPattern

urlpatterns: list[URLPattern] = []
