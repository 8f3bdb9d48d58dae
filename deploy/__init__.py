"""Tools that start Muster and keep it running. The application itself doesn't use this folder."""
