"""URLs of clubs, members and invitations."""

from django.urls import URLPattern, path

from campaigns.clubs import views as clubs
from campaigns.evenings import views as evenings
from campaigns.views import members

club_patterns: list[URLPattern] = [
    path("clubs/", clubs.clubs, name="clubs"),
    path("clubs/new/", clubs.club_new, name="club_new"),
    path("clubs/<slug:slug>/", clubs.club, name="club"),
    path("clubs/<slug:slug>/settings/", clubs.club_settings, name="club_settings"),
    path("clubs/<slug:slug>/diary/", clubs.club_diary, name="club_diary"),
    path("clubs/<slug:slug>/evening/", evenings.evening, name="evening"),
    path("clubs/<slug:slug>/leave/", members.club_leave, name="club_leave"),
    path("clubs/<slug:slug>/ask/", members.club_ask, name="club_ask"),
    path("clubs/<slug:slug>/members/", members.club_members, name="club_members"),
    path("clubs/<slug:slug>/members/<int:member_pk>/role/", members.member_role, name="member_role"),
    path("clubs/<slug:slug>/members/<int:member_pk>/remove/", members.member_remove, name="member_remove"),
    path("clubs/<slug:slug>/members/<int:member_pk>/hand-over/", members.club_hand_over, name="club_hand_over"),
    path("clubs/<slug:slug>/requests/<int:request_pk>/", members.request_answer, name="request_answer"),
    path("clubs/<slug:slug>/invitations/", members.invitations, name="invitations"),
    path("clubs/<slug:slug>/invitations/<uuid:key>/", members.invitation_withdraw, name="invitation_withdraw"),
    path("join/<uuid:key>/", members.join, name="join"),
]
