"""Club links that let a visitor sign up on a site that is otherwise closed to new accounts."""

from __future__ import annotations

from urllib.parse import urlsplit

from django.http import HttpRequest
from django.urls import Resolver404, resolve

from campaigns.clubs.invitations import invitation_refusal
from campaigns.guests.links import link_refusal
from campaigns.models import GuestLink, Invitation

CLAIM_SESSION_KEY = "guest_claim"  # session key of the guest link that the visitor wants to turn into an account


def is_invited(request: HttpRequest, goes_to: str) -> bool:
    """Return whether the page after sign-up is one that lets this visitor into a club. For the hook."""
    try:
        found = resolve(urlsplit(goes_to).path)
    except (Resolver404, ValueError):
        return False
    if found.view_name == "campaigns:join":
        invitation = Invitation.objects.filter(key=found.kwargs["key"], player=None).select_related("club").first()
        return invitation is not None and not invitation_refusal(invitation)
    if found.view_name == "campaigns:guest_claim":
        link = GuestLink.objects.filter(pk=request.session.get(CLAIM_SESSION_KEY) or 0).select_related("guest").first()
        return link is not None and not link_refusal(link)
    return False
