"""Views of the print pages."""
