"""The gazette, the feed and the calendar."""

from django.urls import URLPattern, path

from campaigns.gazette import views
from campaigns.views import feeds

gazette_patterns: list[URLPattern] = [
    path("campaigns/<int:pk>/gazette/", views.gazettes, name="gazettes"),
    path("campaigns/<int:pk>/gazette/new-key/", views.feed_key_new, name="feed_key_new"),
    path("campaigns/<int:pk>/gazette/<int:number>/", views.gazette, name="gazette"),
    path("campaigns/<int:pk>/gazette/<int:number>/<slug:paper>.pdf", views.gazette_pdf, name="gazette_pdf"),
    path("campaigns/<int:pk>/feed.xml", feeds.feed, name="feed"),
    path("campaigns/<int:pk>/fixtures.ics", feeds.calendar, name="calendar"),
]
