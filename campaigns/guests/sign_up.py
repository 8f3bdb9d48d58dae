"""Links of clubs by which somebody without an account may make one, where a site takes nobody else."""

from __future__ import annotations

from urllib.parse import urlsplit

from django.http import HttpRequest
from django.urls import Resolver404, resolve

from campaigns.clubs.invitations import invitation_refusal
from campaigns.guests.links import link_refusal
from campaigns.models import GuestLink, Invitation

CLAIM = "guest_claim"  # in a session: the guest's link that its visitor wants to take over with an account


def is_invited(request: HttpRequest, goes_to: str) -> bool:
    """For the hook: whether the page to go to afterwards is one that lets this visitor into a club."""
    try:
        found = resolve(urlsplit(goes_to).path)
    except (Resolver404, ValueError):
        return False
    if found.view_name == "campaigns:join":
        invitation = Invitation.objects.filter(key=found.kwargs["key"], player=None).select_related("club").first()
        return invitation is not None and not invitation_refusal(invitation)
    if found.view_name == "campaigns:guest_claim":
        link = GuestLink.objects.filter(pk=request.session.get(CLAIM) or 0).select_related("guest").first()
        return link is not None and not link_refusal(link)
    return False
