"""Campaigns, mustering, autoplay orders."""

from django.urls import URLPattern, path

from campaigns.starting import views as starting
from campaigns.views import campaigns as views
from campaigns.views import forces, friendlies

campaign_patterns: list[URLPattern] = [
    path("clubs/<slug:slug>/campaigns/new/", views.campaign_new, name="campaign_new"),
    path("campaigns/<int:pk>/", views.campaign, name="campaign"),
    path("campaigns/<int:pk>/settings/", views.campaign_settings, name="campaign_settings"),
    path("campaigns/<int:pk>/move/", views.campaign_move, name="campaign_move"),
    path("campaigns/<int:pk>/delete/", views.campaign_delete, name="campaign_delete"),
    path("campaigns/<int:pk>/companies/", views.campaign_companies, name="campaign_companies"),
    path("campaigns/<int:pk>/companies/decide/", starting.enrolments_decide, name="enrolments_decide"),
    path("campaigns/<int:pk>/companies/<int:enrolment_pk>/", views.enrolment, name="enrolment"),
    path("campaigns/<int:pk>/friendlies/", friendlies.friendlies, name="friendlies"),
    path("matches/<uuid:key>/forces/", forces.match_forces, name="match_forces"),
    path("matches/<uuid:key>/forces/withdraw/", forces.match_forces_withdraw, name="match_forces_withdraw"),
    path("matches/<uuid:key>/forces/orders/", forces.match_forces_orders, name="match_forces_orders"),
]
