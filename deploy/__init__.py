"""What brings Muster up and keeps it up. The application itself knows nothing of this folder."""
