"""The living style guide: every shared part on one page, for designers. Served only while DEBUG is on."""

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from rosters.designs.selectors import design_published
from rosters.paper.screen_cards import card_of_design
from rosters.site.keyset import Slice
from systems import roster_rules
from systems.legality import Problem


class SampleForm(forms.Form):
    """A form with one field of each kind."""

    name = forms.CharField(help_text="Up to 12 characters; shown on cards.", max_length=12)
    motto = forms.CharField(required=False)
    terrain = forms.ChoiceField(choices=[("plain", "Plain"), ("wood", "Wood")])
    visibility = forms.ChoiceField(
        widget=forms.RadioSelect,
        choices=[("private", "only me"), ("link", "anyone with the link"), ("public", "everybody")],
    )
    shared = forms.BooleanField(label="Show the company to opponents", required=False)
    notes = forms.CharField(widget=forms.Textarea, required=False)


def styleguide(request: HttpRequest) -> HttpResponse:
    """Show every part in its usual state; `?refused` shows forms with errors and messages."""
    refused = "refused" in request.GET
    if refused:
        messages.success(request, "Ghost bought for 24 points.")
        messages.warning(request, "ODIN is printed at 27 points.")
        messages.error(request, "Not enough points for Thor: 12 are left, 28 are needed.")
    rulebook = roster_rules("meks-and-mercs").rulebook
    draken = design_published("meks-and-mercs", "draken")
    context = {
        "form": SampleForm({"name": "far too long a name"} if refused else None),
        "rulebook": rulebook,
        "one_rule": next(iter(rulebook.values())),
        "problems": [Problem("MM-012", "Viper has no huge mount for the Hammer-Missile.", "weapons[2]")],
        "warnings": [Problem("MM-004", "The source prints 27 points; the parts add up to 33.")],
        "slice": Slice([], before="100", after="51"),
        "numbers": (4, 5, None),
        "card": card_of_design(draken.system, draken.name, draken.spec),
    }
    return render(request, "styleguide.html", context)
