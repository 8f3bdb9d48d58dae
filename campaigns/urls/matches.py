"""Matches and the lists for them."""

from django.urls import URLPattern, path

from campaigns.dice import views as dice
from campaigns.handicaps import views as handicaps
from campaigns.matches import print_views as printing
from campaigns.matches import views as matches
from campaigns.premieres import views as premieres

match_patterns: list[URLPattern] = [
    path("matches/<uuid:key>/", matches.match, name="match"),
    path("matches/<uuid:key>/print/", printing.packet, name="print_packet"),
    path("matches/<uuid:key>/dice/", dice.match_dice_replace_view, name="match_dice_anew"),
    path("matches/<uuid:key>/consent/", matches.consent, name="match_consent"),
    path("matches/<uuid:key>/handicap/", handicaps.handicap, name="match_handicap"),
    path("matches/<uuid:key>/premiere/", premieres.premiere, name="premiere"),
    path("matches/<uuid:key>/premiere/now/", premieres.premiere_now, name="premiere_now"),
    path("matches/<uuid:key>/refuse/", matches.refuse, name="match_refuse"),
]
