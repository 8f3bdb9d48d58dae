"""The reader's calendar and availability, and the date of a match."""

from django.urls import URLPattern, path

from campaigns.availability import views

urlpatterns: list[URLPattern] = [
    path("calendar/", views.my_calendar, name="my_calendar"),
    path("calendar/new-key/", views.calendar_key_new, name="calendar_key_new"),
    path("calendar/evenings/", views.availability, name="availability"),
    path("calendar/<uuid:key>.ics", views.calendar_feed, name="calendar_feed"),
    path("matches/<uuid:key>/date/", views.match_date, name="match_date"),
]
