"""The outbox of a Muster without a mail server: what it would have sent, for the one who sits at the machine."""

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from rosters.site.outbox import SHOWN, is_local, mails


@never_cache
@require_safe
def outbox(request: HttpRequest) -> HttpResponse:
    """The last mails with their links; 404 to anybody who is not on this machine, since a mail can reset a password."""
    if not is_local(request):
        raise Http404
    return render(request, "rosters/outbox.html", {"mails": mails(), "shown": SHOWN})
