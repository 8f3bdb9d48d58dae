"""`{% field form.name %}`: one field of a form with its label, help and errors.

A long form has dozens of fields, so they are rendered without a template; `_field.html` wraps this tag for includes. It
is a built-in of all templates.
"""

from __future__ import annotations

from django import template
from django.forms import BoundField
from django.utils.safestring import SafeString, mark_safe

from rosters.site.drawing import escape_markup

register = template.Library()
OPTIONAL = ' <span class="field__optional">optional</span>'


@register.simple_tag
def field(
    of: BoundField, *, label: object = "", help: object = "", compact: object = "", has_default: object = False
) -> SafeString:
    """Return label, control, help and errors. `has_default`: empty means the default, so "optional" is not shown.

    Django's own ids connect them: <auto_id>_helptext and <auto_id>_error.
    """
    if not isinstance(of, BoundField):  # a form without this field
        return mark_safe("")
    if of.is_hidden:
        return mark_safe(str(of))
    kind, errors = of.widget_type, of.errors
    state = " has-errors" if errors else ""
    told = escape_markup(label or of.label or "")
    helped = _help(of, help)
    if kind in ("radioselect", "checkboxselectmultiple"):
        described = of.aria_describedby
        says = f' aria-describedby="{escape_markup(described)}"' if described else ""
        boxes = "".join(
            f'<label class="check" for="{escape_markup(option.id_for_label)}">{option.tag()} '
            f"<span>{escape_markup(option.choice_label)}</span></label>"
            for option in of
        )
        drawn = (
            f'<fieldset class="field{state}" id="{escape_markup(of.auto_id)}"{says}>\n  <legend>{told}{_optional(of, has_default)}</legend>\n'
            f"  {boxes}\n  {helped}\n  {errors}\n</fieldset>"
        )
    elif kind == "checkbox":
        drawn = (
            f'<div class="field field--check{state}">\n  <label class="check" for="{escape_markup(of.id_for_label)}">{of} <span>{told}</span></label>\n'
            f"  {helped}\n  {errors}\n</div>"
        )
    else:
        size = " field--compact" if compact else ""
        drawn = (
            f'<div class="field{size}{state}">\n  <label for="{escape_markup(of.id_for_label)}">{told}{_optional(of, has_default)}</label>\n'
            f"  {of}\n  {helped}\n  {errors}\n</div>"
        )
    return mark_safe(drawn)  # all its parts are escaped


def _optional(of: BoundField, has_default: object) -> str:
    return "" if of.field.required or has_default else OPTIONAL


def _help(of: BoundField, said: object) -> str:
    """Return the page's help, else the field's, which may contain markup."""
    if not (said or of.help_text):
        return ""
    text = escape_markup(said) if said else str(of.help_text)
    return f'<div class="field__help" id="{escape_markup(of.auto_id)}_helptext">{text}</div>'
