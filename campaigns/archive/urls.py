"""URLs of club archives and of the places reserved for their players."""

from django.urls import URLPattern, path

from campaigns.archive import views

urlpatterns: list[URLPattern] = [
    path("clubs/restore/", views.club_restore, name="club_restore"),
    path("clubs/restore/<uuid:key>/", views.club_restore_job, name="club_restore_job"),
    path("clubs/<slug:slug>/archive/", views.club_archive, name="club_archive"),
    path("clubs/<slug:slug>/archive/pack/", views.club_archive_create, name="club_archive_create"),
    path("clubs/<slug:slug>/archive/<uuid:key>.zip", views.club_archive_file, name="club_archive_file"),
    path("clubs/<slug:slug>/places/", views.club_places, name="club_places"),
    path("clubs/<slug:slug>/places/<int:place_pk>/", views.club_place_renew, name="club_place_renew"),
    path("place/<uuid:key>/", views.place, name="reserved_place"),
]
