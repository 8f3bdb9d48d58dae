"""Routes of the table."""

from django.urls import URLPattern, path

from . import views

urlpatterns: list[URLPattern] = [
    path("table/", views.tables, name="tables"),
    path("table/join/", views.join, name="join"),
    path("table/<uuid:key>/", views.seat, name="seat"),
    path("table/<uuid:key>/part/", views.part, name="seat-part"),
    path("table/<uuid:key>/act/", views.act, name="seat-act"),
    path("table/<uuid:key>/ahead/", views.prepare_rolls, name="seat-ahead"),
    path("table/<uuid:key>/aim/", views.aim, name="seat-aim"),
    path("table/<uuid:key>/told/", views.spectator, name="table-told"),
    path("table/<uuid:key>/frames.json", views.frames, name="table-frames"),
    path("table/<uuid:key>/moment.svg", views.picture, name="table-moment"),
    path("table/<uuid:key>/log/", views.log, name="seat-log"),
]
