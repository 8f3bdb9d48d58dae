"""The outbox of a site without a mail server: the mails it would have sent, for users on the machine."""

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from rosters.site.outbox import MAX_MAILS, is_local, read_outbox


@never_cache
@require_safe
def outbox(request: HttpRequest) -> HttpResponse:
    """Show the last mails with their links; 404 unless on this machine, because a mail can reset a password."""
    if not is_local(request):
        raise Http404
    return render(request, "rosters/outbox.html", {"mails": read_outbox(), "shown": MAX_MAILS})
