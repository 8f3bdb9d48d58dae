"""Forms for uploading an archive and for taking a place."""

from __future__ import annotations

from typing import Any

from allauth.account.adapter import get_adapter
from django import forms
from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.core.files.uploadedfile import UploadedFile

from campaigns.archive.packing import MAX_BYTES, suggested_username
from campaigns.models import Placeholder


class RestoreForm(forms.Form):
    file = forms.FileField(
        label="Backup file", help_text="The ZIP that an organiser downloaded in the club's settings."
    )
    stands_for = forms.CharField(
        max_length=150,
        required=False,
        label="Your old username",
        help_text="If you were an organiser of this club, to get your companies back. Otherwise leave it blank.",
        widget=forms.TextInput(attrs={"autocomplete": "off", "autocapitalize": "none"}),
    )
    name = forms.CharField(
        max_length=60,
        required=False,
        label="New name for the club",
        help_text="Blank = its old name. An existing club of that name isn't changed.",
    )

    def clean_file(self) -> UploadedFile[Any]:
        file: UploadedFile[Any] = self.cleaned_data["file"]
        if file.size is not None and file.size > MAX_BYTES:
            raise ValidationError(f"This file is too large (max {MAX_BYTES // 1024**2} MB).")
        return file


class PlaceForm(forms.Form):
    """The username and password with which a player takes their place."""

    username = forms.CharField(
        max_length=150,
        label="Username",
        help_text="For signing in. Others keep seeing your old name.",
        widget=forms.TextInput(attrs={"autocomplete": "username", "autocapitalize": "none"}),
    )
    password1 = forms.CharField(
        label="Password", widget=forms.PasswordInput(attrs={"autocomplete": "new-password"}), strip=False
    )
    password2 = forms.CharField(
        label="Password again", widget=forms.PasswordInput(attrs={"autocomplete": "new-password"}), strip=False
    )

    def __init__(self, data: Any = None, *, place: Placeholder) -> None:
        super().__init__(data, initial={"username": suggested_username(place)})
        self.place = place

    def clean_username(self) -> str:
        return str(get_adapter().clean_username(self.cleaned_data["username"]))

    def clean(self) -> dict[str, Any]:
        data = super().clean() or {}
        if data.get("password1") and data.get("password2") and data["password1"] != data["password2"]:
            self.add_error("password2", "The two passwords don't match. Enter them again.")
        elif data.get("password1"):
            try:
                validate_password(data["password1"], self.place.player)
            except ValidationError as error:
                self.add_error("password1", error)
        return data
