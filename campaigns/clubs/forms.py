"""Forms of the club pages. They parse input; services decide."""

from __future__ import annotations

import re

from django import forms
from django.core.validators import validate_email
from django.http import QueryDict

from campaigns.clubs.invitations import DEFAULT_DAYS, INVITATION_ROLES, MAX_ADDRESSES, MAX_DAYS, MAX_USES, MIN_DAYS
from campaigns.clubs.services import MAX_ABOUT_LENGTH
from campaigns.models import Club, Role
from rosters.site.forms import EditConflictMixin


class ClubForm(forms.Form):
    name = forms.CharField(max_length=60)
    place = forms.CharField(max_length=80, required=False, help_text="Town or venue, so players can find you.")
    about = forms.CharField(
        max_length=MAX_ABOUT_LENGTH,
        required=False,
        widget=forms.Textarea(attrs={"rows": 6}),
        help_text="Who you are, what you play, when you meet.",
    )
    is_public = forms.BooleanField(
        required=False,
        initial=True,
        label="Public",
        help_text="Off: only members see the club, and players join by invitation.",
    )
    takes_requests = forms.BooleanField(required=False, initial=True, label="Players can ask to join")


class ClubSettingsForm(EditConflictMixin, ClubForm):
    """The settings of an existing club."""

    shows_portraits = forms.BooleanField(
        required=False,
        label="Companies can show their own photos",
        help_text="Off: companies in your campaigns show the built-in drawings everywhere.",
    )


class InviteForm(forms.Form):
    player = forms.CharField(
        max_length=150,
        required=False,
        label="Player",
        help_text="Username (blank = a link to share).",
        widget=forms.TextInput(attrs={"autocomplete": "off", "autocapitalize": "none"}),
    )
    emails = forms.CharField(
        max_length=2000,
        required=False,
        label="Email addresses",
        help_text=f"Up to {MAX_ADDRESSES}, separated by commas or line breaks. Each gets its own link.",
        widget=forms.Textarea(attrs={"rows": 2, "spellcheck": "false"}),
    )
    role = forms.ChoiceField(choices=[(role.value, role.label) for role in INVITATION_ROLES], initial=Role.PLAYER)
    days = forms.IntegerField(min_value=MIN_DAYS, max_value=MAX_DAYS, initial=DEFAULT_DAYS, label="Valid for (days)")
    uses = forms.IntegerField(
        min_value=1, max_value=MAX_USES, required=False, label="Max uses", help_text="Blank = unlimited."
    )

    def clean_emails(self) -> list[str]:
        """Return the addresses, each once."""
        found: dict[str, str] = {}
        for each in filter(None, re.split(r"[\s,;]+", self.cleaned_data["emails"])):
            found.setdefault(each.casefold(), each)
        for address in found.values():
            try:
                validate_email(address)
            except forms.ValidationError as error:
                raise forms.ValidationError(f"{address} isn’t an email address.") from error
        if len(found) > MAX_ADDRESSES:
            raise forms.ValidationError(f"Enter at most {MAX_ADDRESSES} addresses at once.")
        return [*found.values()]

    def clean(self) -> dict[str, object]:
        emails = self.cleaned_data.get("emails")
        if emails and self.cleaned_data.get("player"):
            self.add_error("emails", "Enter a username or email addresses, not both.")
        elif emails and self.cleaned_data.get("uses"):
            self.add_error("uses", "Each address can use its link once. Leave this blank.")
        return self.cleaned_data


class RoleForm(EditConflictMixin, forms.Form):
    """A member's role."""

    role = forms.ChoiceField(choices=[(role.value, role.label.capitalize()) for role in Role])

    def __init__(self, data: QueryDict | None, *, member: str, initial: dict[str, object], auto_id: str) -> None:
        super().__init__(data, initial=initial, auto_id=auto_id)
        self.fields["role"].widget.attrs["aria-label"] = f"Role of {member}"


class AskForm(forms.Form):
    message = forms.CharField(max_length=300, required=False, label="Message to the organisers")


def club_initial(club: Club) -> dict[str, object]:
    """Return the initial values of the settings form."""
    return {
        field: getattr(club, field)
        for field in ("name", "place", "about", "is_public", "takes_requests", "shows_portraits")
    }
