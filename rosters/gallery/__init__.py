"""The gallery of units: those of all public companies, with what each has done."""
