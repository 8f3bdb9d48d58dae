"""Campaigns, mustering, standing orders."""

from django.urls import URLPattern

urlpatterns: list[URLPattern] = []
